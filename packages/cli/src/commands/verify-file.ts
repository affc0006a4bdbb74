/**
 * What every offline command that checks one file does: read trust, read the file, verify it through core as one kind with one kernel
 * or with both, print the report, set the exit code. The commands differ only in name, kind and words.
 */
import process from "node:process";
import {
  type CrossCheckedReport,
  crossCheck,
  type Kernel,
  type Kind,
  type Report,
  type VerifyOptions,
  verify,
} from "@svc/core";
import { Command, InvalidArgumentError, Option } from "commander";
import { decodeEvidence } from "../evidence.ts";
import { EXIT, exitCodeOf, Refusal } from "../exit.ts";
import { readInput } from "../input.ts";
import { type KernelChoice, kernelOption, openBothKernels, openKernel } from "../kernel.ts";
import { printLines } from "../output.ts";
import { COLOR_CHOICES, type ColorChoice, painter, wantsColor } from "../render/color.ts";
import { crossCheckLines } from "../render/cross-check.ts";
import { escapeJson } from "../render/escape.ts";
import { renderReport } from "../render/report.ts";
import { readTrust, type TrustOptions } from "../trust.ts";

interface Options extends TrustOptions, KernelChoice {
  readonly file: string;
  readonly crossCheck?: true;
  readonly json?: true;
  readonly color: ColorChoice;
}

/** The one kernel that computes, or both. */
type Kernels = readonly [Kernel] | readonly [Kernel, Kernel];

/** A command that verifies one file as `kind`, without a connection. */
export function verifyFileCommand(name: string, kind: Kind, summary: string, example: string): Command {
  return new Command(name)
    .description(summary)
    .addOption(new Option("--file <path>", "the file; - for standard input").argParser(once).makeOptionMandatory())
    .option("--public-key-hex <key>", "a public key that you trust, 64 lowercase hex characters; repeatable", collect)
    .addOption(new Option("--trust <path>", "a trust policy (JSON); - for standard input").argParser(once))
    .option("--json", "print the report as JSON, whole, on one line")
    .addOption(kernelOption())
    .addOption(
      new Option("--cross-check", "verify with both kernels; a verdict only if they agree").conflicts("kernel"),
    )
    .addOption(new Option("--color <when>", "when to colour").choices(COLOR_CHOICES).default("auto"))
    .addHelpText("after", `\nExample:\n  ${example}\n\nExit codes: 0 verified, 1 rejected, 2 untrusted,`)
    .addHelpText("after", "64 wrong call, 66 a file that cannot be read, 70 an error of svc itself.")
    .action((options: Options) => verifyFile(kind, options));
}

async function verifyFile(kind: Kind, options: Options): Promise<void> {
  if (options.file === "-" && options.trust === "-")
    throw new Refusal(EXIT.usage, "--file and --trust cannot both be standard input.", "Give one of them as a file.");
  const startedAt = performance.now();
  const kernels: Kernels = options.crossCheck ? openBothKernels() : [openKernel(options.kernel)];
  const trust = await readTrust(kernels, options);
  const bytes = await readInput(options.file);
  const checked = check(bytes, kernels, { kind, ...(trust === undefined ? {} : { trust }) });
  const { report } = checked;
  const seconds = (performance.now() - startedAt) / 1000;
  if (options.json) printLines([escapeJson(JSON.stringify("cross_check" in checked ? checked : report))]);
  else {
    const call = { kind, file: options.file, trustFile: options.trust, trust };
    const paint = painter(wantsColor(options.color, process.stdout.isTTY === true, process.env));
    // By the reference kernel where there are both: a compiled one that fails must not keep that from being shown.
    const evidence = decodeEvidence(kernels[1] ?? kernels[0], bytes);
    const page = renderReport(report, evidence, call, seconds, paint);
    printLines("cross_check" in checked ? [...page, ...crossCheckLines(checked.cross_check)] : page);
  }
  // Last: an error on the way leaves no verdict's exit code behind.
  process.exitCode = exitCodeOf(report.verdict);
}

function check(bytes: Uint8Array, kernels: Kernels, settings: VerifyOptions): CrossCheckedReport | { report: Report } {
  const [kernel, other] = kernels;
  if (other === undefined) return { report: verify(bytes, { ...settings, kernel }) };
  return crossCheck(bytes, { ...settings, kernels: [kernel, other] });
}

/** An option that silently took the last of two files would give a verdict on another file than the reader thinks. */
function once(value: string, previous: string | undefined): string {
  if (previous !== undefined) throw new InvalidArgumentError("It is given twice; svc checks one file at a time.");
  return value;
}

function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}
