/**
 * The records of a spool file. A record is 12 bytes, little-endian (length of the body, CRC-32 of the body, CRC-32 of
 * these 8 bytes), and a body: a line of JSON that says what it is, and one line for each event. A record is written by
 * one call, and counts only if it is whole.
 */
import { crc32 } from "node:zlib";
import type { SpooledBatch, SpooledEvent } from "../queue/index.ts";

/**
 * The first line of a record. `synced`: how many bytes of the file were known to be on the disk when it was written.
 */
export type RecordHead =
  | {
      readonly kind: "segment";
      readonly version: 1;
      readonly stream_id: string;
      /** The position before the file's first event, and the rest of the state at that time. */
      readonly last: number;
      readonly done: number;
      readonly done_seq_no: number;
      readonly batches: readonly SpooledBatch[];
      /** The keys at that time; missing for an empty list. */
      readonly keys?: readonly string[];
      readonly synced: 0;
    }
  | {
      readonly kind: "events";
      readonly first: number;
      readonly count: number;
      readonly at: number;
      /** One for each event; missing if no event has one. */
      readonly keys?: readonly (string | null)[];
      readonly synced: number;
    }
  | { readonly kind: "batch"; readonly batch: SpooledBatch; readonly synced: number }
  | { readonly kind: "done"; readonly done: number; readonly done_seq_no: number; readonly synced: number };

/** A record as it was read. */
export interface SpoolRecord {
  readonly head: RecordHead;
  /** The events' texts, as UTF-8. */
  readonly lines: readonly Buffer[];
  /** The offset of the next record. */
  readonly end: number;
}

export const HEADER_BYTES = 12;
const LINE_END = 0x0a;

export function encodeRecord(head: RecordHead, events: readonly Pick<SpooledEvent, "text" | "bytes">[] = []): Buffer {
  const first = JSON.stringify(head);
  const lines = [{ text: first, bytes: Buffer.byteLength(first) }, ...events];
  const length = lines.reduce((sum, { bytes }) => sum + bytes + 1, -1);
  const record = Buffer.allocUnsafe(HEADER_BYTES + length);
  let at = HEADER_BYTES;
  for (const { text } of lines) {
    at += record.write(text, at);
    if (at < record.length) record[at++] = LINE_END;
  }
  record.writeUInt32LE(length, 0);
  record.writeUInt32LE(crc32(record.subarray(HEADER_BYTES)), 4);
  record.writeUInt32LE(crc32(record.subarray(0, 8)), 8);
  return record;
}

/**
 * Returns the length of a record in bytes, by its header; null if the header is damaged. `bytes` holds the whole
 * header.
 */
export function recordLength(bytes: Buffer, offset: number): number | null {
  if (crc32(bytes.subarray(offset, offset + 8)) !== bytes.readUInt32LE(offset + 8)) return null;
  return HEADER_BYTES + bytes.readUInt32LE(offset);
}

/** Returns the record at an offset; null if none is whole there. */
export function readRecord(bytes: Buffer, offset: number): SpoolRecord | null {
  if (bytes.length - offset < HEADER_BYTES) return null;
  const length = recordLength(bytes, offset);
  if (length === null || bytes.length - offset < length) return null;
  const body = bytes.subarray(offset + HEADER_BYTES, offset + length);
  if (crc32(body) !== bytes.readUInt32LE(offset + 4)) return null;
  const [head, ...lines] = linesOf(body);
  return { head: JSON.parse(String(head)) as RecordHead, lines, end: offset + length };
}

/**
 * Says whether the bytes from `offset` on, which begin with no whole record, are left from an interrupted write; if
 * not, the disk has lost something that was on it. An interrupted write lacks its end, or pages that never reached the
 * disk and read as zeros: its header then begins or ends with a zero, or its body contains one, which no whole body
 * does. And no later record says that this one was on the disk.
 */
export function isTorn(bytes: Buffer, offset: number): boolean {
  const rest = bytes.length - offset;
  if (rest >= HEADER_BYTES) {
    const length = recordLength(bytes, offset);
    if (length === null && bytes[offset] !== 0 && bytes[offset + HEADER_BYTES - 1] !== 0) return false;
    if (length !== null && rest >= length && !bytes.subarray(offset + HEADER_BYTES, offset + length).includes(0))
      return false;
  }
  for (let at = offset + 1; at + HEADER_BYTES <= bytes.length; at++) {
    const later = recordLength(bytes, at) === null ? null : readRecord(bytes, at);
    if (later !== null && later.head.synced > offset) return false;
  }
  return true;
}

function linesOf(body: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; ; ) {
    const end = body.indexOf(LINE_END, start);
    if (end === -1) {
      lines.push(body.subarray(start));
      return lines;
    }
    lines.push(body.subarray(start, end));
    start = end + 1;
  }
}
