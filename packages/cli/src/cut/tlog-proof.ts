/**
 * `svc bundles tlog-proof`: writes one event as a C2SP tlog-proof, for verifiers of transparency logs (protocol section
 * 9).
 */
import { issueEventProof, type Kernel, openEventProof, parseTlogProof } from "@svc/core";
import { Command } from "commander";
import { openBundle } from "../evidence-file/open.ts";
import { withFile } from "../evidence-file/options.ts";
import { writeResult } from "../evidence-file/write.ts";
import { EXIT, Refusal } from "../exit.ts";
import { openKernel } from "../kernel.ts";
import { type EventOptions, portableReceipt, withEventOptions } from "./extract.ts";
import { orRefuse } from "./hold.ts";

/** Returns the command. */
export function tlogProofCommand(): Command {
  const command = withEventOptions(new Command("tlog-proof"))
    .description("Write the C2SP tlog-proof of one event of a bundle.")
    .addHelpText("after", "\nThe event travels in the proof's extra data, with its payload if the bundle\nhas it.")
    .addHelpText("after", "\nExample:\n  svc bundles tlog-proof march.bundle.json --seq 5 --out loan-1005.tlog-proof");
  return withFile(command, writeProof);
}

async function writeProof(options: EventOptions): Promise<void> {
  const kernel = openKernel();
  const { bundle } = await openBundle(kernel, options.file);
  const { portable } = portableReceipt(kernel, bundle, options);
  const proof = orRefuse(() => issueEventProof(kernel, portable));
  if (!leadsToRoot(kernel, proof))
    throw new Refusal(
      EXIT.rejected,
      "The proof does not lead to the root in its checkpoint's note, so nothing was written.",
      "Verify the bundle.",
    );
  writeResult(options, new TextEncoder().encode(proof), "text");
}

/**
 * Says whether the proof's path leads from the event's window to the root that the note states. Its reader checks the
 * signatures.
 */
function leadsToRoot(kernel: Kernel, text: string): boolean {
  const parsed = parseTlogProof(text);
  if (!parsed.ok) return false;
  const { proof } = parsed;
  const opened = openEventProof(kernel, proof);
  if (!opened.ok) return false;
  const { treeSize, rootHash } = proof.tree;
  return kernel.verifyInclusion(opened.leafHash, proof.index, treeSize, proof.path, rootHash);
}
