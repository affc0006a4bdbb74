/**
 * The text for a person about many files: a line for each, the faults of the bad ones, then the count of each result.
 * All texts are escaped here.
 */
import type { Reached, Verdict } from "@svc/core";
import {
  counted,
  escapeText,
  fewOf,
  forkSentence,
  grouped,
  nameOf as nameOfKey,
  PROOF_WORDS,
  shorten,
  type Tone,
  VERDICTS,
} from "@svc/report";
import type { NoVerdict } from "../../evidence-file/not-evidence.ts";
import { shellWord } from "../../evidence-file/shell-word.ts";
import { EXIT, type ExitCode, exitCodeOf } from "../../exit.ts";
import type { Paint } from "../../render/color.ts";
import { wrap } from "../../render/text.ts";
import type { Names } from "../../trust/names.ts";
import type { Checked } from "./check.ts";
import { type Fork, isProvenFork } from "./together.ts";

type Outcome = Checked["verdict"];

const WITHOUT_VERDICT: readonly NoVerdict[] = ["unreadable", "not checked", "no evidence"];
/** From the worst to the best, by protocol section 16 for the exit code of several files. */
const ORDER: readonly Outcome[] = ["rejected", ...WITHOUT_VERDICT, "untrusted", "verified"];
const HEAD = ["verdict", "kind", "subject", "file"] as const;
/** The words before and behind the name of a key. A file can name any; without the key nothing was checked. */
const REACHED: Readonly<Record<Reached, readonly [before: string, after: string]>> = {
  pinned: ["Sealed by", "which you pinned"],
  endorsed: ["Sealed by", "which a key that you pinned endorses"],
  none: ["In the name of", "which your trust does not reach"],
};
/** So many forks are shown; `--json` lists all. */
const SHOWN_FORKS = 10;
const PLAIN = { first: "", rest: "" };

/** Returns the exit code of many files: that of the worst, where a fork that trust reaches counts as rejected. */
export function exitCodeOfAll(outcomes: Iterable<Outcome>, forks: readonly Fork[]): ExitCode {
  const all = new Set(outcomes);
  if (forks.some(({ reached }) => reached)) all.add("rejected");
  const worst = ORDER.find((outcome) => all.has(outcome)) ?? "verified";
  return isVerdict(worst) ? exitCodeOf(worst) : EXIT.input;
}

/**
 * Returns the page. Only names of files may make its lines longer than 80 columns: a name that is cut cannot be copied.
 */
export function pageOf(
  all: readonly Checked[],
  forks: readonly Fork[],
  seconds: number,
  how: string,
  paint: Paint,
  names: Names = {},
): string[] {
  return [
    ...table(all, paint),
    "",
    ...faults(all, paint),
    ...forks.slice(0, SHOWN_FORKS).flatMap((fork) => forkLines(fork, paint)),
    ...(forks.length > SHOWN_FORKS ? [`And ${grouped(forks.length - SHOWN_FORKS)} more, which --json lists.`, ""] : []),
    ...signers(all, names),
    ...totals(all, forks),
    "",
    ...wrap(footer(all, forks, seconds, how), PLAIN),
  ];
}

function table(all: readonly Checked[], paint: Paint): string[] {
  const rows = all.map((one) => {
    const cells = "refused" in one ? ["-", "-"] : [one.kind ?? "?", one.id ?? "-"];
    return { one, cells: [wordOf(one), ...cells.map(escapeText)] };
  });
  const widths = HEAD.slice(0, 3).map((name, column) =>
    rows.reduce((most, { cells }) => Math.max(most, cells[column]?.length ?? 0), name.length),
  );
  const padded = (cells: readonly string[]) => cells.map((cell, column) => `${cell.padEnd(widths[column] ?? 0)}  `);
  const lines = rows.map(({ one, cells }) => {
    const [word = "", ...others] = padded(cells);
    return paint(toneOf(one), word.trimEnd()) + word.slice(word.trimEnd().length) + others.join("") + nameOf(one);
  });
  return [padded(HEAD.slice(0, 3)).join("") + HEAD[3], ...lines];
}

/**
 * Returns a line for each file that is rejected or has no verdict: the reason in a sentence, and behind it the code.
 * The same advice is given once.
 */
function faults(all: readonly Checked[], paint: Paint): string[] {
  const advised = new Set<string>();
  const lines = all.flatMap((one): string[] => {
    const fault = faultOf(one, advised);
    if (fault === null) return [];
    const tone = toneOf(one);
    // Nobody is to blame for a file that is no evidence.
    const mark = tone === "bad" ? "✗" : "○";
    const [first = "", ...rest] = wrap(fault, { first: `${mark} `, rest: "  " });
    return [paint(tone, mark) + first.slice(1), ...rest];
  });
  return lines.length === 0 ? [] : [...lines, ""];
}

function faultOf(one: Checked, advised: Set<string>): string | null {
  if ("refused" in one) {
    const { message, action } = one.refused;
    const isNew = one.verdict !== "unreadable" && !advised.has(action);
    advised.add(action);
    return escapeText(isNew ? `${message} ${action}` : message);
  }
  if (one.verdict !== "rejected" || one.problem === undefined) return null;
  const { sentence, code, path, count } = one.problem;
  const place = path === "" ? "" : ` at ${shorten(escapeText(path))}`;
  return `${nameOf(one)}: ${sentence} (${code}${place}${count > 1 ? `, and ${grouped(count - 1)} more` : ""})`;
}

/**
 * Returns the signers: a line for each key; with the files, if there are several keys. A rejected file says of nobody
 * that they sealed it, and one that is not trusted not of those whom trust reaches: they may have sealed a part alone.
 */
function signers(all: readonly Checked[], names: Names): string[] {
  const files = new Map<string, Checked[]>();
  for (const one of all) {
    if (!("signers" in one) || one.verdict === "rejected") continue;
    for (const { kid, reached } of one.signers) {
      if (one.verdict === "untrusted" && reached !== "none") continue;
      const [before, after] = REACHED[reached];
      const words = `${before} ${nameOfKey(kid, { trust: undefined, names })}, ${after}`;
      const sealed = files.get(words);
      if (sealed === undefined) files.set(words, [one]);
      else sealed.push(one);
    }
  }
  const lines = [...files].flatMap(([words, sealed]) => {
    const which = files.size === 1 ? counted(sealed.length, "file") : fewOf(sealed.map(nameOf));
    return wrap(`${words}: ${which}.`, {
      first: "",
      rest: "  ",
    });
  });
  return lines.length === 0 ? [] : [...lines, ""];
}

function totals(all: readonly Checked[], forks: readonly Fork[]): string[] {
  const proven = all.filter(isProvenFork).length;
  const counts = ORDER.toReversed().flatMap((outcome) => {
    const count = all.filter((one) => one.verdict === outcome && !isProvenFork(one)).length;
    return count === 0 ? [] : [`${grouped(count)} ${outcome}`];
  });
  if (proven > 0) counts.push(`${grouped(proven)} evidence of a fork`);
  const pin = all.some(({ verdict }) => verdict === "untrusted")
    ? " Untrusted means that no fault was found, and that your trust does not suffice: mostly it does not reach the " +
      "signer, and then anybody could have made the file. svc verify of that file alone says what is missing."
    : "";
  const streams = new Set(forks.filter(({ place }) => place !== undefined).map(({ stream_id }) => stream_id)).size;
  const told = streams === 0 ? "" : ` Two histories of ${counted(streams, "stream")} are among them.`;
  return [
    ...wrap(`${counted(all.length, "file")}: ${counts.join(", ")}.${told}${pin}`, PLAIN),
    ...wrap(
      "Each verdict is on its file alone. Files of one stream were compared too: that finds two histories only " +
        "where files show the same place. Of one file, svc verify says what its verdict shows and what not.",
      PLAIN,
    ),
  ];
}

/** Returns the lines about a fork: what contradicts what, and how to prove it to others. */
function forkLines({ files, more, place, proof, unchecked, ...fork }: Fork, paint: Paint): string[] {
  const names = (paths: readonly string[]) => paths.map((file) => nameOf({ file }));
  const told = {
    ...fork,
    names: names(files),
    more: names(more),
    unchecked: names(unchecked),
    ...(place === undefined ? {} : { place }),
  };
  const [first = "", ...rest] = wrap(forkSentence(told), { first: "▲ ", rest: "  " });
  const said = [paint("bad", "▲") + first.slice(1), ...rest];
  if (place === undefined) return [...said, ""];
  const [left = "", right = ""] = files;
  const how =
    proof === null
      ? wrap(PROOF_WORDS.unproven, { first: "  ", rest: "  " })
      : [`  ${PROOF_WORDS.provable}`, `    svc forks find ${shellWord(left)} ${shellWord(right)} --out fork.json`];
  return [...said, ...how, ""];
}

function footer(all: readonly Checked[], forks: readonly Fork[], seconds: number, how: string): string {
  const time = seconds < 0.05 ? "under 0.1 s" : `${seconds.toFixed(1)} s`;
  const isGood = forks.length === 0 && all.every(({ verdict }) => verdict === "verified");
  const done = isGood ? "verified" : "checked";
  return `${done} in ${time}, offline, ${how}`;
}

function wordOf(one: Checked): string {
  const outcome = one.verdict;
  if (isProvenFork(one)) return "FORK";
  return isVerdict(outcome) ? VERDICTS[outcome].word : outcome.toUpperCase();
}

function isVerdict(outcome: Outcome): outcome is Verdict {
  return Object.hasOwn(VERDICTS, outcome);
}

function toneOf(one: Checked): Tone {
  const outcome = one.verdict;
  if (isProvenFork(one)) return "bad";
  return isVerdict(outcome) ? VERDICTS[outcome].tone : outcome === "unreadable" ? "bad" : "warn";
}

function nameOf({ file }: Pick<Checked, "file">): string {
  return file === "-" ? "standard input" : escapeText(file);
}
