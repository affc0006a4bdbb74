/** `svc verify`: verifies named files of any kind: one file gives a report, many give a table. */
import process from "node:process";
import { VERSION } from "@svc/core";
import { counted } from "@svc/report";
import { Command } from "commander";
import { jsonLine } from "../formats/json.ts";
import { FORMATTERS, type Format, formatOf } from "../formats/list.ts";
import { isStandardInput } from "../input.ts";
import { openBothKernels, openKernel } from "../kernel.ts";
import { printLines } from "../output.ts";
import { painter, wantsColor } from "../render/color.ts";
import { readNames } from "../trust/names.ts";
import { linkPaths, verifyFile } from "./file.ts";
import type { Kernels } from "./kernels.ts";
import type { Checked } from "./many/check.ts";
import { checkAll } from "./many/files.ts";
import { isOneFile, namedBy } from "./many/names.ts";
import { notLookedAtLines } from "./many/not-looked-at.ts";
import { exitCodeOfAll, pageOf } from "./many/page.ts";
import { forkLine, forksAmong } from "./many/together.ts";
import { readVerifyOptions, requireOneStandardInput, type VerifyFlags, withVerifyOptions } from "./options.ts";
import { verifyPackageSubcommand } from "./package.ts";
import { verifyPageSubcommand } from "./page.ts";
import { verifyFileSubcommand } from "./portable.ts";
import { Progress } from "./progress.ts";
import { requireOtherFile, writeReportLines } from "./report-file.ts";

/** Returns the command. Options behind `file`, `truth-package` and `page` belong to these subcommands. */
export function verifyCommand(): Command {
  return withVerifyOptions(new Command("verify"))
    .description("Verify files of any kind on this machine alone; no connection is opened.")
    .argument(
      "<anything...>",
      "files, folders (all *.json, *.zip, *.tlog-proof in them), patterns; - for standard input",
    )
    .addHelpText("after", "\nOne file gives its report; anything else a table with a line for each file.")
    .addHelpText("after", "What else is in a folder is named in the last line.")
    .addHelpText("after", "With several files, --json and --report hold a line for each file.")
    .addHelpText("after", "\nExample:\n  svc verify *.bundle.json --trust acme.trust.json")
    .addHelpText("after", "\nExit codes: 0 verified, 1 rejected, 2 untrusted, 64 wrong call, 66 a file that")
    .addHelpText("after", "cannot be read or is no evidence at all, or a --report that cannot be written,")
    .addHelpText("after", "70 an error of svc itself. Of many files: 1 before 66 before 2.")
    .addHelpText("after", "A fork under your trust ends with 1 too: two files that show it, or one that")
    .addHelpText("after", "is evidence of it. (svc forks verify says whether such evidence holds: 0.)")
    .enablePositionalOptions()
    .addCommand(verifyFileSubcommand())
    .addCommand(verifyPackageSubcommand())
    .addCommand(verifyPageSubcommand())
    .action(verifyAnything);
}

async function verifyAnything(args: readonly string[], flags: VerifyFlags): Promise<void> {
  const [only = "", ...more] = args;
  await (more.length === 0 && isOneFile(only) ? verifyFile(null, { ...flags, file: only }) : verifyMany(args, flags));
}

async function verifyMany(args: readonly string[], flags: VerifyFlags): Promise<void> {
  const { report, quiet, jobs, trust, quorum, link = [] } = flags;
  const own = { "--trust": trust, "--quorum": quorum, ...linkPaths(flags) };
  requireOneStandardInput({ "-": args.find(isStandardInput), ...own });
  const startedAt = performance.now();
  const kernels: Kernels = flags.crossCheck ? openBothKernels() : [openKernel(flags.kernel)];
  const settings = await readVerifyOptions(kernels, flags);
  const names = await readNames(kernels.at(-1) ?? kernels[0], trust);
  const { named, notLookedAt } = await namedBy(args, trust);
  requireOtherFile(report, [...named.map(({ file }) => file), trust, quorum, ...link]);
  const progress = new Progress(!quiet);
  progress.phase(`checking ${counted(named.length, "file")}`);
  const format = formatOf(flags);
  const formatter = FORMATTERS[format];
  const all: Checked[] = [];
  const reported: string[] = [];
  try {
    // The file of `--report` is always JSON.
    const formats = [...new Set<Format>(report === undefined ? [format] : [format, "json"])];
    for await (const checked of checkAll(named, kernels, { settings, formats }, jobs)) {
      const { lines = {}, ...rest } = checked;
      const line = lines[format];
      if (line !== undefined) printLines([line]);
      if (report !== undefined && lines.json !== undefined) reported.push(lines.json);
      all.push(rest);
    }
  } finally {
    progress.end();
  }
  const forks = await forksAmong(kernels.at(-1) ?? kernels[0], all, settings);
  const told = forks.map(forkLine);
  const passedOver = notLookedAt.map((file) => ({ file, not_looked_at: true }));
  const { line } = formatter;
  if (line !== null) printLines([...told, ...passedOver].map(line));
  const seconds = (performance.now() - startedAt) / 1000;
  const paint = painter(wantsColor(flags.color, process.stdout.isTTY === true, process.env));
  const page = () => [
    ...pageOf(all, forks, seconds, `${nameOf(kernels)}, svc ${VERSION}`, paint, names),
    ...notLookedAtLines(notLookedAt),
  ];
  printLines(formatter.end(page));
  if (report !== undefined) writeReportLines(report, [...reported, ...[...told, ...passedOver].map(jsonLine)]);
  process.exitCode = exitCodeOfAll(
    all.map(({ verdict }) => verdict),
    forks,
  );
}

function nameOf([{ sha256Hex }, other]: Kernels): string {
  if (other !== undefined) return "cross-checked by both kernels";
  return `kernel ${sha256Hex === null ? "reference" : `${sha256Hex.slice(0, 16)}…`}`;
}
