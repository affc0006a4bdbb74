/**
 * `svc bundles extract` and `svc receipts export`: cut out the portable receipt of one event of a bundle (protocol
 * section 13).
 */
import { type Bundle, type Kernel, type PortableReceipt, portableReceiptOf } from "@svc/core";
import { escapeText } from "@svc/report";
import { Command, Option } from "commander";
import { openBundle } from "../evidence-file/open.ts";
import { forceOption, type OutOptions, ordinal, outOption, withFile } from "../evidence-file/options.ts";
import { writeResult } from "../evidence-file/write.ts";
import { openKernel } from "../kernel.ts";
import { printLines } from "../output.ts";
import { wrap } from "../render/text.ts";
import { holdResult, orRefuse } from "./hold.ts";
import { objectBytes } from "./result.ts";

/** The event, and the checkpoint up to which it is proven. */
export interface EventOptions extends OutOptions {
  readonly file: string;
  readonly seq: number;
  readonly checkpoint?: number;
}

/** Returns the command, under the name that its family gives it. */
export function extractCommand(name: string, example: string): Command {
  const command = withEventOptions(new Command(name))
    .description("Cut the portable receipt of one event out of a bundle.")
    .addHelpText("after", "\nIt carries the event's payload if the bundle does, and of no other event.")
    .addHelpText("after", `\nExample:\n  ${example}`);
  return withFile(command, extractReceipt);
}

/** Returns a command with the options that name an event of a bundle, and the place of the result. */
export function withEventOptions(command: Command): Command {
  return command
    .addOption(new Option("--seq <number>", "the event").argParser(ordinal).makeOptionMandatory())
    .addOption(
      new Option("--checkpoint <number>", "the checkpoint to lead to; the newest one by default").argParser(ordinal),
    )
    .addOption(outOption())
    .addOption(forceOption());
}

/**
 * Returns the portable receipt of the event that the options name, and its bytes. The receipt has been checked against
 * the protocol.
 */
export function portableReceipt(
  kernel: Kernel,
  bundle: Bundle,
  { seq, checkpoint }: EventOptions,
): { readonly portable: PortableReceipt; readonly bytes: Uint8Array } {
  const cut = checkpoint === undefined ? {} : { checkpointNo: checkpoint };
  const portable = orRefuse(() => portableReceiptOf(kernel, bundle, seq, cut));
  const bytes = objectBytes(kernel, portable);
  holdResult(kernel, "portable-receipt", bytes);
  return { portable, bytes };
}

async function extractReceipt(options: EventOptions): Promise<void> {
  const kernel = openKernel();
  const { bundle } = await openBundle(kernel, options.file);
  const { portable, bytes } = portableReceipt(kernel, bundle, options);
  if (!writeResult(options, bytes, "json")) return;
  const { receipt, checkpoint } = portable;
  const payload =
    receipt.payload === undefined ? "without its payload, which the bundle leaves out" : "with its payload";
  const words =
    `Wrote ${escapeText(options.out)}: the portable receipt of event ${receipt.seq_no}, ${payload}, up to ` +
    `checkpoint ${checkpoint?.checkpoint_no}. Its form and hashes hold; whose key it is was not asked.`;
  printLines(wrap(words, { first: "", rest: "" }));
}
