/**
 * A verdict in sentences: its object, who sealed it, why it is not trusted, what holds, and what was not looked at.
 * Reports are escaped before they come here. The caller decides where each sentence goes.
 */
import {
  type CheckId,
  type CheckResult,
  NO_PROOFS_NEEDED,
  type Problem,
  type ProblemCode,
  type Report,
} from "@svc/core";
import { escapeText } from "./escape.ts";
import { counted, grouped, groupedIn } from "./numbers.ts";
import { stretchOf } from "./received.ts";
import {
  gaveFingerprint,
  isFromLink,
  isOfVault,
  isPartlyReached,
  isSignerKnown,
  isUnsigned,
  type Reader,
  sealedBy,
} from "./signers.ts";
import { CHECK_NAMES, holding, isDistrust } from "./words.ts";

/** Returns the subject of the verdict and its findings, for the lines below the object's name. */
export function detailsOf(report: Report, reader: Reader): string[] {
  const { verdict } = report;
  return [
    ...about(report, reader),
    ...(verdict === "verified" ? [...shows(report), ...whose(report, reader), ...extended(report, reader)] : []),
    ...(verdict === "untrusted" ? [untrustedBecause(report, reader)] : []),
  ];
}

/** Returns the events, and when they were received, by the word of the signer. A rejected object shows no time. */
function about(report: Report, reader: Reader): string[] {
  const { subject, verdict, assurance } = report;
  const { from_seq_no: from, to_seq_no: to, stream_id, origin } = subject;
  const range = groupedIn(
    from === to ? `event ${to}` : from === undefined ? `up to event ${to}` : `events ${from} to ${to}`,
  );
  const stream = stream_id === undefined ? "" : ` of ${stream_id}`;
  // A stranger can leave out what they like and seal the rest: the ladder says what holds if the key is right.
  const complete = assurance.complete && verdict === "verified" ? ", complete" : "";
  const received = verdict === "rejected" ? null : stretchOf(subject.from_received_at, subject.to_received_at);
  const whose =
    verdict === "verified" && isSignerKnown(report, reader) ? "by the service's clock" : "by the signer's clock";
  return [
    ...(to === undefined ? [] : [`${range}${stream}${complete}`]),
    ...(received === null ? [] : [`received ${received}, ${whose}`]),
    ...(!origin || verdict === "verified" ? [] : [`it says that it comes from ${origin}`]),
  ];
}

/** For evidence of a fork, a good verdict is bad news. */
function shows({ kind }: Report): string[] {
  return kind === "fork" ? ["there is a fork: two signed statements that cannot both hold"] : [];
}

/** Returns the signers, and the service in whose name they sealed the object. */
function whose(report: Report, reader: Reader): string[] {
  const signers = sealedBy(report, reader);
  // A note of a log that has a stream's id alone for a name states an empty origin.
  const { origin } = report.subject;
  return signers === null ? [] : [`${signers}${origin ? `, for ${origin}` : ""}`];
}

/** Returns what the reader remembered of the stream and the object contains. */
function extended({ checks, subject }: Report, { trust }: Reader): string[] {
  const { status, count = 0, note } = checks.find(({ id }) => id === "known_checkpoint") ?? {};
  if (status !== "pass" || count === 0) return [];
  if (note !== undefined) return [`it is ${note}`];
  const known = (trust?.known_checkpoints ?? []).filter(({ stream_id }) => stream_id === subject.stream_id);
  const windows = Math.max(0, ...known.map(({ window_count }) => window_count));
  const which = windows === 0 ? "" : `, of ${counted(windows, "window")}`;
  return [
    `it extends ${count === 1 ? "the checkpoint" : `the ${grouped(count)} checkpoints`} that you ` +
      `remembered${which}: nothing before that was rewritten`,
  ];
}

function untrustedBecause(report: Report, reader: Reader): string {
  const { problems, assurance } = report;
  const [problem] = problems;
  if (isUnsigned(report)) return "anybody could have made it: nobody signed it by itself";
  if (gaveFingerprint(report, reader))
    return "what you gave is the fingerprint of this file's key: it fits. Give the key itself";
  const pinned = reader.trust?.signers ?? [];
  if (problem !== undefined && isOfVault(report, problem))
    return assurance.provenance?.vault_keys === "service-vouched"
      ? "the service alone vouches for the vault that sealed it, and you pin other vaults"
      : "the service may vouch for the vault that sealed it, and nobody you trust has given you the vault's key";
  if (problem?.code === "key_not_pinned" && pinned.length > 0) {
    const slip = slipIn(problem);
    if (slip !== "") return `the key that you pinned differs from this file's in ${slip}: compare the two again`;
    const what = isPartlyReached(report) ? "not all of it is sealed by" : "not sealed by";
    return (
      `${what} ${pinnedKeys(pinned, reader)}. Compare that key with the service's own: if it fits, the ` +
      `service has changed its key, or this is not from the service. Ask the service, not the sender of the file`
    );
  }
  const unchecked = assurance.signed ? "unbroken" : "without the key its signature cannot be checked";
  const reasons: Partial<Record<ProblemCode, string>> = {
    key_not_pinned: "anybody could have made it: you have not said whose key to trust",
    key_revoked: "you revoked the key that sealed it, or the one that vouches for it",
    signer_not_for_stream: "you do not trust its key for this stream",
    key_time_unproven: "nothing that you pin shows that it was sealed while its key counted",
    vault_revocation_time_uncertain: "nothing that you pin shows that it was sealed before its key was lost",
    vault_status_stale: "you want a newer status of its key",
    ivc_steps_absent: "the checkpoints that it folds are not here",
    known_checkpoint_newer: "nothing here shows that it is part of the history that you remember",
  };
  const reason = (problem && reasons[problem.code]) || "your trust does not reach its signer";
  return `${unchecked}, ${assurance.signed ? "but" : "and"} ${reason}`;
}

/** Returns the hex digits in which a pinned key differs from the file's; empty if it is not nearly the same key. */
function slipIn({ expected = "", actual = "" }: Problem): string {
  const digits = [...expected].flatMap((digit, index) => (digit === actual[index] ? [] : [index + 1]));
  return digits.length === 0 ? "" : `${digits.length === 1 ? "digit" : "digits"} ${digits.join(" and ")}`;
}

/** Returns what holds in a rejected object all the same; null if there is nothing to say. */
export function whatHolds(report: Report, reader?: Reader): string | null {
  if (isOfWrongForm(report)) return "Nothing else was checked: a file of the wrong form stops every later check.";
  const held = holding(report);
  if (held.length === 0) return null;
  const under = underWhich(report, held, reader);
  return `Everything else in the file that could be checked holds: ${held.join(", ")}${under}.`;
}

/**
 * Returns under whose key the signatures of a rejected object hold; empty if none of them holds, or none was held
 * against trust. `held`: what holds.
 */
function underWhich(report: Report, held: readonly string[], reader?: Reader): string {
  if (!held.some((one) => one.includes("signature"))) return "";
  const status = report.checks.find(({ id }) => id === "trust")?.status;
  if (status === "cannot_evaluate") return " (signatures not all under a key that you trust)";
  if (status !== "pass") return "";
  const isLinked = reader !== undefined && isFromLink(report, reader);
  return ` (signatures under a key that ${isLinked ? "came with the link" : "you trust"})`;
}

/** A note, and the subject of its check. */
export interface Note {
  readonly name: string;
  readonly note: string;
}

/** The checks whose notes say what they found, if they were made. */
export const TELLING: readonly CheckId[] = ["vault_key", "provenance", "disclosure", "ivc"];

/**
 * Returns what each check did not look at, in its own note, on every path. After a wrong form only that first fault
 * counts, and nothing is listed.
 */
export function notChecked(report: Report): Note[] {
  // The note about levels says what is missing, and is beside them.
  return notesOf(report, (check) => check.id !== "assurance" && check.note !== NO_PROOFS_NEEDED && !isTelling(check));
}

/** Returns what checks found that no verdict says: the end of a key, what is opened and what stays closed. */
export function found(report: Report): Note[] {
  return notesOf(report, isTelling);
}

function isTelling({ id, status, note }: CheckResult): boolean {
  // The observation of a provider is in the note of its check.
  const tells = TELLING.includes(id) || (id === "provider" && note?.startsWith("presented_mismatch_observed"));
  // The note on a key is a finding, also where something about the key is open.
  return tells === true && (status === "pass" || status === "fail" || (id === "vault_key" && status !== "not_checked"));
}

function notesOf(report: Report, isWanted: (check: CheckResult) => boolean): Note[] {
  if (isOfWrongForm(report)) return [];
  return report.checks.flatMap((check) =>
    check.note === undefined || !isWanted(check) ? [] : [{ name: CHECK_NAMES[check.id], note: check.note }],
  );
}

/** Returns `the key that you pinned ("acme 2026")`; several keys are not named. */
function pinnedKeys(pinned: readonly { readonly kid: string }[], { names = {} }: Reader): string {
  const [kid = "", ...more] = new Set(pinned.map((signer) => signer.kid));
  if (more.length > 0) return "a key that you pinned";
  return Object.hasOwn(names, kid)
    ? `the key that you pinned ("${escapeText(names[kid] ?? "")}")`
    : "the key that you pinned";
}

/** Returns the problems in order: first what does not hold, then what is only not trusted. */
export function inOrder(problems: readonly Problem[]): Problem[] {
  return [...problems.filter((problem) => !isDistrust(problem)), ...problems.filter(isDistrust)];
}

function isOfWrongForm({ checks }: Report): boolean {
  return checks.some(({ id, status }) => (id === "json" || id === "shape") && status === "fail");
}
