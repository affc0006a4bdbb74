/**
 * The file of `--report`: the output of `--json`, whole or not at all, on every path. Without a verdict it says why. If
 * it cannot be written the run fails, so that a script never finds the report of another run.
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Json } from "@svc/core";
import { replaceFile, unwritable } from "../evidence-file/write.ts";
import { EXIT, type ExitCode, Refusal } from "../exit.ts";
import { jsonLine } from "../formats/json.ts";

/** The file of `--report` could not be written (66): nobody can read the verdict there. */
export class ReportUnwritable extends Refusal {}

/** Writes a value as one line of JSON in the place of an existing file. Throws ReportUnwritable. */
export function writeReport(path: string, value: Json): void {
  writeReportLines(path, [jsonLine(value)]);
}

/** Writes lines of JSON in the same way. */
export function writeReportLines(path: string, lines: readonly string[]): void {
  try {
    // Line by line: those of many files together are longer than the longest string.
    replaceFile(path, Buffer.concat(lines.map((line) => Buffer.from(`${line}\n`))));
  } catch (error) {
    const { message, action } = unwritable(path, error as NodeJS.ErrnoException);
    throw new ReportUnwritable(EXIT.input, `--report: ${message}`, action);
  }
}

/** The content of the file without a verdict. */
export type RefusedRun = {
  readonly error: string;
  readonly exit_code: ExitCode;
  readonly action: string;
};

/**
 * Refuses a report that would be written over a file that the call reads: evidence is never overwritten. `option` names
 * it.
 */
export function requireOtherFile(
  report: string | undefined,
  inputs: readonly (string | undefined)[],
  option: "--report" | "--html" = "--report",
): void {
  if (report === undefined) return;
  if (report === "-") {
    const advice = option === "--report" ? "Use --json." : "Give the page a name.";
    throw new Refusal(EXIT.usage, `${option} goes to a file, not to standard output.`, advice);
  }
  const place = placeOf(report);
  if (inputs.some((path) => path !== undefined && placeOf(path) === place))
    throw new ReportUnwritable(
      EXIT.usage,
      `${option} names a file that this call reads, and would write over it.`,
      "Give it another name.",
    );
}

/**
 * Returns the same place for all names of a file: links, symbolic and hard, and other ways to write its path. For a
 * missing file, the path.
 */
function placeOf(path: string): string {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return resolve(path);
  }
}
