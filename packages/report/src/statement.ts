/**
 * What a verdict says of its object, in sentences: what it is about, who sealed it, why it is not trusted, what holds, what was not looked
 * at. Reports that come in here are escaped already. Where the sentences stand is for whoever shows them.
 */
import type { Problem, ProblemCode, Report, TrustPolicy } from "@svc/core";
import { type Evidence, kidAt, signersOf } from "./evidence.ts";
import { CHECK_NAMES, holding, isDistrust } from "./words.ts";

/**
 * What the verdict is about, and what it says of it, below the object's name. `linkKids`: pinned keys that nobody but the link to a page has
 * named.
 */
export function detailsOf(
  report: Report,
  evidence: Evidence,
  trust: TrustPolicy | undefined,
  linkKids: readonly string[] = [],
): string[] {
  const { subject, verdict, assurance } = report;
  const { from_seq_no: from, to_seq_no: to, stream_id } = subject;
  const range = from === to ? `event ${to}` : from === undefined ? `up to event ${to}` : `events ${from} to ${to}`;
  return [
    ...(to === undefined
      ? []
      : [`${range} of ${stream_id}${assurance.complete && verdict !== "rejected" ? ", complete" : ""}`]),
    ...(verdict === "verified" ? [...shows(report), ...sealedBy(evidence, trust, linkKids)] : []),
    ...(verdict === "untrusted" ? [untrustedBecause(report, trust)] : []),
  ];
}

/** Of evidence of a fork a good verdict is bad news. */
function shows({ kind }: Report): string[] {
  return kind === "fork" ? ["there is a fork: two signed statements that cannot both hold"] : [];
}

function sealedBy(evidence: Evidence, trust: TrustPolicy | undefined, linkKids: readonly string[]): string[] {
  const signers = signersOf(evidence).map((kid) => {
    const isPinned = trust?.signers.some((signer) => signer.kid === kid);
    if (linkKids.includes(kid)) return `${kid}, which came with the link`;
    return `${kid}, ${isPinned ? "which you pinned" : "which a key that you pinned endorses"}`;
  });
  return signers.length === 0 ? [] : [`sealed by ${signers.join(", and ")}`];
}

function untrustedBecause({ problems, assurance }: Report, trust: TrustPolicy | undefined): string {
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

/** The keys that sealed an object without being trusted for it. */
export function distrustedKids(problems: readonly Problem[], evidence: Evidence): string[] {
  const kids = problems.filter(isDistrust).map(({ path }) => kidAt(evidence, path));
  return [...new Set(kids.filter((kid) => kid !== null))];
}

/** What to think of a key that the evidence names. A signed note names its key in a form of its own, and is not read: then `kids` is empty. */
export function whatItNames({ assurance }: Report, kids: string): string {
  if (assurance.signed)
    return `${kids === "" ? "The file carries its own key." : `The file names its own key: ${kids}.`} A key that travels with the evidence proves nothing.`;
  const named =
    kids === "" ? "The file does not carry its key." : `The file names its key, ${kids}, and does not carry it.`;
  return `${named} Without the key its signature cannot be checked, and a name that travels with the evidence proves nothing.`;
}

/** Of a rejected object, what holds all the same; null where there is nothing to say. */
export function whatHolds(report: Report): string | null {
  if (isOfWrongForm(report)) return "Nothing else was checked: a file of the wrong form stops every later check.";
  const held = holding(report);
  if (held.length === 0) return null;
  const trust = report.checks.find(({ id }) => id === "trust");
  const whose = trust?.status === "cannot_evaluate" ? " (signatures under a key that you do not trust)" : "";
  return `Everything else in the file that could be checked holds: ${held.join(", ")}${whose}.`;
}

/** What a check did not look at, in its own note, on every path. After a wrong form only that first fault counts, and nothing is listed. */
export function notChecked(report: Report): { readonly name: string; readonly note: string }[] {
  if (isOfWrongForm(report)) return [];
  return report.checks.flatMap(({ id, note }) => (note === undefined ? [] : [{ name: CHECK_NAMES[id], note }]));
}

/** What does not hold first, then what is only not trusted. */
export function inOrder(problems: readonly Problem[]): Problem[] {
  return [...problems.filter((problem) => !isDistrust(problem)), ...problems.filter(isDistrust)];
}

function isOfWrongForm({ checks }: Report): boolean {
  return checks.some(({ id, status }) => (id === "json" || id === "shape") && status === "fail");
}
