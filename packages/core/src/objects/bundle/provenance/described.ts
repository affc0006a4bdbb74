/** The records of receipts that were checked in bulk, as envelopes and contents are compared with them. */
import { encodeLongHex } from "../../../encoding/hex.ts";
import type { HashHex } from "../../../schema/atoms.ts";
import type { RedactedRecord } from "../../receipt.ts";
import { Lines } from "../lines.ts";
import type { DescribedRun, ReceiptRun } from "../receipts.ts";

/** The members of a record that envelopes and contents are compared with. */
export type DescribedRecord = Pick<
  RedactedRecord,
  | "stream_id"
  | "stream_event_id"
  | "seq_no"
  | "event_hash"
  | "payload_hash"
  | "source_ref"
  | "event_type"
  | "occurred_at"
  | "received_at"
>;

/** Returns the hashes of a column, 32 bytes each, as hex. */
export function hashesIn(column: Uint8Array): HashHex[] {
  const text = encodeLongHex(column);
  return Array.from({ length: column.length / 32 }, (_, row) => text.slice(64 * row, 64 * row + 64) as HashHex);
}

/** Returns the records of a run that is described. */
export function recordsIn(run: ReceiptRun, streamId: string): DescribedRecord[] {
  const { count, fromSeqNo, eventIds, eventHashes, payloadHashes, described } = run;
  const { sourceRefs, eventTypes, occurredAt, receivedAt } = described as DescribedRun;
  const texts = (bytes: Uint8Array) => new Lines(bytes, count).texts() as readonly string[];
  const [events, payloads] = [hashesIn(eventHashes), hashesIn(payloadHashes)];
  const [refs, types, occurred, received] = [sourceRefs, eventTypes, occurredAt, receivedAt].map(texts) as string[][];
  return texts(eventIds).map((stream_event_id, row) => ({
    stream_id: streamId,
    stream_event_id,
    seq_no: fromSeqNo + row,
    event_hash: events[row] as HashHex,
    payload_hash: payloads[row] as HashHex,
    source_ref: refs?.[row] as string,
    event_type: types?.[row] as string,
    occurred_at: occurred?.[row] as string,
    received_at: received?.[row] as string,
  }));
}
