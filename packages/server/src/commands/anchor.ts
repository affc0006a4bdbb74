/**
 * `svc-server anchor deploy`: makes the contract into which epochs are written. It opens no data folder and needs the
 * settings of anchoring alone.
 */
import { EVIDENCE_ANCHOR_CODE_HASH } from "@svc/core/evidence-anchor";
import { readSettings, UsageError } from "@svc/host/settings";
import { Command } from "commander";
import { deploy } from "../chain/deploy.ts";
import { anchoringSettings, chainOf } from "../chain/settings.ts";
import { show } from "./deployment.ts";

/** Returns the command `anchor`. */
export function anchorCommand(): Command {
  return new Command("anchor")
    .description("anchor: epochs of the service log in a public chain")
    .addCommand(
      new Command("deploy")
        .description("make the contract, once; the key in SVC_ANCHOR_KEY_FILE pays, and alone can write there")
        .option("--json", "print one JSON object instead of text")
        .action(deployContract),
    );
}

async function deployContract(options: { readonly json?: true }): Promise<void> {
  const { values, mistakes } = readSettings(anchoringSettings, process.env);
  const config = chainOf(values);
  if (config === null)
    mistakes.push(
      "Set SVC_ANCHOR_NETWORK, SVC_ANCHOR_RPC and SVC_ANCHOR_KEY_FILE: they say where the contract is made.",
    );
  if (config === null || mistakes.length > 0) throw new UsageError(mistakes);
  const made = await deploy(config);
  show(options, { ...made, code_hash: EVIDENCE_ANCHOR_CODE_HASH }, [
    `The contract is ${made.contract} in ${made.network}, since block ${made.block_number}; it has cost ` +
      `${made.cost_gwei} gwei.`,
    `  anchorer   ${made.anchorer}, which alone can write`,
    `  code hash  ${EVIDENCE_ANCHOR_CODE_HASH}`,
    `  transaction ${made.tx_hash}`,
    `Next: set SVC_ANCHOR_CONTRACT=${made.contract}, and start. Tell verifiers address and code hash: they pin ` +
      `them with svc trust pin-contract.`,
  ]);
}
