/** `svc verify`: whatever is named, of any kind: one file as a report, many as a table. */
import process from "node:process";
import { VERSION } from "@svc/core";
import { Command } from "commander";
import { EXIT, Refusal } from "../exit.ts";
import { type Kernels, type ManyOptions, readCall, withManyOptions } from "../many/call.ts";
import type { Checked } from "../many/check.ts";
import { checkAll } from "../many/files.ts";
import { isOneFile, namedBy } from "../many/names.ts";
import { verifyOne } from "../many/one.ts";
import { exitCodeOfAll, pageOf } from "../many/page.ts";
import { printLines } from "../output.ts";
import { painter, wantsColor } from "../render/color.ts";

/** The command. */
export function verifyCommand(): Command {
  return withManyOptions(new Command("verify"))
    .description("Verify files of any kind on this machine alone; no connection is opened.")
    .argument("<anything...>", "files, folders (every *.json in and under them), patterns; - for standard input")
    .addHelpText("after", "\nOne file gives its report; anything else a table with a line for each file.")
    .addHelpText("after", "\nExample:\n  svc verify *.bundle.json --trust acme.trust.json")
    .addHelpText("after", "\nExit codes: 0 verified, 1 rejected, 2 untrusted, 64 wrong call, 66 a file that")
    .addHelpText("after", "cannot be read, 70 an error of svc itself. Of many files: 1 before 66 before 2.")
    .action(verifyAnything);
}

async function verifyAnything(args: readonly string[], options: ManyOptions): Promise<void> {
  if (args.includes("-") && options.trust === "-")
    throw new Refusal(EXIT.usage, "Evidence and --trust cannot both be standard input.", "Give one of them as a file.");
  const [only = "", ...more] = args;
  await (more.length === 0 && isOneFile(only) ? verifyOne(only, options) : verifyMany(args, options));
}

async function verifyMany(args: readonly string[], options: ManyOptions): Promise<void> {
  const startedAt = performance.now();
  const { kernels, settings } = await readCall(options);
  const named = await namedBy(args, options.trust);
  const all: Checked[] = [];
  for await (const checked of checkAll(named, kernels, { settings, json: options.json === true }, options.jobs)) {
    const { json, ...rest } = checked;
    if (json !== undefined) printLines([json]);
    all.push(rest);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const paint = painter(wantsColor(options.color, process.stdout.isTTY === true, process.env));
  if (!options.json) printLines(pageOf(all, seconds, `${nameOf(kernels)}, svc ${VERSION}`, paint));
  process.exitCode = exitCodeOfAll(all.map(({ verdict }) => verdict));
}

function nameOf([{ sha256Hex }, other]: Kernels): string {
  if (other !== undefined) return "cross-checked by both kernels";
  return `kernel ${sha256Hex === null ? "reference" : `${sha256Hex.slice(0, 16)}…`}`;
}
