/**
 * `svc bundles continuity`: says whether bundles of one stream are in a row, each verified first under the same trust
 * policy.
 */
import process from "node:process";
import { type Kernel, type Report, type TrustPolicy, type Verdict, verify } from "@svc/core";
import { type BundleLink, type Continuity, examineContinuity, linkOf } from "@svc/core/continuity";
import { counted, escapeText, VERDICTS } from "@svc/report";
import { Command } from "commander";
import { openBundle } from "../evidence-file/open.ts";
import { shellWord } from "../evidence-file/shell-word.ts";
import { withTrustOptions } from "../evidence-file/trust-options.ts";
import { EXIT, exitCodeOf, Refusal } from "../exit.ts";
import { openKernel } from "../kernel.ts";
import { printLines } from "../output.ts";
import { type Row, table } from "../render/table.ts";
import { wrap } from "../render/text.ts";
import { readTrust, type TrustOptions } from "../trust.ts";

const INDENT = { first: "  ", rest: "  " };
const NOT_SHOWN =
  "It does not show that what the events say is true, nor that the stream ends where the last bundle does.";

interface Checked {
  readonly file: string;
  readonly report: Report;
  /** Null for a bundle that is rejected. */
  readonly link: BundleLink | null;
}

/** Returns the command. */
export function continuityCommand(): Command {
  return withTrustOptions(new Command("continuity"))
    .description("Verify bundles of one stream, and that nothing is missing or told twice between them.")
    .argument("<files...>", "the bundles, in any order")
    .addHelpText(
      "after",
      "\nExample:\n  svc bundles continuity march.bundle.json april.bundle.json --trust acme.trust.json",
    )
    .addHelpText("after", "\nExit codes: 0 verified and in a row, 1 rejected or not in a row, 2 untrusted,")
    .addHelpText("after", "64 wrong call, 66 a file that cannot be read, 70 an error of svc itself.")
    .action(examineFiles);
}

async function examineFiles(files: readonly string[], options: TrustOptions): Promise<void> {
  if (files.includes("-"))
    throw new Refusal(EXIT.usage, "Bundles in a row are read from files, not from standard input.", "Name each file.");
  const kernel = openKernel();
  const trust = await readTrust([kernel], options);
  const checked: Checked[] = [];
  // Memory holds one bundle at a time; its link is small.
  for (const file of files) checked.push(await check(kernel, file, trust));
  const links = checked.flatMap(({ link }) => (link === null ? [] : [link]));
  // A rejected bundle says nothing that others could be compared with.
  const row = links.length < checked.length ? null : examineContinuity(kernel, links);
  const verdict = verdictOf(checked, row);
  printLines(page(checked, row, verdict));
  process.exitCode = exitCodeOf(verdict);
}

async function check(kernel: Kernel, file: string, trust: TrustPolicy | undefined): Promise<Checked> {
  const { bundle, file: opened } = await openBundle(kernel, file);
  // Remembered checkpoints are of no concern: what is in a row is compared with each other.
  const { known_checkpoints: _, ...own } = trust ?? { signers: [] };
  const report = verify(opened.bytes, { kind: "bundle", kernel, ...(trust === undefined ? {} : { trust: own }) });
  return { file, report, link: report.verdict === "rejected" ? null : linkOf(kernel, bundle) };
}

function verdictOf(checked: readonly Checked[], row: Continuity | null): Verdict {
  if (row === null || !row.continuous) return "rejected";
  return checked.some(({ report }) => report.verdict === "untrusted") ? "untrusted" : "verified";
}

function page(checked: readonly Checked[], row: Continuity | null, verdict: Verdict): string[] {
  const { word } = VERDICTS[verdict];
  return [
    ...wrap(answer(checked, row, verdict), { first: word.padEnd(11), rest: " ".repeat(11) }),
    "",
    ...table([["file", "verdict", "windows", "events"], ...inOrder(checked, row).map(rowOf)]),
    ...(row === null ? rejections(checked) : breaks(checked, row)),
    ...(verdict === "untrusted" ? distrust(checked) : []),
    ...(verdict === "rejected" ? [] : ["", ...wrap(NOT_SHOWN, INDENT)]),
  ];
}

function answer(checked: readonly Checked[], row: Continuity | null, verdict: Verdict): string {
  if (row === null) return "not every bundle holds, so they were not compared with each other";
  const [first] = row.links;
  const to = Math.max(...row.links.map(({ to_seq_no }) => to_seq_no));
  const range = `events ${first?.from_seq_no} to ${to} of ${first?.stream_id}`;
  const bundles = counted(checked.length, "bundle");
  if (!row.continuous)
    return `${bundles}, each of which holds, are not in a row: ${counted(row.breaks.length, "break")}`;
  const whole = `${range}, in ${bundles}: no gap, and each extends the one before`;
  return verdict === "verified" ? whole : `${whole}; but your trust does not reach every signer`;
}

/** Returns the bundles in the order of the stream if that is known, else in the order of the call. */
function inOrder(checked: readonly Checked[], row: Continuity | null): readonly Checked[] {
  return row === null ? checked : row.links.flatMap((link) => checked.filter((one) => one.link === link));
}

function rowOf({ file, report, link }: Checked): Row {
  const windows = link === null ? "?" : `${link.first_window} to ${link.last_window}`;
  const { from_seq_no: from, to_seq_no: to } = report.subject;
  return [escapeText(file), report.verdict, windows, from === undefined ? "?" : `${from} to ${to}`];
}

function rejections(checked: readonly Checked[]): string[] {
  const rejected = checked.filter(({ report }) => report.verdict === "rejected");
  return rejected.flatMap(({ file, report }) => {
    const [problem] = report.problems;
    const name = escapeText(file);
    return [
      "",
      ...wrap(`✗ ${problem?.code}: ${name} at ${escapeText(problem?.path || "/")}`, INDENT),
      `    svc bundles offline-verify ${shellWord(file)}`,
    ];
  });
}

function breaks(checked: readonly Checked[], { links, breaks: found }: Continuity): string[] {
  const fileAt = (place: number) => checked.find(({ link }) => link === links[place])?.file ?? "";
  return found.flatMap(({ code, earlier, later, message }) => {
    const [a, b] = [fileAt(earlier), fileAt(later)];
    const action =
      code === "range_incomplete"
        ? ["    Ask the service for the bundle in between."]
        : [
            ...wrap("Keep both files. For proof of it that others can check:", { first: "    ", rest: "    " }),
            `    svc forks find ${shellWord(a)} ${shellWord(b)} --out fork.json`,
          ];
    return [
      "",
      ...wrap(`✗ ${code}: between ${escapeText(a)} and ${escapeText(b)}`, INDENT),
      ...wrap(escapeText(message), { first: "    ", rest: "    " }),
      ...action,
    ];
  });
}

function distrust(checked: readonly Checked[]): string[] {
  const files = checked.filter(({ report }) => report.verdict === "untrusted").map(({ file }) => escapeText(file));
  const text =
    `Untrusted: ${files.join(", ")}. Give the key with --public-key-hex, or a trust file with --trust; ` +
    `offline-verify says whose key it is.`;
  return ["", ...wrap(text, INDENT)];
}
