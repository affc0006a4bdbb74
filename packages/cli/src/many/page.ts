/**
 * What a person reads of many files: a line for each, what is wrong with the bad ones, then how many are what. All texts are escaped here.
 */
import type { Verdict } from "@svc/core";
import { counted, escapeText, grouped, shorten, type Tone, VERDICTS } from "@svc/report";
import { EXIT, type ExitCode, exitCodeOf } from "../exit.ts";
import type { Paint } from "../render/color.ts";
import { wrap } from "../render/text.ts";
import type { Checked } from "./check.ts";

type Outcome = Checked["verdict"];

/** From the worst to the best, as protocol section 16 has it for the exit code of several files. */
const ORDER: readonly Outcome[] = ["rejected", "unreadable", "untrusted", "verified"];
const HEAD = ["verdict", "kind", "subject", "file"] as const;
const PLAIN = { first: "", rest: "" };

/** The exit code of many files: that of the worst. */
export function exitCodeOfAll(outcomes: Iterable<Outcome>): ExitCode {
  const all = new Set(outcomes);
  const worst = ORDER.find((outcome) => all.has(outcome)) ?? "verified";
  return worst === "unreadable" ? EXIT.input : exitCodeOf(worst);
}

/** The page. Only names of files may make its lines longer than 80 columns: a name that is cut cannot be copied. */
export function pageOf(all: readonly Checked[], seconds: number, how: string, paint: Paint): string[] {
  return [
    ...table(all, paint),
    "",
    ...faults(all, paint),
    ...totals(all),
    "",
    ...wrap(footer(all, seconds, how), PLAIN),
  ];
}

function table(all: readonly Checked[], paint: Paint): string[] {
  const rows = all.map((one) => {
    const isRead = one.verdict !== "unreadable";
    const cells = [wordOf(one.verdict), isRead ? (one.kind ?? "?") : "-", isRead ? (one.id ?? "-") : "-"];
    return { one, cells: cells.map(escapeText) };
  });
  const widths = HEAD.slice(0, 3).map((name, column) =>
    rows.reduce((most, { cells }) => Math.max(most, cells[column]?.length ?? 0), name.length),
  );
  const padded = (cells: readonly string[]) => cells.map((cell, column) => `${cell.padEnd(widths[column] ?? 0)}  `);
  const lines = rows.map(({ one, cells }) => {
    const [word = "", ...others] = padded(cells);
    return (
      paint(toneOf(one.verdict), word.trimEnd()) + word.slice(word.trimEnd().length) + others.join("") + nameOf(one)
    );
  });
  return [padded(HEAD.slice(0, 3)).join("") + HEAD[3], ...lines];
}

/** A line for each file that is rejected or cannot be read: the code and the place of its first problem, or why it cannot. */
function faults(all: readonly Checked[], paint: Paint): string[] {
  const lines = all.flatMap((one): string[] => {
    const fault = faultOf(one);
    if (fault === null) return [];
    const [first = "", ...rest] = wrap(fault, { first: "✗ ", rest: "  " });
    return [paint("bad", "✗") + first.slice(1), ...rest];
  });
  return lines.length === 0 ? [] : [...lines, ""];
}

function faultOf(one: Checked): string | null {
  if (one.verdict === "unreadable") return escapeText(one.refused.message);
  if (one.verdict !== "rejected" || one.problem === undefined) return null;
  const { code, path, count } = one.problem;
  const place = path === "" ? "" : ` at ${shorten(escapeText(path))}`;
  return `${nameOf(one)}: ${code}${place}${count > 1 ? ` (and ${grouped(count - 1)} more)` : ""}`;
}

function totals(all: readonly Checked[]): string[] {
  const counts = ORDER.toReversed().flatMap((outcome) => {
    const count = all.filter(({ verdict }) => verdict === outcome).length;
    return count === 0 ? [] : [`${grouped(count)} ${outcome}`];
  });
  const pin = all.some(({ verdict }) => verdict === "untrusted")
    ? " Untrusted means that nothing is wrong, but your trust does not reach the signer: svc verify of that file alone says whose key it is."
    : "";
  const forks = all.filter((one) => one.verdict === "verified" && one.kind === "fork").length;
  const told = `${counted(forks, "file")} verified of the kind fork: each proves that two histories were told.`;
  return [
    ...wrap(`${counted(all.length, "file")}: ${counts.join(", ")}.${pin}`, PLAIN),
    // A good verdict that is bad news.
    ...(forks === 0 ? [] : wrap(told, PLAIN)),
    ...wrap(
      "Each verdict is on its file alone: none was compared with another. Of one file, svc verify says what its verdict shows and what not.",
      PLAIN,
    ),
  ];
}

function footer(all: readonly Checked[], seconds: number, how: string): string {
  const time = seconds < 0.05 ? "under 0.1 s" : `${seconds.toFixed(1)} s`;
  const done = all.every(({ verdict }) => verdict === "verified") ? "verified" : "checked";
  return `${done} in ${time}, offline, ${how}`;
}

function wordOf(outcome: Outcome): string {
  return outcome === "unreadable" ? "UNREADABLE" : VERDICTS[outcome].word;
}

function toneOf(outcome: Outcome): Tone {
  return outcome === "unreadable" ? "bad" : VERDICTS[outcome satisfies Verdict].tone;
}

function nameOf({ file }: Checked): string {
  return file === "-" ? "standard input" : escapeText(file);
}
