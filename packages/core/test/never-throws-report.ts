/** Checks that a report has the closed shape of protocol section 16 and does not contradict itself. */
import { CODES, type Kind, type Report } from "../src/index.ts";
import * as ownActions from "../src/own-actions.ts";
import { MAX_PROBLEMS } from "../src/report/bounds.ts";
import { type CheckList, checksOf } from "../src/report/checks.ts";
import { SIGNER_ROLES } from "../src/report/signers.ts";

const OWN_ACTIONS: readonly string[] = Object.values(ownActions);

type Members = Readonly<Record<string, unknown>>;

const VERDICTS = ["verified", "rejected", "untrusted"];
const STATUSES = ["pass", "fail", "not_checked", "cannot_evaluate"];
const MAX_TEXT = 1001;
const KID = /^ed25519-[0-9a-f]{16}$/;

/** Returns in words the fault of a report on something that was verified as `kind`; null without one. */
export function reportFault(report: Report, kind: Kind | undefined): string | null {
  const faults = [
    hasExactly(report, "ok verdict kind subject verifier assurance signers checks problems proves does_not_prove", ""),
    kind === undefined || report.kind === kind ? null : `kind is ${report.kind}`,
    VERDICTS.includes(report.verdict) ? null : `verdict is ${report.verdict}`,
    report.ok === (report.verdict === "verified") ? null : "ok and verdict differ",
    subjectFault(report),
    hasExactly(report.verifier, "name version kernel_sha256", ""),
    assuranceFault(report),
    signersFault(report),
    checksFault(report),
    problemsFault(report),
    [...report.proves, ...report.does_not_prove].every(isText) ? null : "a sentence is no text",
    JSON.stringify(report).isWellFormed() ? null : "it holds a lone surrogate",
  ];
  return faults.find((fault) => fault !== null) ?? null;
}

function subjectFault({ subject }: Report): string | null {
  const { id, stream_id, from_seq_no, to_seq_no, origin, from_received_at, to_received_at } = subject;
  const numbers = [from_seq_no, to_seq_no].every((no) => no === undefined || isCount(no));
  const texts =
    (id === null || isText(id)) &&
    [stream_id, origin, from_received_at, to_received_at].every((text) => text === undefined || isText(text));
  return (
    hasExactly(subject, "id", "stream_id from_seq_no to_seq_no origin from_received_at to_received_at") ??
    (numbers && texts ? null : `subject is ${JSON.stringify(subject)}`)
  );
}

function assuranceFault({ assurance }: Report): string | null {
  const { signed, included, complete, witnessed, published, anchored, redacted } = assurance;
  const fault =
    hasExactly(assurance, "signed included complete witnessed published anchored redacted", "provenance") ??
    provenanceFault(assurance.provenance) ??
    hasExactly(witnessed, "required valid pinned", "");
  const holds =
    [signed, included, complete].every((one) => typeof one === "boolean") &&
    [witnessed.required, witnessed.valid, witnessed.pinned, redacted].every(isCount) &&
    ["none", "included", "witnessed"].includes(published) &&
    ["none", "pending", "unpinned", "pinned"].includes(anchored);
  return fault ?? (holds ? null : `assurance is ${JSON.stringify(assurance)}`);
}

function provenanceFault(provenance: Report["assurance"]["provenance"]): string | null {
  if (provenance === undefined) return null;
  const { events, installations, claimed, effective } = provenance;
  const sum = (levels: object) => Object.values(levels).reduce((all: number, one: number) => all + one, 0);
  const counts = [events, installations, ...Object.values(claimed), ...Object.values(effective)];
  // An object of one vault without an event has the level L0.
  const due = events === 0 ? [0, 1] : [events];
  const holds = counts.every(isCount) && sum(claimed) === events && due.includes(sum(effective));
  return holds ? null : `provenance is ${JSON.stringify(provenance)}`;
}

function signersFault({ signers, verdict }: Report): string | null {
  if (signers.length > MAX_PROBLEMS) return `${signers.length} signers`;
  for (const signer of signers) {
    const { kid, fingerprint, role, reached } = signer;
    const fault = hasExactly(signer, "kid fingerprint role reached", "");
    const holds =
      KID.test(kid) &&
      (fingerprint === null || /^[0-9a-f]{64}$/.test(fingerprint)) &&
      (fingerprint === null || kid === `ed25519-${fingerprint.slice(0, 16)}` || verdict === "rejected") &&
      SIGNER_ROLES.includes(role) &&
      ["pinned", "endorsed", "none"].includes(reached) &&
      (verdict !== "verified" || reached !== "none");
    if (fault !== null || !holds) return fault ?? `a signer is ${JSON.stringify(signer)}`;
  }
  return null;
}

/** The other lists of checks that objects of a kind can have. */
const OTHER_LISTS: Partial<Readonly<Record<Kind, readonly CheckList[]>>> = {
  consistency: ["anchor-consistency"],
  bundle: ["provenance-bundle"],
  "truth-package": ["provenance-package"],
};

function checksFault({ checks, kind, verdict }: Report): string | null {
  const ids = checks.map(({ id }) => id).join();
  const others: readonly CheckList[] = OTHER_LISTS[kind ?? "receipt"] ?? [];
  const lists = [kind, ...others];
  // A verifier that demands a level has a check for it.
  const due = lists.flatMap((list) => [checksOf(list), checksOf(list, true)]);
  if (!due.some((list) => list.join() === ids)) return `checks are ${ids}`;
  for (const check of checks) {
    const { status, count, note } = check;
    const fault = hasExactly(check, "id status", "count note");
    const holds =
      STATUSES.includes(status) &&
      (count === undefined || (isCount(count) && count > 0)) &&
      (note === undefined || isText(note));
    if (fault !== null || !holds) return fault ?? `a check is ${JSON.stringify(check)}`;
  }
  const failed = checks.some(({ status }) => status === "fail");
  return failed === (verdict === "rejected") ? null : `${verdict}, and a check ${failed ? "fails" : "does not fail"}`;
}

function problemsFault({ ok, problems }: Report): string | null {
  if (ok !== (problems.length === 0)) return `ok is ${ok}, and there are ${problems.length} problems`;
  if (problems.length > MAX_PROBLEMS) return `${problems.length} problems`;
  for (const problem of problems) {
    const { code, path, message, expected = "", actual = "", action, seq_no, window_no, checkpoint_no, kid } = problem;
    const fault = hasExactly(problem, "code path message action", "expected actual seq_no window_no checkpoint_no kid");
    const named =
      [seq_no, window_no, checkpoint_no].every((no) => no === undefined || (isCount(no) && no > 0)) &&
      (kid === undefined || KID.test(kid));
    const texts = [path, message, expected, actual].every((text) => isText(text) && text.length <= MAX_TEXT);
    const holds =
      texts &&
      named &&
      message !== "" &&
      /^(trust:)?($|\/)/.test(path) &&
      Object.hasOwn(CODES, code) &&
      (CODES[code].action === action || OWN_ACTIONS.includes(action));
    if (fault !== null || !holds) return fault ?? `a problem is ${JSON.stringify(problem)}`;
  }
  return null;
}

/** Checks that an object has all of the required members, and no others than these and the optional ones. */
function hasExactly(object: object, required: string, optional: string): string | null {
  const names = Object.keys(object);
  const all = `${required} ${optional}`.split(" ");
  const missing = required.split(" ").filter((name) => !Object.hasOwn(object, name));
  const others = names.filter((name) => !all.includes(name) || (object as Members)[name] === undefined);
  return missing.length + others.length === 0 ? null : `missing: ${missing}; not to be there: ${others}`;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.isWellFormed();
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
