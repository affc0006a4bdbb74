/**
 * One code of reports, or one check, in words: the same in `svc explain`, in docs/verdicts.md and on any page about a
 * code. The words come from the tables of codes, meanings and sections. It does NOT know the codes of the service,
 * which are @svc/api's.
 */
import {
  CHECK_ORDER,
  CHECK_SECTIONS,
  type CheckId,
  CODES,
  type Kind,
  kindsWith,
  MEANINGS,
  type ProblemCode,
  sectionOf,
  type Verdict,
} from "@svc/core";
import { CHECK_MEANINGS } from "./check-meanings.ts";
import { isDistrust } from "./words.ts";

/** A text about one name: a paragraph, and under it points with a title each. Names of code are in backticks. */
export interface CodeText {
  readonly summary: string;
  readonly points: readonly { readonly title: string; readonly text: string }[];
}

/** A check, or the comparison of two runs, which finds a code too. */
export type Finder = CheckId | "cross-check";

/** Everything that finds codes, in the order of a report. */
export const FINDERS: readonly Finder[] = [...CHECK_ORDER, "cross-check"];

/** The facts about a code of reports, for programs. */
export type ProblemFacts = {
  readonly code: ProblemCode;
  readonly meaning: string;
  /** The check that finds it first. */
  readonly check: Finder;
  /** The verdict where nothing else is found; two if it depends on the place. */
  readonly verdicts: readonly Exclude<Verdict, "verified">[];
  /** The next step of a person. */
  readonly action: string;
  /** Whether it shows a fault of the service where nothing else is wrong, and one pinned key sealed the whole file. */
  readonly convicts: boolean;
  /** The protocol's section that says most about it. */
  readonly section: number;
};

/** The facts about a check, for programs. */
export type CheckFacts = {
  readonly check: Finder;
  readonly meaning: string;
  /** The codes that it finds first; it may find those of other checks too. */
  readonly codes: readonly ProblemCode[];
  /** The kinds that have it. */
  readonly kinds: readonly Kind[];
  readonly section: number;
};

/** The kinds' lists of checks that are not the usual ones, in words. */
const OF_LIST: Readonly<Record<string, string>> = {
  "anchor-consistency": " over anchors",
  "provenance-bundle": " of envelopes",
  "provenance-package": " with a bundle of envelopes",
};

/** The words for a code about something sealed. */
const CONVICTION =
  "Where nothing else in the file is wrong, and one key that you pinned sealed all of it: keep the file, since " +
  "it is evidence that the holder of that key issued something wrong.";

/** The words for the verdicts of a code. The last is of one code, about the evidence of protocol section 23. */
const VERDICT_TEXTS: Readonly<Record<string, string>> = {
  rejected: "rejected.",
  untrusted: "untrusted, unless something else is wrong.",
  "rejected,untrusted": "rejected; untrusted where it is only the evidence beside an attestation.",
};

/** Returns the facts about a code. */
export function problemFacts(code: ProblemCode): ProblemFacts {
  const { check, action } = CODES[code];
  const convicts = Object.hasOwn(CODES[code], "convicts");
  const verdicts: ProblemFacts["verdicts"] =
    code === "unsupported_object" ? ["rejected", "untrusted"] : [isDistrust({ code }) ? "untrusted" : "rejected"];
  return { code, meaning: MEANINGS[code], check, verdicts, action, convicts, section: sectionOf(code) };
}

/** Returns the text about a code. */
export function problemText(code: ProblemCode): CodeText {
  const { meaning, check, verdicts, action, convicts, section } = problemFacts(code);
  const foundBy = check === "cross-check" ? "Found by comparing two runs." : `Found by the check \`${check}\`.`;
  const notMeant = { title: "What it does not mean", text: "That the evidence is broken: this alone breaks nothing." };
  return {
    summary: `${meaning} ${foundBy}`,
    points: [
      { title: "Verdict", text: VERDICT_TEXTS[verdicts.join()] ?? "" },
      ...(isDistrust({ code }) ? [notMeant] : []),
      { title: "What to do", text: convicts ? `${action} ${CONVICTION}` : action },
      protocolPoint(section),
    ],
  };
}

/** Returns the facts about a check. */
export function checkFacts(check: Finder): CheckFacts {
  return {
    check,
    meaning: check === "cross-check" ? "Two kernels give the same report about the same bytes." : CHECK_MEANINGS[check],
    codes: (Object.keys(CODES) as ProblemCode[]).filter((code) => CODES[code].check === check),
    kinds: listsWith(check).map(({ kind }) => kind),
    section: CHECK_SECTIONS[check],
  };
}

/** Returns the text about a check. */
export function checkText(check: Finder): CodeText {
  const { meaning, codes, section } = checkFacts(check);
  const named = codes.map((code) => `\`${code}\``).join(", ");
  const lists = listsWith(check);
  const kinds = lists.map(({ kind, list }) => `\`${kind}\`${OF_LIST[list] ?? ""}`).join(", ");
  return {
    summary: meaning,
    points: [
      {
        title: "Codes",
        text: codes.length === 0 ? "none; what it finds has a code of another check." : `${named}.`,
      },
      {
        title: "Kinds",
        text: `${lists.length === listsWith("json").length ? "every kind" : kinds}.${DEMANDED[check] ?? ""}`,
      },
      protocolPoint(section),
    ],
  };
}

/** A sentence that the table of kinds lacks. */
const DEMANDED: Readonly<Partial<Record<Finder, string>>> = {
  assurance: " Every other kind too, where the trust policy demands a level.",
  "cross-check": " It is no check of a report, but an option of the call: `--cross-check`.",
};

/** Returns the kinds whose reports have a check; two runs can be compared over any. */
function listsWith(check: Finder) {
  return kindsWith(check === "cross-check" ? "json" : check);
}

function protocolPoint(section: number) {
  return { title: "Protocol", text: `section ${section}.` };
}
