/** Verifies bytes on a thread beside the one that answers requests: returns core's report, or why it is missing. */
import { MAX_VERIFY_VALUES } from "@svc/api/limits";
import { type ForkEvidence, type Json, type Kernel, type Kind, type Report, type TrustPolicy, verify } from "@svc/core";
import { isJsonErrorCode, type JsonFault } from "@svc/host/http/body";
import { type HeadOf, type Latest, latestOf } from "../forks/latest.ts";

/** The object to verify. */
export interface Question {
  readonly bytes: Uint8Array;
  readonly trust: TrustPolicy;
  /** The only accepted kind; null for any. */
  readonly kind: Kind | null;
}

/** A report as JSON, and the parts of the object that are compared with the service's own records. */
export interface Reported {
  readonly report: string;
  /** The latest part of a verified object; null if it shows none. */
  readonly latest: Latest | null;
  /** Fork evidence that is not rejected; null for any other object. */
  readonly fork: ForkEvidence | null;
}

/**
 * The report, or the reason why it is missing: too many values, no JSON, no known kind, or another kind than the
 * accepted one.
 */
export type Examined =
  | Reported
  | { readonly tooManyValues: true }
  | { readonly malformed: JsonFault }
  | { readonly unknown: true }
  | { readonly otherKind: Kind };

const [COMMA, BRACKET, BRACE] = [0x2c, 0x5b, 0x7b];

/** Resolves to the report. `headOf`: as `latestOf` takes it. */
export async function examine(kernel: Kernel, { bytes, trust, kind }: Question, headOf: HeadOf): Promise<Examined> {
  // The values are counted before parsing, because a runtime has no limit while it parses.
  if (hasMoreValues(bytes, MAX_VERIFY_VALUES)) return { tooManyValues: true };
  const report = verify(bytes, { trust, kernel });
  const [first] = report.problems;
  const isJson = report.checks.some(({ id, status }) => id === "json" && status === "pass");
  if (!isJson && first !== undefined && isJsonErrorCode(first.code))
    return { malformed: { code: first.code, offset: Number(first.actual) } };
  if (report.kind === null) return { unknown: true };
  const found = report.kind as Kind;
  if (kind !== null && found !== kind) return { otherKind: found };
  const isFork = found === "fork" && report.verdict !== "rejected";
  const parsed = report.ok || isFork ? kernel.parseJson(bytes) : null;
  const value = parsed?.ok === true ? (parsed.value as Json) : null;
  return {
    report: JSON.stringify(sayingWhom(report, trust)),
    latest: value === null ? null : await latestOf(found, value, headOf),
    fork: isFork ? (value as ForkEvidence | null) : null,
  };
}

/** Counts the bytes that can begin a value, in strings too: evidence has about one value for each 40 bytes. */
function hasMoreValues(bytes: Uint8Array, most: number): boolean {
  let count = 0;
  for (let at = 0; at < bytes.length && count <= most; at++) {
    const byte = bytes[at];
    if (byte === COMMA || byte === BRACKET || byte === BRACE) count += 1;
  }
  return count > most;
}

/**
 * Returns the report with a note in its check `trust` about the pinned keys. Core adds none: there the reader pins
 * keys, and knows them.
 */
function sayingWhom(report: Report, { signers }: TrustPolicy): Report {
  const whom = `Only keys of this service itself were pinned: ${signers.map(({ kid }) => kid).join(", ")}.`;
  const checks = report.checks.map((check) =>
    check.id === "trust" ? { ...check, note: check.note === undefined ? whom : `${check.note} ${whom}` } : check,
  );
  return { ...report, checks };
}
