/**
 * The part of a client that needs core: strict JSON, and the check of receipts. It is loaded by itself
 * (load-verifier.ts), and knows nothing of requests or of what was seen before.
 */
import {
  type EventInput,
  type ForkEvidence,
  findFork,
  type Json,
  type JsonObject,
  type KeyEndorsement,
  type ParsedJson,
  parseTrustPolicy,
  type ReceiptRecord,
  type RedactedRecord,
  type Report,
  selectKernel,
  type TrustPolicy,
  type VerifyOptions,
} from "@svc/core";
import * as recordedBatch from "@svc/core/recorded-batch";
import { verifyParsed } from "@svc/core/verify-parsed";
import type { Untruth } from "../error.ts";

const CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz";

/** Parses strict JSON from bytes, as evidence is parsed (protocol section 2). */
export function parseJson(bytes: Uint8Array): ParsedJson {
  return selectKernel().parseJson(bytes);
}

/**
 * Returns the part of a trust policy about signers of receipts. A new receipt can meet no other demand yet: windows,
 * checkpoints and cosignatures come later. Throws TypeError for a malformed policy.
 */
export function signersOf(trust: VerifyOptions["trust"]): TrustPolicy {
  const read = parseTrustPolicy(selectKernel(), trust as Json);
  if (!read.ok) throw new TypeError(`the trust policy is not well formed: ${read.problems[0]?.message ?? ""}`);
  const { signers, revoked } = read.policy;
  return { signers, ...(revoked !== undefined && { revoked }) };
}

/**
 * Returns the verifier's report on a run of consecutive records (protocol section 7), each as `parseJson` returned it,
 * or without some of its members. `trust`: null to trust nobody.
 */
export function examineRun(
  streamId: string,
  records: readonly Json[],
  trust: TrustPolicy | null,
  endorsements: readonly KeyEndorsement[],
): Report {
  const keys = endorsements.length > 0 && { key_endorsements: endorsements };
  const run = { stream_id: streamId, records, ...keys };
  return verifyParsed(run, { kind: "stream", kernel: selectKernel(), ...(trust !== null && { trust }) });
}

/**
 * Returns the records in the answer to a batch of events, if all hold and say what was sent: each as `mismatch` and
 * `examineRun` would find, with the same verdict for the run. Null if any does not, or if this fast way cannot decide
 * it. `trust` and `endorsements`: as in `examineRun`.
 */
export function readRecorded(batch: recordedBatch.RecordedBatch): readonly ReceiptRecord[] | null {
  return recordedBatch.readRecorded(selectKernel(), batch);
}

/**
 * Returns how a record differs from the event that was sent; null if it does not. `event`: parsed from the text that
 * was sent.
 */
export function mismatch(event: EventInput, record: ReceiptRecord): Untruth | null {
  for (const name of ["source_ref", "event_type", "occurred_at"] as const) {
    if (record[name] === event[name]) continue;
    const message =
      `The receipt of event ${record.seq_no} says ${name} ${quoted(record[name])}, and ${quoted(event[name])} was ` +
      `sent.`;
    return { code: "receipt_mismatch", message };
  }
  if (record.payload === undefined) {
    const message =
      `The receipt of event ${record.seq_no} came without its payload, and ` + `cannot be held against what was sent.`;
    return { code: "receipt_redacted", message };
  }
  if (isSame(record.payload, event.payload)) return null;
  return {
    code: "receipt_mismatch",
    message: `The receipt of event ${record.seq_no} has another payload than was sent.`,
  };
}

/** Returns evidence that holds and shows that two records contradict each other, or null. */
export function forkOf(a: RedactedRecord, b: RedactedRecord, trust: TrustPolicy | null): ForkEvidence | null {
  const random = globalThis.crypto.getRandomValues(new Uint8Array(25));
  const ulid = `0${Array.from(random, (byte) => CROCKFORD[byte % 32]).join("")}`;
  return findFork(a, b, {
    fork_id: `frk_${ulid}`,
    detected_at: new Date().toISOString(),
    ...(trust !== null && { trust }),
  });
}

/** Says whether two parsed values are equal in canonical form: the order of names does not count. */
function isSame(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((element, index) => isSame(element, b[index] as Json))
    );
  const [one, other] = [a as JsonObject, b as JsonObject];
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name] as Json, other[name] as Json))
  );
}

function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
