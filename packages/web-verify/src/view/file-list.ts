/** The result of each file, if there are several, or one that is no evidence. */
import { MEANINGS, type Verdict } from "@svc/core";
import {
  counted,
  el,
  escapeText,
  grouped,
  MARKS,
  NOT_CHECKED,
  nounOf,
  OTHER_FORMATS,
  type OtherFormat,
  type Part,
  shorten,
  type Tone,
  tableOf,
  VERDICTS,
} from "@svc/report";
import type { FoundFork, Outcome } from "../engine/messages.ts";
import { mount } from "./mount.ts";

const FORK = "FORK";
/** The way to proof that the page cannot make. */
export const ELSEWHERE = "svc forks find, with both files, looks for proof that convinces others.";
const CHECK_FILE = "Check that it is the file you meant.";
const UNPACK = "Unpack it first, and drop what is inside.";
const ITSELF = "Ask for the evidence itself: a document about it cannot be verified.";
const WHOLE = "Check the bundle or the portable receipt that it is from.";
const ORIGINAL = "Ask for the original file.";
const KEY_BELOW = "A public key in hex goes into the field for keys.";
const DROP_NAMES = "not used: drop the trust file beside it";
const OWN_TRUST = "It must be your own: from the sender of the evidence it proves nothing.";
const DROP_BOTH = "Drop it together with the one receipt that it belongs to.";
const LACKS_SALT = "If it is the receipt's payload, give its salt below.";
/** For any other format the advice is to look whether it is the right file. */
const ACTIONS: Readonly<Partial<Record<OtherFormat, string>>> = {
  empty: "Check that it was downloaded whole.",
  gzip: UNPACK,
  zstd: UNPACK,
  xz: UNPACK,
  bzip2: UNPACK,
  "7z": UNPACK,
  pdf: ITSELF,
  image: ITSELF,
  word: ITSELF,
  office: ITSELF,
  tar: UNPACK,
  "other-zip": "If evidence is in it, unpack it, and drop that.",
  mail: "Save its attachment, and drop that.",
  base64: "Decode it first.",
  "tlog-proof": WHOLE,
  list: WHOLE,
  note: WHOLE,
  "json-lines": "Put each line into its own file, and drop these.",
  "json-array": "Put each object into its own file, and drop these.",
  "package-part": "Its parts hold only together: drop the whole archive.",
  csv: "If it is from a truth package, drop that.",
  "utf-32": ORIGINAL,
  "utf-16": ORIGINAL,
  "byte-order-mark": ORIGINAL,
  html: "A server may have sent a login page in its place. Download it again.",
  "private-key": "Keep it secret: no verifier needs it. Nothing of it was kept or shown.",
  pem: KEY_BELOW,
  hex: KEY_BELOW,
  "verifier-key": KEY_BELOW,
};

/**
 * Returns the list; `open` is called with the index of the file to show, and `prove` with a fork whose proof is wanted.
 */
export function fileList(
  outcomes: readonly Outcome[],
  forks: readonly FoundFork[],
  shown: number | null,
  open: (index: number) => void,
  prove: (fork: FoundFork, button: HTMLElement) => void,
): HTMLElement {
  // The worst comes first; equals keep their given order.
  const sorted = [...outcomes.entries()].toSorted(([, a], [, b]) => rankOf(a) - rankOf(b));
  const rows = sorted.map(([index, outcome]) => row(outcome, index, index === shown));
  const isLong = rows.length > SHOWN_FILES && sorted.findIndex(([index]) => index === shown) < SHOWN_FILES;
  const root = mount(
    el(
      "section",
      { id: "files", "aria-labelledby": "files-title" },
      el("h2", { id: "files-title", tabindex: "-1" }, "Files"),
      ...forks.slice(0, SHOWN_FORKS).map(forkPart),
      forks.length > SHOWN_FORKS ? el("p", {}, `And ${grouped(forks.length - SHOWN_FORKS)} more.`) : null,
      note(outcomes, forks),
      tableOf(["file", "verdict", "what it is"], rows, { class: "blocks" }, { class: isLong ? "few" : "" }),
      isLong ? el("button", { type: "button" }, `Show all ${counted(rows.length, "file")}`) : null,
    ),
  ) as HTMLElement;
  for (const button of root.querySelectorAll<HTMLButtonElement>("td button"))
    button.addEventListener("click", () => open(Number(button.value)));
  const provable = forks.filter(isProvableHere);
  for (const [index, button] of root.querySelectorAll<HTMLElement>(".fork button").entries())
    button.addEventListener("click", () => prove(provable[index] as FoundFork, button));
  const all = root.querySelector("table + button");
  all?.addEventListener("click", () => {
    root.querySelector(".few")?.classList.remove("few");
    all.remove();
    root.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
  });
  return root;
}

/** Returns the words about a fork, with a button for proof where two files show it. */
function forkPart(fork: FoundFork): Part {
  const button = el("button", { type: "button" }, "Save proof that convinces others");
  return el(
    "div",
    { class: "fork", role: "alert" },
    el("p", {}, el("span", { class: "mark bad" }, `▲ ${FORK}`), ` ${fork.words}`),
    fork.place === undefined || !fork.isChecked ? null : el("p", {}, isProvableHere(fork) ? button : ELSEWHERE),
  );
}

/** Says whether two files whose signatures hold differ at an event: they may both hold its receipt. */
function isProvableHere({ place, isChecked }: FoundFork): boolean {
  return place !== undefined && "seq_no" in place && isChecked;
}

/** So many forks are shown: the maker of the files decides how many there are. */
const SHOWN_FORKS = 10;

/** A longer list begins with this many files; the style has the same number. */
const SHOWN_FILES = 20;

/**
 * From the worst to the best: the order of the list, and the groups in which files are counted. The last group is no
 * more than half trusted.
 */
const LOOKS = [
  { verdict: "rejected", tone: "bad", isFork: false, words: VERDICTS.rejected.word },
  { verdict: "verified", tone: "good", isFork: true, words: FORK },
  { verdict: "untrusted", tone: "warn", isFork: false, words: VERDICTS.untrusted.word },
  {
    verdict: "verified",
    tone: "warn",
    isFork: false,
    words: `${VERDICTS.verified.word} under the key that came with the link`,
  },
  { verdict: "verified", tone: "good", isFork: false, words: VERDICTS.verified.word },
] as const satisfies readonly Look[];

interface Look {
  readonly verdict: Verdict;
  readonly tone: Tone;
  /** Whether it is evidence of a fork that holds: a good verdict that is bad news. */
  readonly isFork: boolean;
  readonly words: string;
}

function looksSo(outcome: Outcome, { verdict, tone, isFork }: Look): boolean {
  if (outcome.role !== "evidence") return false;
  const own = outcome.verdict === "verified" && outcome.tone === "good" && outcome.kind === "fork";
  return outcome.verdict === verdict && outcome.tone === tone && own === isFork;
}

function placesOf(outcomes: readonly Outcome[], look: Look): number[] {
  return outcomes.flatMap((outcome, place) => (looksSo(outcome, look) ? [place] : []));
}

/** Files without a verdict come after rejected files, and helping files come last. */
function rankOf(outcome: Outcome): number {
  switch (outcome.role) {
    case "evidence": {
      const rank = LOOKS.findIndex((look) => looksSo(outcome, look));
      return rank === 0 ? 0 : rank + 2;
    }
    case "unreadable":
      return 1;
    case "other":
      return 2;
    case "trust":
      return outcome.fault === null ? 9 : 1;
    case "names":
      return outcome.isUsed ? 9 : 2;
    case "payload":
      return outcome.lacksSalt ? 2 : 9;
  }
}

/** Returns the index of the first file with the worst verdict; null if none has a verdict. */
export function worstOf(outcomes: readonly Outcome[]): number | null {
  return LOOKS.flatMap((look) => placesOf(outcomes, look))[0] ?? null;
}

/** Returns the results in a sentence: the verdict of one file, or the number of files with each verdict. */
export function summaryOf(outcomes: readonly Outcome[], forks: readonly FoundFork[]): string {
  const counts = LOOKS.flatMap((look) => {
    const count = placesOf(outcomes, look).length;
    return count === 0 ? [] : [outcomes.length === 1 ? look.words : `${grouped(count)} ${look.words}`];
  });
  const others = outcomes.filter(({ role }) => role !== "evidence").length;
  const said = [...counts, ...(others === 0 ? [] : [`${grouped(others)} without a verdict`])].join(", ");
  if (outcomes.length === 1) return `Checked: ${said}.`;
  const streams = new Set(forks.filter(({ place }) => place !== undefined).map(({ stream_id }) => stream_id)).size;
  const told = streams === 0 ? "" : ` Two histories of ${counted(streams, "stream")} are among them.`;
  return `${counted(outcomes.length, "file")}: ${said}.${told}`;
}

function note(outcomes: readonly Outcome[], forks: readonly FoundFork[]): Part | null {
  const count = outcomes.filter(({ role }) => role === "evidence").length;
  if (count < 2) return null;
  return el(
    "p",
    {},
    `${summaryOf(outcomes, forks)} Each verdict is on its file alone. Files of one stream were compared where they ` +
      `show the same place. Choose a file to see why.`,
  );
}

function row(outcome: Outcome, index: number, isShown: boolean): Part {
  const name = shorten(escapeText(outcome.name));
  const [verdict, what] = cells(outcome);
  const button = el(
    "button",
    { type: "button", class: "link", value: `${index}`, "aria-current": isShown ? "true" : undefined },
    name,
  );
  const label = outcome.role === "evidence" ? button : name;
  return el("tr", { "data-file": `${index}` }, el("td", {}, label), el("td", {}, ...verdict), el("td", {}, ...what));
}

function cells(outcome: Outcome): readonly [readonly Part[], readonly Part[]] {
  switch (outcome.role) {
    case "evidence": {
      const { word } = VERDICTS[outcome.verdict];
      const { problem } = outcome;
      const isFork = looksSo(outcome, LOOKS[1]);
      const tone = isFork ? "bad" : outcome.tone;
      const kind = outcome.kind === null ? "of no known kind" : nounOf(outcome.kind);
      const why =
        outcome.verdict === "rejected" && problem !== null
          ? el("p", {}, MEANINGS[problem], " ", el("code", {}, problem))
          : el("p", {}, outcome.signers);
      const mark = isFork ? `▲ ${FORK}` : `${MARKS[tone]} ${word}`;
      return [[el("span", { class: `mark ${tone}` }, mark)], [kind, why]];
    }
    case "trust":
      return outcome.fault === null
        ? [["trust file"], [`says whom you trust: ${counted(outcome.signers, "key")}. ${OWN_TRUST}`]]
        : [[el("span", { class: "mark bad" }, "✗ trust file")], [`not used as it is: ${outcome.fault}`]];
    case "names":
      return [["names of keys"], [outcome.isUsed ? "what you call the keys that you pin" : DROP_NAMES]];
    case "payload":
      return [["payload"], [outcome.lacksSalt ? LACKS_SALT : outcome.isUsed ? "put into its receipt" : DROP_BOTH]];
    case "other":
      return [
        [NOT_CHECKED.includes(outcome.format) ? "not checked" : "no evidence"],
        [`It is ${OTHER_FORMATS[outcome.format]} ${ACTIONS[outcome.format] ?? CHECK_FILE}`],
      ];
    case "unreadable":
      return [["not read"], [escapeText(outcome.reason)]];
  }
}
