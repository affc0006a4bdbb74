/**
 * The part that every offline command shares which checks one file: it reads the trust policy and the file, verifies
 * the file as one kind with one kernel or with both, prints the report, and sets the exit code. The commands differ
 * only in name, kind and words.
 */
import process from "node:process";
import type { Json, Kernel, Kind, Report, TrustPolicy } from "@svc/core";
import { decodeEvidence, escapeText } from "@svc/report";
import { Command } from "commander";
import { refuseForeign, refuseOther } from "../evidence-file/not-evidence.ts";
import { named } from "../evidence-file/open.ts";
import { withFile } from "../evidence-file/options.ts";
import { EXIT, exitCodeOf } from "../exit.ts";
import { FORMATTERS, formatOf } from "../formats/list.ts";
import { MAX_INPUT_BYTES, MAX_PACKAGE_BYTES, readInput } from "../input.ts";
import { openBothKernels, openKernel } from "../kernel.ts";
import { printLines } from "../output.ts";
import { painter, wantsColor } from "../render/color.ts";
import { crossCheckLines } from "../render/cross-check.ts";
import { renderReport } from "../render/report.ts";
import { type Names, readNames } from "../trust/names.ts";
import { type Checked, check } from "./check.ts";
import type { Kernels } from "./kernels.ts";
import { readVerifyOptions, requireOneStandardInput, type VerifyFlags, withVerifyOptions } from "./options.ts";
import { Progress } from "./progress.ts";
import { requireOtherFile, writeReport } from "./report-file.ts";
import type { Expect } from "./tighten.ts";

/**
 * One thread checks at least so many bytes in a millisecond: with the compiled kernel, and with the reference kernel,
 * alone or beside it.
 */
const COMPILED_BYTES = 20_000;
const REFERENCE_BYTES = 200;

/** The options, and the file. */
interface Flags extends VerifyFlags {
  readonly file: string;
}

/** A verified file, and everything that can be said of it. */
export interface Verified {
  readonly report: Report;
  readonly kernel: Kernel;
  readonly bytes: Uint8Array;
  readonly trust: TrustPolicy | undefined;
  readonly names: Names;
  readonly seconds: number;
}

/** The work of a command on its file before and after it is verified, with the command's own options. */
export interface Preparation<More> {
  readonly addOptions: (command: Command) => Command;
  /** Returns the paths of other files that the call reads, by the name of their option. */
  readonly paths: (flags: More) => Readonly<Record<string, string | undefined>>;
  /** Returns the words that a further call must repeat, as words of a shell. */
  readonly words: (flags: More) => readonly string[];
  /** The command, if its own words name the file too. */
  readonly command?: string;
  /** Whether the command makes the object itself, so that its id says nothing. */
  readonly isMade?: true;
  /** Uses every kernel that will verify, so that no difference between them is lost. */
  readonly prepare?: (kernels: Kernels, bytes: Uint8Array, flags: More) => Promise<Uint8Array>;
  /** Returns what the call expects of the object, beside the options of every command. */
  readonly expect?: (kernels: Kernels, flags: More) => Promise<Expect>;
  /** Returns an object that is checked beside the file. */
  readonly beside?: (kernels: Kernels, flags: More) => Promise<{ readonly inclusion?: Json }>;
  /** Refuses a file that holds nothing for this command; gets a report that is not about another kind. */
  readonly refuse?: (file: string, report: Report) => void;
  /** Returns the content of the file of `--report`, if it differs from that of `--json`. */
  readonly reportOf?: (report: Report, kernel: Kernel, bytes: Uint8Array, flags: More) => Json;
  /** Called last, with the final verdict. */
  readonly finish?: (verified: Verified, flags: More & { readonly file: string }) => void;
}

/** Returns a command that verifies one file as `kind`, or as the kind that it shows, without a connection. */
export function verifyFileCommand<More extends object>(
  name: string,
  kind: Kind | null,
  summary: string,
  example: string,
  preparation?: Preparation<More>,
): Command {
  const command = new Command(name).description(summary);
  withVerifyOptions(preparation?.addOptions(command) ?? command)
    .addHelpText("after", `\nExample:\n  ${example}\n\nExit codes: 0 verified, 1 rejected, 2 untrusted,`)
    .addHelpText("after", "64 wrong call, 66 a file that cannot be read or is no evidence at all,")
    .addHelpText("after", "or a --report that cannot be written, 70 an error of svc itself.");
  return withFile(command, (flags: Flags & More) => verifyFile(kind, flags, preparation));
}

/** Runs such a command. `kind` is null if the file shows its kind. */
export async function verifyFile<More extends object>(
  kind: Kind | null,
  flags: Flags & More,
  preparation?: Preparation<More>,
): Promise<void> {
  const { file, report: reportFile, quiet } = flags;
  const paths = { "--file": file, "--trust": flags.trust, ...preparation?.paths(flags) };
  requireOneStandardInput({ ...paths, "--quorum": flags.quorum, ...linkPaths(flags) });
  requireOtherFile(reportFile, [...Object.values(paths), flags.quorum, ...(flags.link ?? [])]);
  const startedAt = performance.now();
  const kernels: Kernels = flags.crossCheck ? openBothKernels() : [openKernel(flags.kernel)];
  const progress = new Progress(!quiet);
  const { checked, names, trust, written, kernel, bytes } = await examine(
    kind,
    flags,
    kernels,
    progress,
    preparation,
  ).finally(() => progress.end());
  const { report } = checked;
  const seconds = (performance.now() - startedAt) / 1000;
  const whole = "cross_check" in checked ? checked : report;
  const page = () => {
    const paint = painter(wantsColor(flags.color, process.stdout.isTTY === true, process.env));
    const call = {
      kind,
      file,
      trustFile: flags.trust,
      trust,
      names,
      isWhole: flags.all === true,
      more: preparation?.words(flags) ?? [],
      isMade: preparation?.isMade === true,
      ...(preparation?.command === undefined ? {} : { command: preparation.command }),
    };
    const opened = { bytes, kind: () => decodeEvidence(kernel, bytes).kind };
    const lines = renderReport(report, opened, call, seconds, paint);
    return "cross_check" in checked ? [...lines, ...crossCheckLines(checked.cross_check)] : lines;
  };
  printLines(FORMATTERS[formatOf(flags)].answer({ value: whole, page }));
  if (reportFile !== undefined) writeReport(reportFile, written?.() ?? whole);
  preparation?.finish?.({ report, kernel, bytes, trust, names, seconds }, flags);
  // Last, so that an error on the way leaves no verdict's exit code behind.
  const isFork = kind === null && report.kind === "fork" && report.verdict === "verified";
  process.exitCode = isFork ? EXIT.rejected : exitCodeOf(report.verdict);
}

interface Examined {
  readonly checked: Checked;
  readonly trust: TrustPolicy | undefined;
  /** The content that the preparation wants written; made only on demand. */
  readonly written: (() => Json) | undefined;
  /** The kernel for looking into evidence. */
  readonly kernel: Kernel;
  readonly bytes: Uint8Array;
  /** The reader's names for the keys of their trust file. */
  readonly names: Names;
}

async function examine<More extends object>(
  kind: Kind | null,
  flags: Flags & More,
  kernels: Kernels,
  progress: Progress,
  preparation: Preparation<More> | undefined,
): Promise<Examined> {
  // The reference kernel if there are both: a compiled one that fails must not keep a page from being shown.
  const plain = kernels[1] ?? kernels[0];
  progress.phase(`reading ${escapeText(flags.file)}`);
  const settings = {
    ...(kind === null ? {} : { kind }),
    ...(await readVerifyOptions(kernels, flags, await preparation?.expect?.(kernels, flags))),
    ...(await preparation?.beside?.(kernels, flags)),
  };
  const read = await readInput(flags.file, kind === "truth-package" ? MAX_PACKAGE_BYTES : MAX_INPUT_BYTES);
  refuseOther(named(flags.file), read, kind === null || kind === "truth-package");
  const bytes = (await preparation?.prepare?.(kernels, read, flags)) ?? read;
  const perMs = plain.name === "wasm" ? COMPILED_BYTES : REFERENCE_BYTES;
  progress.phase(`checking ${escapeText(flags.file)}`, bytes.length / perMs);
  const checked = await check(bytes, kernels, settings, flags.jobs);
  refuseForeign(named(flags.file), checked.report, plain, bytes);
  preparation?.refuse?.(named(flags.file), checked.report);
  const { reportOf } = preparation ?? {};
  const written = reportOf && (() => reportOf(checked.report, plain, bytes, flags));
  const names = await readNames(plain, flags.trust);
  return { checked, trust: settings.trust, names, written, kernel: plain, bytes };
}

/** Returns the paths of `--link`, by a person's word for each. */
export function linkPaths({ link = [] }: VerifyFlags): Readonly<Record<string, string>> {
  return Object.fromEntries(link.map((path, index) => [index === 0 ? "--link" : `--link (${index + 1})`, path]));
}
