/**
 * What every offline command that checks one file does: read trust, read the file, verify it through core as one kind, print the
 * report, set the exit code. The commands differ only in name, kind and words.
 */
import process from "node:process";
import { type Kind, referenceKernel, verify } from "@svc/core";
import { Command, InvalidArgumentError, Option } from "commander";
import { decodeEvidence } from "../evidence.ts";
import { EXIT, exitCodeOf, Refusal } from "../exit.ts";
import { readInput } from "../input.ts";
import { printLines } from "../output.ts";
import { COLOR_CHOICES, type ColorChoice, painter, wantsColor } from "../render/color.ts";
import { escapeJson } from "../render/escape.ts";
import { renderReport } from "../render/report.ts";
import { readTrust, type TrustOptions } from "../trust.ts";

interface Options extends TrustOptions {
  readonly file: string;
  readonly json?: true;
  readonly color: ColorChoice;
}

/** A command that verifies one file as `kind`, without a connection. */
export function verifyFileCommand(name: string, kind: Kind, summary: string, example: string): Command {
  return new Command(name)
    .description(summary)
    .addOption(new Option("--file <path>", "the file; - for standard input").argParser(once).makeOptionMandatory())
    .option("--public-key-hex <key>", "a public key that you trust, 64 lowercase hex characters; repeatable", collect)
    .addOption(new Option("--trust <path>", "a trust policy (JSON); - for standard input").argParser(once))
    .option("--json", "print the report as JSON, whole, on one line")
    .addOption(new Option("--color <when>", "when to colour").choices(COLOR_CHOICES).default("auto"))
    .addHelpText("after", `\nExample:\n  ${example}\n\nExit codes: 0 verified, 1 rejected, 2 untrusted,`)
    .addHelpText("after", "64 wrong call, 66 a file that cannot be read, 70 an error of svc itself.")
    .action((options: Options) => verifyFile(kind, options));
}

async function verifyFile(kind: Kind, options: Options): Promise<void> {
  if (options.file === "-" && options.trust === "-")
    throw new Refusal(EXIT.usage, "--file and --trust cannot both be standard input.", "Give one of them as a file.");
  const startedAt = performance.now();
  const kernel = referenceKernel;
  const trust = await readTrust(kernel, options);
  const bytes = await readInput(options.file);
  const report = verify(bytes, { kind, kernel, ...(trust === undefined ? {} : { trust }) });
  const seconds = (performance.now() - startedAt) / 1000;
  if (options.json) printLines([escapeJson(JSON.stringify(report))]);
  else {
    const call = { kind, file: options.file, trustFile: options.trust, trust };
    const paint = painter(wantsColor(options.color, process.stdout.isTTY === true, process.env));
    printLines(renderReport(report, decodeEvidence(kernel, bytes), call, seconds, paint));
  }
  // Last: an error on the way leaves no verdict's exit code behind.
  process.exitCode = exitCodeOf(report.verdict);
}

/** An option that silently took the last of two files would give a verdict on another file than the reader thinks. */
function once(value: string, previous: string | undefined): string {
  if (previous !== undefined) throw new InvalidArgumentError("It is given twice; svc checks one file at a time.");
  return value;
}

function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}
