/** `svc bundles show`: what a bundle says of itself. It reads WITHOUT verifying, and its first line says so. */
import { Command } from "commander";
import { openBundle } from "../evidence-file/open.ts";
import { withFile } from "../evidence-file/options.ts";
import { openKernel } from "../kernel.ts";
import { printLines } from "../output.ts";
import { bundleContents } from "../show/bundle-contents.ts";

interface Options {
  readonly file: string;
  readonly all?: true;
}

/** The command. */
export function showCommand(): Command {
  const command = new Command("show")
    .description("Show what a bundle says of itself, WITHOUT verifying it.")
    .option("--all", "every window, checkpoint and anchor, however many there are")
    .addHelpText("after", "\nExample:\n  svc bundles show march.bundle.json");
  return withFile(command, show);
}

async function show({ file, all }: Options): Promise<void> {
  const { bundle } = await openBundle(openKernel(), file);
  printLines(bundleContents(bundle, file, all === true));
}
