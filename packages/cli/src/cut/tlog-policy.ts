/**
 * `svc bundles tlog-policy`: writes the log, the witnesses and the quorum of a bundle's newest checkpoint as a C2SP
 * tlog-policy, for programs that verify notes (protocol sections 6 and 9). It trusts nobody: its reader does.
 */
import { issueTlogPolicy, witnessPolicyDigest } from "@svc/core";
import { Command } from "commander";
import { openBundle } from "../evidence-file/open.ts";
import { forceOption, type OutOptions, outOption, withFile } from "../evidence-file/options.ts";
import { writeResult } from "../evidence-file/write.ts";
import { EXIT, Refusal } from "../exit.ts";
import { openKernel } from "../kernel.ts";
import { holdResult } from "./hold.ts";
import { objectBytes } from "./result.ts";

interface Options extends OutOptions {
  readonly file: string;
}

/** Returns the command. */
export function tlogPolicyCommand(): Command {
  const command = new Command("tlog-policy")
    .description("Write the log, the witnesses and the quorum of a bundle's stream as a C2SP tlog-policy.")
    .addOption(outOption())
    .addOption(forceOption())
    .addHelpText(
      "after",
      "\nThe keys are those that the bundle names, and nobody has said whose they are:\nverify the bundle under " +
        "your own trust first.",
    )
    .addHelpText("after", "\nExample:\n  svc bundles tlog-policy march.bundle.json --out march.tlog-policy");
  return withFile(command, writePolicy);
}

async function writePolicy(options: Options): Promise<void> {
  const kernel = openKernel();
  const { bundle } = await openBundle(kernel, options.file);
  const checkpoint = bundle.artifacts["checkpoints.json"].at(-1);
  const policy = bundle.artifacts["witnesses.json"].witness_policies.find(
    (one) => witnessPolicyDigest(kernel, one) === checkpoint?.witness_policy_digest,
  );
  const key = bundle.key_hints.find(({ kid }) => kid === checkpoint?.seal.kid);
  if (checkpoint === undefined || policy === undefined || key === undefined)
    throw new Refusal(
      EXIT.input,
      "The bundle does not have the key and the witness policy of its newest checkpoint.",
      "Verify the bundle; ask for a whole one.",
    );
  holdResult(kernel, "checkpoint", objectBytes(kernel, { ...checkpoint }));
  writeResult(
    options,
    new TextEncoder().encode(issueTlogPolicy(kernel, checkpoint.origin, key.public_key_hex, policy)),
    "text",
  );
}
