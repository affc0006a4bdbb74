/**
 * `svc trust pin-contract`: pins the code of a contract, so that an epoch in it is known to be written once (protocol
 * section 12). Where no code is named, it is that of EvidenceAnchor as this release knows it.
 */
import { EVIDENCE_ANCHOR_CODE_HASH } from "@svc/core/evidence-anchor";
import { Command } from "commander";
import { EXIT, Refusal } from "../exit.ts";
import { nodeAt, requireNetwork } from "../online/chain-node.ts";
import { changeTrust, type TrustFileOption } from "./change.ts";
import { addContract } from "./pins.ts";

interface Options extends TrustFileOption {
  readonly network: string;
  readonly address: string;
  readonly codeHash: string;
  readonly rpc?: string;
  readonly replace?: true;
}

/** Returns the command. */
export function pinContractCommand(): Command {
  return new Command("pin-contract")
    .description("Pin a contract's code, so that its epochs are known to be written once.")
    .requiredOption("--network <id>", "the chain, as eip155:1")
    .requiredOption("--address <address>", "the contract, 0x and 40 hex characters")
    .option("--code-hash <hash>", "Keccak-256 of code that you know (default: that of EvidenceAnchor)")
    .option("--rpc <url>", "ask this node whether the contract has that code. This one connects")
    .option("--replace", "let this code take the place of another at the same address")
    .addHelpText(
      "after",
      '\nExample:\n  svc trust pin-contract --network eip155:1 --address "$ADDRESS"\n\nEvidence shows the code ' +
        "of its contract, and is compared with this pin: no node\nneeds to be asked. contracts/EvidenceAnchor.sol " +
        "is the code that is meant.",
    )
    .action(async ({ network, address, codeHash = EVIDENCE_ANCHOR_CODE_HASH, rpc, replace, ...options }: Options) => {
      if (rpc !== undefined) await requireCode(rpc, network, address, codeHash);
      const pin = { network, address: address.toLowerCase(), code_hash: codeHash };
      const what = codeHash === EVIDENCE_ANCHOR_CODE_HASH ? "EvidenceAnchor" : `code ${codeHash}`;
      await changeTrust(options, [`Pinned the contract ${pin.address} of ${network} as ${what}.`], (file) =>
        addContract(file, pin, replace),
      );
    });
}

/** Refuses another code than the node has (66). */
async function requireCode(rpc: string, network: string, address: string, codeHash: string): Promise<void> {
  const node = nodeAt(rpc);
  await requireNetwork(node, network);
  const found = await node.codeHash(address);
  if (found === codeHash) return;
  throw new Refusal(
    EXIT.input,
    found === null
      ? `There is no contract at ${address}.`
      : `The code at ${address} has the hash ${found}, and not ${codeHash}.`,
    "Nothing was pinned. Check the address with the operator of the service.",
  );
}
