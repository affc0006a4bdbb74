/**
 * A report as a page for a person: first the answer in words, then its reasons, then its limits. Every text of the
 * report and of the file is escaped here, before anything else sees it.
 */
import type { CheckId, Kind, Problem, Report } from "@svc/core";
import {
  detailsOf,
  escapeAll,
  escapeText,
  forkShown,
  found,
  isOfVault,
  type Note,
  notChecked,
  nounOf,
  PROOF_WORDS,
  VERDICTS,
  whatHolds,
} from "@svc/report";
import type { Paint } from "./color.ts";
import { ladder } from "./ladder.ts";
import { type Call, howToPin, otherKind, trustOrigin } from "./next-step.ts";
import { problemLines } from "./problems.ts";
import { wrap } from "./text.ts";

/** The look of evidence of a fork that holds. */
const FORK = { word: "FORK", tone: "bad" } as const;
const INDENT = { first: "  ", rest: "  " };
/** The subject starts here, behind the verdict's word. */
const SUBJECT = " ".repeat(11);

/** The parts of the verified file that the words beside the report need. */
export interface OpenedFile {
  readonly bytes: Uint8Array;
  /** Returns the kind that its members name; called only if the command checks another. */
  readonly kind: () => Kind | null;
}

/** Returns the page of one report, as lines of at most 80 columns. */
export function renderReport(raw: Report, opened: OpenedFile, call: Call, seconds: number, paint: Paint): string[] {
  const report = escapeAll(raw);
  const body = {
    verified: () => [...ladder(report, paint), ""],
    untrusted: () => [...ladder(report, paint), "", ...whyUntrusted(report, opened, call, paint)],
    rejected: () => [...whyRejected(report, opened, call, paint), ...held(report)],
  }[raw.verdict]();
  return [
    ...heading(report, opened, call, paint),
    "",
    ...body,
    ...notes("Found", found(report)),
    ...(raw.verdict !== "rejected" && !call.isWhole
      ? inShort(report)
      : [...notes("Not checked", notChecked(report)), ...meaning(report)]),
    ...trustOrigin(call),
    ...wrap(footer(report, seconds), INDENT),
  ];
}

function heading(report: Report, { bytes }: OpenedFile, call: Call, paint: Paint): string[] {
  const { subject, verdict } = report;
  // svc forks verify asks whether the evidence holds; for every other reader it is bad news.
  const isFork = call.kind === null && report.kind === "fork" && verdict === "verified";
  const { word, tone } = isFork ? FORK : VERDICTS[verdict];
  const file = call.file === "-" ? "standard input" : escapeText(call.file);
  const kind = report.kind ?? call.kind;
  const unnamed = kind === null || call.isMade === true ? file : `${file}, checked as ${nounOf(kind)}`;
  const name = (call.isMade === true ? null : subject.id) ?? unnamed;
  const [first = "", ...rest] = wrap(name, { first: word.padEnd(SUBJECT.length), rest: SUBJECT });
  return [
    first.replace(word, paint(tone, word)),
    ...rest,
    ...[
      ...(isFork ? [`${forkShown(bytes, subject.stream_id)}, ${PROOF_WORDS.holds}`] : []),
      ...detailsOf(report, call),
    ].flatMap((text) => wrap(text, { first: SUBJECT, rest: SUBJECT })),
  ];
}

function whyUntrusted(report: Report, { bytes }: OpenedFile, call: Call, paint: Paint): string[] {
  const isUnpinned = (problem: Problem) => problem.code === "key_not_pinned" && !isOfVault(report, problem);
  const others = report.problems.filter((problem) => !isUnpinned(problem));
  return [...problemLines(others, bytes, paint), ...(report.problems.some(isUnpinned) ? howToPin(report, call) : [])];
}

/** In a file of another kind every problem has the same cause, and its own advice would mislead. */
function whyRejected({ problems }: Report, { bytes, kind }: OpenedFile, call: Call, paint: Paint): string[] {
  const hint = otherKind(kind, call);
  const shown = hint.length === 0 ? problems : problems.map((problem) => ({ ...problem, action: "" }));
  return [...hint, ...problemLines(shown, bytes, paint)];
}

function held(report: Report): string[] {
  const text = whatHolds(report);
  return text === null ? [] : [...wrap(text, INDENT), ""];
}

/**
 * Checks that were not made and can be, with the way to do so. Any other check that was left out is about something
 * that need not be there.
 */
const CAN_BE_CHECKED: Partial<Readonly<Record<CheckId, string>>> = {
  payload_hash: "payloads that are left out (ask for them)",
  envelope: "contents of envelopes that are left out, or their start seals (ask for them)",
  known_checkpoint: "checkpoints that you know (svc trust remember)",
  expectation: "what you expect of it (--stream, --from, --to, --require)",
};
/** A disclosure holds no provider policy; its note says so where it names one. */
const POLICY_LEFT_OUT = "the provider policy that it names is not here";
/** The same for an anchor whose block is not known to the reader; a pinned one leaves nothing to check. */
const UNPINNED_BLOCK = "the block of its anchor (svc trust pin-block)";
/** So many limits of a verdict are stated unless all are asked for; of vaults one more, about authorship. */
const SHOWN_LIMITS = 2;

/** Returns the lines below a verdict on which its reader can act. `--all` says the rest. */
function inShort({ checks, assurance, does_not_prove }: Report): string[] {
  const left = checks.flatMap(({ id, note }) => (note === undefined ? [] : (CAN_BE_CHECKED[id] ?? [])));
  if (assurance.anchored === "unpinned") left.push(UNPINNED_BLOCK);
  if (checks.some(({ note }) => note?.includes(POLICY_LEFT_OUT)))
    left.push("whether its provider was allowed (ask for the bundle)");
  const shown = assurance.provenance === undefined ? SHOWN_LIMITS : SHOWN_LIMITS + 1;
  const limits = does_not_prove.slice(0, shown).join("; nor ");
  return [
    ...(left.length === 0 ? [] : wrap(`Not checked, and can be: ${left.join("; ")}.`, INDENT)),
    ...wrap(`It does not show ${limits}. All that it shows and does not, and what was not checked: --all.`, INDENT),
    "",
  ];
}

function notes(title: string, told: readonly Note[]): string[] {
  if (told.length === 0) return [];
  const lines = told.flatMap(({ name, note }) =>
    wrap(note, { first: `    ${name.padEnd(18)}  `, rest: " ".repeat(24) }),
  );
  return [`  ${title}`, ...lines, ""];
}

function meaning({ proves, does_not_prove }: Report): string[] {
  return [...sentences("This shows", proves), ...sentences("It does not show", does_not_prove)];
}

function sentences(title: string, texts: readonly string[]): string[] {
  const [only, ...more] = texts;
  if (only === undefined) return [];
  if (more.length === 0 && only.startsWith("anything")) return [...wrap(`${title} ${only}.`, INDENT), ""];
  // A condition of all others is above them.
  const isCondition = only.endsWith(":");
  const heading = isCondition ? wrap(`${title} ${only}`, INDENT) : [`  ${title}`];
  const listed = isCondition ? more : texts;
  return [...heading, ...listed.flatMap((text) => wrap(text, { first: "    - ", rest: "      " })), ""];
}

function footer({ verdict, verifier }: Report, seconds: number): string {
  const done = verdict === "verified" ? "verified" : "checked";
  const time = seconds < 0.05 ? "under 0.1 s" : `${seconds.toFixed(1)} s`;
  const kernel = verifier.kernel_sha256 === null ? "reference" : `${verifier.kernel_sha256.slice(0, 16)}…`;
  return `${done} in ${time}, offline, kernel ${kernel}, svc ${verifier.version}`;
}
