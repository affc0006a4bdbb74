/**
 * Makes receipt records (protocol section 7) from event rows. The text of a record depends on its row alone, so a
 * repeated request gets exactly the bytes of the first answer until the payload is erased.
 */
import { type JsonObject, PROTOCOL, type ReceiptRecord } from "@svc/core";
import { isArchived } from "../archived/archived-payloads.ts";
import { kernel } from "../kernel.ts";
import type { EventRow } from "./events-store.ts";
import { quoted } from "./issue-event.ts";

/** The form of the records in an answer: with payload and salt, or redacted. */
export type RecordForm = "whole" | "minimal";

/** Returns the records in a form, as JSON texts with a comma between them. */
export function recordTexts(rows: readonly EventRow[], form: RecordForm): string {
  return rows.map(form === "whole" ? recordText : redactedRecordText).join();
}

/** Returns the record as JSON text. The payload is inserted as it is stored, which is J(payload). */
export function recordText(row: EventRow): string {
  requireFetched(row);
  const { payload, payload_salt } = row;
  if (payload === null || payload_salt === null) return redactedRecordText(row);
  return `${openRecord(row)},"payload":${payload},"payload_salt":"${payload_salt}"}`;
}

/** Returns the record without payload and salt, as JSON text. */
export function redactedRecordText(row: EventRow): string {
  return `${openRecord(row)}}`;
}

/**
 * Returns the members of a record except payload and salt, as an object without its closing brace. Hashes and names
 * need no escapes.
 */
function openRecord(row: EventRow): string {
  return `{"stream_event_id":"${row.stream_event_id}","stream_id":"${row.stream_id}","seq_no":${row.seq_no},"source_ref":${quoted(row.source_ref)},"event_type":${quoted(row.event_type)},"occurred_at":${quoted(row.occurred_at)},"received_at":"${row.received_at}","payload_hash":"${row.payload_hash}","previous_event_hash":"${row.previous_event_hash}","event_hash":"${row.event_hash}","stream_head_hash":"${row.stream_head_hash}","receipt":{"protocol":"${PROTOCOL}","alg":"Ed25519","kid":"${row.receipt_kid}","signature":"${row.receipt_signature}"}`;
}

/** Returns the record as a value; `withPayload: false` leaves payload and salt out. */
export function recordOf(row: EventRow, withPayload: boolean): ReceiptRecord {
  if (withPayload) requireFetched(row);
  const { payload, payload_salt, ...rest } = members(row);
  if (!withPayload || payload === null || payload_salt === null) return rest;
  return { ...rest, payload: parsePayload(payload), payload_salt };
}

/**
 * Returns a stored payload as a value. It avoids JSON.parse, which in V8 13 and 14 can take an escaped member name for
 * another one. Throws Error for a text that is no JSON.
 */
export function parsePayload(text: string): JsonObject {
  const parsed = kernel.parseJson(Buffer.from(text));
  if (!parsed.ok) throw new Error(`a stored payload is not JSON: ${parsed.code} at byte ${parsed.offset}`);
  return parsed.value as JsonObject;
}

/** A record without its payload says that it is erased: no reader of rows may forget to fetch an archived one. */
function requireFetched(row: EventRow): void {
  if (isArchived(row)) throw new Error(`the payload of ${row.stream_event_id} is archived, and was not fetched`);
}

function members(row: EventRow) {
  return {
    stream_event_id: row.stream_event_id,
    stream_id: row.stream_id,
    seq_no: row.seq_no,
    source_ref: row.source_ref,
    event_type: row.event_type,
    occurred_at: row.occurred_at,
    received_at: row.received_at,
    payload_hash: row.payload_hash,
    previous_event_hash: row.previous_event_hash,
    event_hash: row.event_hash,
    stream_head_hash: row.stream_head_hash,
    receipt: {
      protocol: PROTOCOL as typeof PROTOCOL,
      alg: "Ed25519" as const,
      kid: row.receipt_kid,
      signature: row.receipt_signature,
    },
    payload: row.payload,
    payload_salt: row.payload_salt,
  };
}
