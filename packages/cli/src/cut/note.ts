/** `svc bundles note`: writes the signed note of a checkpoint of a bundle, byte for byte (protocol section 9). */
import { Command, Option } from "commander";
import { openBundle } from "../evidence-file/open.ts";
import { forceOption, type OutOptions, ordinal, outOption, withFile } from "../evidence-file/options.ts";
import { writeResult } from "../evidence-file/write.ts";
import { EXIT, Refusal } from "../exit.ts";
import { openKernel } from "../kernel.ts";
import { holdResult } from "./hold.ts";
import { objectBytes } from "./result.ts";

interface Options extends OutOptions {
  readonly file: string;
  readonly checkpoint?: number;
}

/** Returns the command. */
export function noteCommand(): Command {
  const command = new Command("note")
    .description("Print a checkpoint's signed note, as it is in the bundle.")
    .addOption(new Option("--checkpoint <number>", "which one; the newest by default").argParser(ordinal))
    .addOption(outOption())
    .addOption(forceOption())
    .addHelpText("after", "\nIt is a C2SP signed note: witnesses cosign it, tools for transparency logs\nread it.")
    .addHelpText("after", "\nExample:\n  svc bundles note march.bundle.json --out march.checkpoint");
  return withFile(command, writeNote);
}

async function writeNote(options: Options): Promise<void> {
  const kernel = openKernel();
  const { bundle } = await openBundle(kernel, options.file);
  const checkpoints = bundle.artifacts["checkpoints.json"];
  const checkpoint =
    options.checkpoint === undefined
      ? checkpoints.at(-1)
      : checkpoints.find(({ checkpoint_no }) => checkpoint_no === options.checkpoint);
  if (checkpoint === undefined) {
    const numbers = checkpoints.map(({ checkpoint_no }) => checkpoint_no);
    const has = numbers.length === 0 ? "none" : `${numbers[0]} to ${numbers.at(-1)}`;
    throw new Refusal(
      EXIT.usage,
      `Checkpoint ${options.checkpoint ?? ""} is not in the bundle, which has ${has}.`,
      '"svc bundles show" says what is in a bundle.',
    );
  }
  // The members of the checkpoint show without any key that the note says the same.
  holdResult(kernel, "checkpoint", objectBytes(kernel, checkpoint));
  writeResult(options, new TextEncoder().encode(checkpoint.note), "text");
}
