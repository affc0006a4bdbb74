/**
 * A report as a page for a person: the answer first, in words; then why; then what it does not say. Every text of the report and
 * of the file is escaped here, before anything else sees it.
 */
import type { Problem, ProblemCode, Report } from "@svc/core";
import { type Evidence, signersOf } from "../evidence.ts";
import type { Paint } from "./color.ts";
import { escapeAll, escapeText } from "./escape.ts";
import { ladder } from "./ladder.ts";
import { type Call, howToPin, otherKind } from "./next-step.ts";
import { problemLines } from "./problems.ts";
import { wrap } from "./text.ts";
import { CHECK_NAMES, holding, nounOf, VERDICTS } from "./words.ts";

const INDENT = { first: "  ", rest: "  " };
/** Where the subject starts, after the verdict's word. */
const SUBJECT = " ".repeat(11);

/** The page of one report, as lines of at most 80 columns. */
export function renderReport(raw: Report, evidence: Evidence, call: Call, seconds: number, paint: Paint): string[] {
  const report = escapeAll(raw);
  const body = {
    verified: () => ladder(report, paint).concat(""),
    untrusted: () => [...ladder(report, paint), "", ...whyUntrusted(report, evidence, call, paint)],
    rejected: () => [...whyRejected(report, evidence, call, paint), ...whatHolds(report)],
  }[raw.verdict]();
  return [
    ...heading(report, evidence, call, paint),
    "",
    ...body,
    ...notChecked(report),
    ...meaning(report),
    ...wrap(footer(report, seconds), INDENT),
  ];
}

function heading(report: Report, evidence: Evidence, call: Call, paint: Paint): string[] {
  const { subject, verdict, assurance } = report;
  const { word, tone } = VERDICTS[verdict];
  const file = call.file === "-" ? "standard input" : escapeText(call.file);
  const kind = report.kind ?? call.kind;
  const name = subject.id ?? (kind === null ? file : `${file}, checked as ${nounOf(kind)}`);
  const [first = "", ...rest] = wrap(name, { first: word.padEnd(SUBJECT.length), rest: SUBJECT });
  const { from_seq_no: from, to_seq_no: to, stream_id } = subject;
  const range = from === to ? `event ${to}` : from === undefined ? `up to event ${to}` : `events ${from} to ${to}`;
  const details = [
    ...(to === undefined
      ? []
      : [`${range} of ${stream_id}${assurance.complete && verdict !== "rejected" ? ", complete" : ""}`]),
    ...(verdict === "verified" ? [...shows(report), ...sealedBy(evidence, call)] : []),
    ...(verdict === "untrusted" ? [untrustedBecause(report, call)] : []),
  ];
  return [
    first.replace(word, paint(tone, word)),
    ...rest,
    ...details.flatMap((text) => wrap(text, { first: SUBJECT, rest: SUBJECT })),
  ];
}

/** Of evidence of a fork a good verdict is bad news. */
function shows({ kind }: Report): string[] {
  return kind === "fork" ? ["there is a fork: two signed statements that cannot both hold"] : [];
}

function sealedBy(evidence: Evidence, { trust }: Call): string[] {
  const signers = signersOf(evidence).map((kid) => {
    const isPinned = trust?.signers.some((signer) => signer.kid === kid);
    return `${kid}, ${isPinned ? "which you pinned" : "which a key that you pinned endorses"}`;
  });
  return signers.length === 0 ? [] : [`sealed by ${signers.join(", and ")}`];
}

function untrustedBecause({ problems, assurance }: Report, { trust }: Call): string {
  const isPinned = (trust?.signers.length ?? 0) > 0;
  const reasons: Partial<Record<ProblemCode, string>> = {
    key_not_pinned: isPinned ? "it is not sealed by a key that you pinned" : "you have not said whose key this is",
    key_revoked: "you revoked the key that sealed it",
    signer_not_for_stream: "you do not trust its key for this stream",
    key_time_unproven: "nothing that you pin shows that it was sealed while its key counted",
  };
  const code = problems[0]?.code;
  const reason = (code !== undefined && reasons[code]) || "your trust does not reach its signer";
  if (assurance.signed) return `nothing is wrong with it, but ${reason}`;
  return `${reason}, and without the key its signature cannot be checked; nothing else is wrong with it`;
}

function whyUntrusted(report: Report, evidence: Evidence, call: Call, paint: Paint): string[] {
  const isUnpinned = ({ code }: Problem) => code === "key_not_pinned";
  const others = report.problems.filter((problem) => !isUnpinned(problem));
  return [
    ...problemLines(others, evidence, paint),
    ...(report.problems.some(isUnpinned) ? howToPin(report, evidence, call) : []),
  ];
}

/** Of a file of another kind, every problem has the same cause, and its own advice would mislead. */
function whyRejected({ problems }: Report, evidence: Evidence, call: Call, paint: Paint): string[] {
  const hint = otherKind(evidence, call);
  const shown = hint.length === 0 ? problems : problems.map((problem) => ({ ...problem, action: "" }));
  return [...hint, ...problemLines(shown, evidence, paint)];
}

function whatHolds(report: Report): string[] {
  const failed = (id: string) => report.checks.some((check) => check.id === id && check.status === "fail");
  if (failed("json") || failed("shape"))
    return [...wrap("Nothing else was checked: a file of the wrong form stops every later check.", INDENT), ""];
  const held = holding(report);
  if (held.length === 0) return [];
  const trust = report.checks.find(({ id }) => id === "trust");
  const whose = trust?.status === "cannot_evaluate" ? " (signatures under a key that you do not trust)" : "";
  return [...wrap(`Everything else in the file that could be checked holds: ${held.join(", ")}${whose}.`, INDENT), ""];
}

/** What a check did not look at, in its own note, on every path. After a wrong form only that first fault counts, and nothing is listed. */
function notChecked({ checks }: Report): string[] {
  const isOfWrongForm = checks.some(({ id, status }) => (id === "json" || id === "shape") && status === "fail");
  if (isOfWrongForm) return [];
  const left = checks.filter(({ note }) => note !== undefined);
  if (left.length === 0) return [];
  const lines = left.flatMap(({ id, note = "" }) =>
    wrap(note, { first: `    ${CHECK_NAMES[id].padEnd(18)}  `, rest: " ".repeat(24) }),
  );
  return ["  Not checked", ...lines, ""];
}

function meaning({ proves, does_not_prove }: Report): string[] {
  return [...sentences("This shows", proves), ...sentences("It does not show", does_not_prove)];
}

function sentences(title: string, texts: readonly string[]): string[] {
  const [only, ...more] = texts;
  if (only === undefined) return [];
  if (more.length === 0 && only.startsWith("anything")) return [...wrap(`${title} ${only}.`, INDENT), ""];
  return [`  ${title}`, ...texts.flatMap((text) => wrap(text, { first: "    - ", rest: "      " })), ""];
}

function footer({ verdict, verifier }: Report, seconds: number): string {
  const done = verdict === "verified" ? "verified" : "checked";
  const time = seconds < 0.05 ? "under 0.1 s" : `${seconds.toFixed(1)} s`;
  const kernel = verifier.kernel_sha256 === null ? "reference" : `${verifier.kernel_sha256.slice(0, 16)}…`;
  return `${done} in ${time}, offline, kernel ${kernel}, svc ${verifier.version}`;
}
