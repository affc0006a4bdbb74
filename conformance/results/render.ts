/** The results page as Markdown: the same results give the same bytes, since it names no time. */
import type { LevelResult, Result } from "./result.ts";

/** An implementation that ran: its name, the words that repeat the run, and the result. */
export interface Ran {
  readonly name: string;
  /** The command as a reader with the kit types it, without the paths of this machine. */
  readonly repeat: string;
  readonly result: Result;
}

/** An implementation that did not run, and why. */
export interface NotRun {
  readonly name: string;
  readonly why: string;
}

/** So many failed cases of one implementation are named. */
const MAX_NAMED = 20;

/** Returns the page. Throws TypeError without a result, and for results of different case sets or runners. */
export function renderResults(ran: readonly Ran[], notRun: readonly NotRun[]): string {
  const [first] = ran;
  if (first === undefined) throw new TypeError("no implementation ran");
  const { case_set, runner } = first.result;
  for (const { name, result } of ran)
    if (result.case_set.sha256 !== case_set.sha256 || result.runner !== runner)
      throw new TypeError(`${name} was held to other cases, or by another runner, than ${first.name}`);
  const numbers = [...new Set(ran.flatMap(({ result }) => result.levels.map(({ level }) => level)))].sort();
  const lines = [
    "# Conformance results",
    "",
    `All of our own implementations, held to the ${case_set.cases} cases of the [conformance ` +
      `kit](conformance.md). \`pnpm conformance:results\``,
    "writes this page. A cell is passed / failed / unsupported; level 0 is the handshake.",
    "",
    `- Case set: SHA-256 \`${case_set.sha256}\``,
    `- Runner: ${runner}`,
    "",
    row(["implementation", "version", "kernel", ...numbers.map((level) => `level ${level}`)]),
    row(["---", "---", "---", ...numbers.map(() => "---:")]),
    ...ran.map(({ name, result }) =>
      row([name, ...identityOf(result), ...numbers.map((no) => cell(result.levels, no))]),
    ),
    "",
    ...kernelsOf(ran),
    "## Repeat it",
    "",
    "In the folder of the kit, beside the program of that release:",
    "",
    "```sh",
    ...ran.map(({ name, repeat }) => `node run.mjs --command "${repeat}"  # ${name}`),
    "```",
    "",
    ...section(
      "Failed",
      ran.flatMap(({ name, result }) => failuresOf(name, result)),
    ),
    ...section(
      "Not run",
      notRun.map(({ name, why }) => `- ${name}: ${why}`),
    ),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;
}

function identityOf({ implementation }: Result): string[] {
  if (implementation === null) return ["not said", "not said"];
  const { version, kernel_sha256 } = implementation;
  return [version ?? "not said", kernel_sha256 === null ? "reference" : `\`${kernel_sha256.slice(0, 12)}\``];
}

function cell(levels: readonly LevelResult[], number: number): string {
  const level = levels.find((one) => one.level === number);
  return level === undefined ? "" : `${level.passed} / ${level.failed} / ${level.unsupported}`;
}

/** Returns the whole hash of each kernel that the table names by its beginning. */
function kernelsOf(ran: readonly Ran[]): string[] {
  const hashes = new Set(ran.flatMap(({ result }) => result.implementation?.kernel_sha256 ?? []));
  return hashes.size === 0 ? [] : [...[...hashes].sort().map((hash) => `- Kernel: SHA-256 \`${hash}\``), ""];
}

function failuresOf(name: string, { failures }: Result): string[] {
  if (failures.length === 0) return [];
  const more = failures.length - MAX_NAMED;
  const named = failures.slice(0, MAX_NAMED).map((one) => `\`${one.name}\``);
  return [`- ${name}: ${named.join(", ")}${more > 0 ? `, and ${more} more` : ""}`];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, "", ...lines, ""];
}
