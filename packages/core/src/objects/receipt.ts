/**
 * The receipt record: one event, its place in the stream and the service's signature over both (protocol section 7).
 * stream.ts checks how a record follows the one before it.
 */
import { encodeHex } from "../encoding/hex.ts";
import { encodeUtf8 } from "../encoding/utf8.ts";
import type { JsonObject, Kernel } from "../kernel/kernel.ts";
import { digest, ZERO_HASH } from "../protocol.ts";
import type { Examination } from "../report/examination.ts";
import {
  AnyObject,
  Closed,
  EventId,
  EventType,
  Hash,
  type HashHex,
  Ordinal,
  Salt,
  ServiceTime,
  SourceRef,
  SourceTime,
  StreamId,
} from "../schema/atoms.ts";
import * as Type from "../schema/type.ts";
import { makeSeal, Seal, type Signer } from "../seal.ts";

const members = {
  stream_event_id: EventId,
  stream_id: StreamId,
  seq_no: Ordinal,
  source_ref: SourceRef,
  event_type: EventType,
  occurred_at: SourceTime,
  received_at: ServiceTime,
  payload_hash: Hash,
  previous_event_hash: Hash,
  event_hash: Hash,
  stream_head_hash: Hash,
  receipt: Seal,
};

/**
 * A receipt record without its payload: an item of a bundle (protocol section 7). As JSON, shortened:
 *
 * ```json
 * {"stream_id":"str_01k3…","stream_event_id":"sev_01k3…","seq_no":4,"previous_event_hash":"1d7992…",
 *  "received_at":"2026-03-01T00:00:04.000Z","source_ref":"loan-1004","event_type":"loan.decided",
 *  "occurred_at":"2026-03-01T09:30:00+01:00","payload_hash":"776d7d…","event_hash":"9f6600…",
 *  "stream_head_hash":"3548c7…","receipt":{}}
 * ```
 */
export const RedactedRecord = Closed(members, { $id: "redacted-record" });
export type RedactedRecord = Type.Static<typeof RedactedRecord>;

/**
 * A receipt record, with payload and salt or without both (protocol section 7). As JSON, shortened:
 *
 * ```json
 * {"stream_id":"str_01k3…","stream_event_id":"sev_01k3…","seq_no":4,"previous_event_hash":"1d7992…",
 *  "received_at":"2026-03-01T00:00:04.000Z","source_ref":"loan-1004","event_type":"loan.decided",
 *  "occurred_at":"2026-03-01T09:30:00+01:00","payload_hash":"776d7d…","event_hash":"9f6600…",
 *  "stream_head_hash":"3548c7…","receipt":{},"payload":{"amount":12500},"payload_salt":"8f2a41…"}
 * ```
 */
export const ReceiptRecord = Closed(
  { ...members, payload: Type.Optional(AnyObject), payload_salt: Type.Optional(Salt) },
  { $id: "receipt-record", dependentRequired: { payload: ["payload_salt"], payload_salt: ["payload"] } },
);
export type ReceiptRecord = Type.Static<typeof ReceiptRecord>;

/** The members of an event that the source gives. */
export type EventInput = {
  /** The source's name for the event: 1 to 512 Unicode characters, no control characters. */
  readonly source_ref: string;
  /** 1 to 128 of A-Z a-z 0-9 . _ : / -, a letter or digit first. */
  readonly event_type: string;
  /** The time at which it happened, by the source's clock: RFC 3339, with `Z` or an offset. */
  readonly occurred_at: string;
  /** A JSON object, at most 32 levels deep: docs/sdk-guide.md says what a payload may hold. */
  readonly payload: JsonObject;
};

/** The place of an event in its stream, and the members that the service adds to it. */
export interface EventPlace {
  readonly stream_id: string;
  readonly stream_event_id: string;
  /** From 1. */
  readonly seq_no: number;
  /** The event hash of the event before; ZERO_HASH for event 1. */
  readonly previous_event_hash: HashHex;
  /** The time by the service's clock, YYYY-MM-DDTHH:MM:SS.mmmZ, never before that of the event before. */
  readonly received_at: string;
  /** 16 random bytes as lowercase hex. */
  readonly payload_salt: string;
}

/** Returns the salted hash of a payload; the salt keeps a redacted record from confirming a guess. */
export function payloadHash(kernel: Kernel, payload: JsonObject, salt: string): HashHex {
  return digest(kernel, "payload", { payload, salt });
}

/** Does the same for J(payload). */
function canonicalPayloadHash(kernel: Kernel, canonicalPayload: string, salt: string): HashHex {
  const canonical = encodeUtf8(`{"payload":${canonicalPayload},"salt":"${salt}"}`);
  return encodeHex(kernel.taggedHash("payload", canonical)) as HashHex;
}

/** Returns the hash of an event. It covers the previous event's hash, so it commits to the whole history. */
export function eventHash(kernel: Kernel, record: Omit<RedactedRecord, "event_hash" | "stream_head_hash" | "receipt">) {
  const { stream_id, stream_event_id, seq_no, previous_event_hash } = record;
  const { source_ref, event_type, occurred_at, received_at, payload_hash } = record;
  // In the order of RFC 8785, so that they need no sorting.
  return digest(kernel, "event", {
    event_type,
    occurred_at,
    payload_hash,
    previous_event_hash,
    received_at,
    seq_no,
    source_ref,
    stream_event_id,
    stream_id,
  });
}

/**
 * Returns the head of a stream after an event (protocol section 7), 64 lowercase hex characters. `stream_id`: of the
 * stream. `seq_no`: of the event, from 1. `event_hash`: 64 lowercase hex characters. It checks nothing.
 *
 * @example
 * const { stream_id, seq_no, event_hash, stream_head_hash } = receipt;
 * console.log(headHash(kernel, stream_id, seq_no, event_hash) === stream_head_hash); // true
 */
export function headHash(kernel: Kernel, stream_id: string, seq_no: number, event_hash: HashHex): HashHex {
  return digest(kernel, "head", { event_hash, seq_no, stream_id });
}

/** Returns the members that the receipt's signature covers, besides the seal's own. */
export function receiptBody(record: RedactedRecord): JsonObject {
  const { stream_id, stream_event_id, seq_no, event_hash, previous_event_hash, stream_head_hash } = record;
  return { stream_id, stream_event_id, seq_no, event_hash, previous_event_hash, stream_head_hash };
}

/** A receipt record that is hashed and chained, and not signed yet. */
export type UnsignedRecord = Omit<ReceiptRecord, "receipt"> & Required<Pick<ReceiptRecord, "payload" | "payload_salt">>;

/**
 * Gives an event its place in a stream: hashes and chains it (protocol section 7). `event`: from the source. `place`:
 * from the service. `canonicalPayload`: J(payload), if the caller has it, which saves computing it again. Returns the
 * record without its signature. It checks nothing of its input; throws TypeError for a payload that is not JSON.
 *
 * @example
 * const record = placeEvent(kernel, event, place);
 * console.log(record.previous_event_hash === ZERO_HASH, "receipt" in record); // true false
 */
export function placeEvent(
  kernel: Kernel,
  event: EventInput,
  place: EventPlace,
  canonicalPayload?: string,
): UnsignedRecord {
  const { payload, ...described } = event;
  const { payload_salt, ...placed } = place;
  const payload_hash =
    canonicalPayload === undefined
      ? payloadHash(kernel, payload, payload_salt)
      : canonicalPayloadHash(kernel, canonicalPayload, payload_salt);
  const hashed = { ...placed, ...described, payload_hash };
  const event_hash = eventHash(kernel, hashed);
  const stream_head_hash = headHash(kernel, place.stream_id, place.seq_no, event_hash);
  return { ...hashed, payload, payload_salt, event_hash, stream_head_hash };
}

/**
 * Signs a record that has its place (protocol section 7). `signer`: the service's key. `record`: from `placeEvent`.
 * Resolves to the receipt record; rejects as `signer.sign` does. The signatures of several records can be made at the
 * same time. It checks nothing.
 *
 * @example
 * const signed = await signEvent(kernel, signer, placeEvent(kernel, event, place));
 * console.log(signed.receipt.kid === kidOf(kernel, signer.publicKeyHex)); // true
 */
export async function signEvent(kernel: Kernel, signer: Signer, record: UnsignedRecord): Promise<ReceiptRecord> {
  const { stream_id, stream_event_id, seq_no, event_hash, previous_event_hash, stream_head_hash } = record;
  const body = { stream_id, stream_event_id, seq_no, event_hash, previous_event_hash, stream_head_hash };
  return { ...record, receipt: await makeSeal(kernel, "receipt", body, signer) };
}

/**
 * Issues the receipt record of one event: hashes it, chains it and signs it (protocol section 7). `signer`: the
 * service's key. `event`: from the source. `place`: from the service. Resolves to the record; rejects with TypeError
 * for a payload that is not JSON, and as `signer.sign` does. It checks nothing else of its input.
 *
 * @example
 * const issued = await issueReceipt(kernel, signer, event, place);
 * const own = pinKeys(kernel, [signer.publicKeyHex]);
 * console.log(verify(kernel.canonicalize(issued), { trust: own }).verdict); // verified
 */
export function issueReceipt(
  kernel: Kernel,
  signer: Signer,
  event: EventInput,
  place: EventPlace,
): Promise<ReceiptRecord> {
  return signEvent(kernel, signer, placeEvent(kernel, event, place));
}

/**
 * Returns a record without its payload and salt; every proof about it stays valid (protocol section 7). `record`: it is
 * not changed. It checks nothing.
 *
 * @example
 * const record = redactRecord(receipt);
 * console.log("payload" in receipt, "payload" in record); // true false
 */
export function redactRecord(record: ReceiptRecord): RedactedRecord {
  const { payload: _payload, payload_salt: _salt, ...redacted } = record;
  return redacted;
}

/** Checks a payload against the hash that its record committed to. */
export function examinePayload(
  exam: Examination,
  record: RedactedRecord,
  payload: JsonObject,
  salt: string,
  path: string,
): void {
  const actual = payloadHash(exam.kernel, payload, salt);
  exam.expectEqual("payload_hash", "payload_hash_mismatch", record.payload_hash, actual, {
    path,
    message: `The payload of event ${record.seq_no} is not the one that was recorded.`,
  });
}

/** Recomputes event hash and head of one record, and has its signature checked. */
export function examineRecord(exam: Examination, record: RedactedRecord, path: string): void {
  exam.expectEqual("event_hash", "event_hash_mismatch", record.event_hash, eventHash(exam.kernel, record), {
    path: `${path}/event_hash`,
    message: `The members of event ${record.seq_no} do not hash to its event hash.`,
  });
  const head = headHash(exam.kernel, record.stream_id, record.seq_no, record.event_hash);
  exam.expectEqual("event_hash", "head_hash_mismatch", record.stream_head_hash, head, {
    path: `${path}/stream_head_hash`,
    message: `The stream head after event ${record.seq_no} is not that of its event hash.`,
    count: false,
  });
  exam.expect("event_hash", (record.seq_no === 1) === (record.previous_event_hash === ZERO_HASH), {
    code: "previous_hash_mismatch",
    path: `${path}/previous_event_hash`,
    message:
      record.seq_no === 1
        ? "Event 1 must follow 64 zeros, and follows something else."
        : `Event ${record.seq_no} claims to be the first: only event 1 follows 64 zeros.`,
  });
  exam.seal("receipt_signature", "receipt", receiptBody(record), record.receipt, {
    path: `${path}/receipt`,
    what: `the receipt of event ${record.seq_no}`,
    streamId: record.stream_id,
    ownTime: record.received_at,
    eventNo: record.seq_no,
  });
}

/**
 * Returns the times at which the service received the first and the last of records, as members of a subject; undefined
 * without records.
 */
export function receivedTimes(records: readonly Pick<RedactedRecord, "received_at">[]) {
  const [first, last] = [records[0], records.at(-1)];
  return first && last && { from_received_at: first.received_at, to_received_at: last.received_at };
}

/** Examines a receipt record at `path`, for an object that is about this record. */
export function examineReceipt(exam: Examination, record: ReceiptRecord, path: string): void {
  exam.subject = {
    id: record.stream_event_id,
    stream_id: record.stream_id,
    from_seq_no: record.seq_no,
    to_seq_no: record.seq_no,
    ...receivedTimes([record]),
  };
  if (record.payload !== undefined && record.payload_salt !== undefined) {
    examinePayload(exam, record, record.payload, record.payload_salt, `${path}/payload`);
  } else {
    exam.redacted = 1;
    exam.notChecked("payload_hash", "the payload is redacted");
  }
  examineRecord(exam, record, path);
}
