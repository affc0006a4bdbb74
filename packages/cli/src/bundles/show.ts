/** `svc bundles show`: shows the content of a bundle. It reads WITHOUT verifying, and its first line says so. */
import { Command, Option } from "commander";
import { openBundle } from "../evidence-file/open.ts";
import { withFile } from "../evidence-file/options.ts";
import { openKernel } from "../kernel.ts";
import { printLines } from "../output.ts";
import { bundleContents } from "./contents.ts";
import { bundleEvents } from "./events.ts";

interface Options {
  readonly file: string;
  readonly all?: true;
  readonly events?: true;
  /** False with `--no-payloads`. */
  readonly payloads: boolean;
}

/** Returns the command. */
export function showCommand(): Command {
  const command = new Command("show")
    .description("Show what a bundle says of itself, WITHOUT verifying it.")
    .option("--all", "every window, checkpoint, anchor and event, however many there are, and payloads whole")
    .option("--events", "its events, with their payloads, in the place of all else")
    .addOption(new Option("--no-payloads", "the events without their payloads").implies({ events: true }))
    .addHelpText("after", "\nExample:\n  svc bundles show march.bundle.json --events");
  return withFile(command, show);
}

async function show({ file: path, all, events, payloads }: Options): Promise<void> {
  const kernel = openKernel();
  const { file, bundle } = await openBundle(kernel, path);
  const isWhole = all === true;
  if (events) printLines(bundleEvents(payloads ? kernel : null, file.bytes, path, isWhole));
  else printLines(bundleContents(bundle, path, isWhole));
}
