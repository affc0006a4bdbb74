/**
 * Issues events in one pass: the canonical texts of event, head and seal (protocol section 7) are written from fixed
 * templates, in the order of RFC 8785, and hashed as texts. It makes the same bytes as core's `placeEvent` and
 * `signEvent`; tests compare them. It is for issuing only; all verifying goes through core.
 */
import { hash } from "node:crypto";
import { type EventPlace, type HashHex, PROTOCOL, tagLine } from "@svc/core";
import type { EventRow } from "./events-store.ts";
import type { DescribedEvent } from "./prepare-events.ts";

const decoder = new TextDecoder();
const TAGS = {
  payload: decoder.decode(tagLine("payload")),
  event: decoder.decode(tagLine("event")),
  head: decoder.decode(tagLine("head")),
  receipt: decoder.decode(tagLine("receipt")),
};
/** Texts that JSON writes unchanged between quotation marks: printable ASCII without quotation mark and backslash. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** An event that is hashed and chained, but not signed yet. */
export type UnsignedRow = Omit<EventRow, "receipt_kid" | "receipt_signature">;

/** Returns a text as a JSON string, as RFC 8785 demands. Throws TypeError for a text that is not well-formed. */
export function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError("not JSON: a lone surrogate");
  return JSON.stringify(text);
}

/**
 * Gives an event its place, and returns its row, hashed and chained. `payloadText`: J(payload). It does not check its
 * input.
 */
export function placeRow(event: DescribedEvent, place: EventPlace, payloadText: string): UnsignedRow {
  const { source_ref, event_type, occurred_at } = event;
  const { stream_id, stream_event_id, seq_no, previous_event_hash, received_at, payload_salt } = place;
  const payload_hash = sha256Hex(`${TAGS.payload}{"payload":${payloadText},"salt":"${payload_salt}"}`);
  const event_hash = sha256Hex(
    `${TAGS.event}{"event_type":${quoted(event_type)},"occurred_at":${quoted(occurred_at)},"payload_hash":"${payload_hash}","previous_event_hash":"${previous_event_hash}","received_at":"${received_at}","seq_no":${seq_no},"source_ref":${quoted(source_ref)},"stream_event_id":"${stream_event_id}","stream_id":"${stream_id}"}`,
  );
  return {
    stream_event_id,
    stream_id,
    seq_no,
    source_ref,
    event_type,
    occurred_at,
    received_at,
    payload: payloadText,
    payload_salt,
    payload_hash,
    previous_event_hash,
    event_hash,
    stream_head_hash: headOf(stream_id, seq_no, event_hash),
  };
}

/** Returns the head of a stream after an event. */
export function headOf(streamId: string, seqNo: number, eventHash: string): HashHex {
  return sha256Hex(`${TAGS.head}{"event_hash":"${eventHash}","seq_no":${seqNo},"stream_id":"${streamId}"}`);
}

/** Returns the bytes that the receipt of a row signs. `kid`: the identifier of the signing key. */
export function receiptBytes(row: UnsignedRow, kid: string): Uint8Array {
  const { event_hash, previous_event_hash, seq_no, stream_event_id, stream_head_hash, stream_id } = row;
  return Buffer.from(
    `${TAGS.receipt}{"alg":"Ed25519","event_hash":"${event_hash}","kid":"${kid}","previous_event_hash":"${previous_event_hash}","protocol":"${PROTOCOL}","seq_no":${seq_no},"stream_event_id":"${stream_event_id}","stream_head_hash":"${stream_head_hash}","stream_id":"${stream_id}"}`,
    "latin1",
  );
}

function sha256Hex(text: string): HashHex {
  return hash("sha256", text, "hex") as HashHex;
}
