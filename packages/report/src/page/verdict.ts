/** The top of the page: the verdict as a sentence, and its subject. */
import { type Kind, MEANINGS, type Report } from "@svc/core";
import { escapeText } from "../escape.ts";
import { forkShown } from "../forks.ts";
import { counted } from "../numbers.ts";
import { isFromLink } from "../signers.ts";
import { detailsOf, inOrder } from "../statement.ts";
import { nounOf, type Tone, VERDICTS } from "../words.ts";
import { type Element, el, type Parts } from "./element.ts";
import type { Shown } from "./shown.ts";

/** The mark that stands for a tone without colour. */
export const MARKS: Readonly<Record<Tone, string>> = { good: "●", warn: "◐", bad: "✗" };

/**
 * Returns the tone of a verdict: under a key that came with the link alone, a good verdict is no more than half
 * trusted.
 */
export function toneOf(shown: Shown): Tone {
  const { tone } = VERDICTS[shown.report.verdict];
  return tone === "good" && isFromLink(shown.report, shown) ? "warn" : tone;
}

/** How the top of a page looks: its tone, and the mark and the word that say the same without colour. */
export interface Look {
  readonly tone: Tone;
  readonly mark: string;
  readonly word: string;
}

/** Returns the look of a page. A fork is bad news, whatever holds by itself. */
export function lookOf(shown: Shown): Look {
  const tone = toneOf(shown);
  const { verdict, kind } = shown.report;
  const isFork = verdict === "verified" && (shown.fork !== undefined || (kind === "fork" && tone === "good"));
  return isFork ? { tone: "bad", mark: "▲", word: "FORK" } : { tone, mark: MARKS[tone], word: VERDICTS[verdict].word };
}

/** Returns the band. `report` is escaped. */
export function verdictBand(report: Report, shown: Shown): Element {
  const { tone, mark, word } = lookOf(shown);
  const { name } = shown.file;
  const [, ...reasons] = said(report, shown);
  return el(
    "section",
    { class: `verdict ${tone}`, "aria-labelledby": "verdict-sentence" },
    el("p", { class: "word" }, el("span", { "aria-hidden": "true" }, mark), ` ${word}`),
    el("h2", { id: "verdict-sentence", tabindex: "-1" }, said(report, shown)[0] ?? ""),
    reasons.map((text) => el("p", {}, text)),
    el(
      "p",
      { class: "subject" },
      report.subject.id === null ? null : [el("code", {}, report.subject.id), " · "],
      report.kind === null ? "of no known kind" : nounOf(report.kind),
      " · ",
      el("span", { class: "file" }, escapeText(name)),
    ),
  );
}

/** Returns the sentence, then its consequences. */
function said(report: Report, shown: Shown): string[] {
  const details = detailsOf(report, shown).map(sentence);
  switch (report.verdict) {
    case "verified":
      return [
        ...(shown.fork === undefined ? [] : [shown.fork]),
        `${shown.fork === undefined ? "" : "By itself: "}${verified(report, shown)}`,
        ...details,
        ...fromLink(shown),
      ];
    case "untrusted":
      return [details.at(-1) ?? "", ...details.slice(0, -1)];
    case "rejected": {
      const [first] = inOrder(report.problems);
      const more = report.problems.length - 1;
      return [
        first === undefined ? "It does not hold." : MEANINGS[first.code],
        ...(more > 0 ? [`And ${counted(more, "more problem")}; all of them are listed below.`] : []),
        ...details,
      ];
    }
  }
}

/** The kinds that may be sealed without a record of any event. */
const UNRECORDED: readonly Kind[] = [
  "envelope",
  "vault-attestation",
  "key-status",
  "provenance-inclusion",
  "disclosure",
  "ivc-epoch",
];

function verified({ kind, subject }: Report, shown: Shown): string {
  const whose = isFromLink(shown.report, shown)
    ? "under the key that came with the link"
    : "under a key that you pinned";
  if (kind === "fork") return `This is true ${forkShown(shown.bytes, subject.stream_id)}, ${whose}.`;
  const isRecord = kind === null || !UNRECORDED.includes(kind);
  return `${isRecord ? "What was recorded is unchanged" : "It is as it was sealed"}, ${whose}.`;
}

function fromLink(shown: Shown): string[] {
  if (!isFromLink(shown.report, shown)) return [];
  return [
    "The sender of the link chose that key. If the file came from them too, this shows no more than that the two " +
      "belong together: compare the key with one that you got another way.",
  ];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Returns the parts in a row, with a separator between. */
export function joined(parts: readonly Parts[], separator: string): Parts[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
}
