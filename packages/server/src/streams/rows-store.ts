/**
 * Whole rows of streams, events and remembered requests as the database stores them, for checking: all SQL about it.
 */
import type { Reader } from "@svc/host/store";
import type { IdempotencyRow } from "../idempotency/store.ts";
import type { EventRow } from "./events-store.ts";
import type { StreamRow } from "./streams-store.ts";

/** An event's whole row. */
export type RawEvent = EventRow & {
  readonly tenant_id: string;
  readonly occurred_at_utc: string;
  readonly event_log_no: number | null;
  readonly status: string | null;
  /** Whether its erasure is recorded: 1 or 0. */
  readonly is_erased: number;
};

/** Resolves to the streams behind an id, in order of their ids. */
export function rawStreams(reader: Reader, afterId: string, most: number): Promise<StreamRow[]> {
  return reader.all(
    "SELECT *, NULL AS source_timezone FROM streams WHERE stream_id > $1 ORDER BY stream_id LIMIT $2",
    afterId,
    most,
  );
}

/** Resolves to the number of streams. */
export async function countStreams(reader: Reader): Promise<number> {
  return (await reader.first<{ streams: number }>("SELECT COUNT(*) AS streams FROM streams"))?.streams ?? 0;
}

/** Resolves to the events of a stream behind a number, in order. */
export function rawEvents(reader: Reader, streamId: string, afterSeqNo: number, most: number): Promise<RawEvent[]> {
  return reader.all<RawEvent>(
    `SELECT e.*, CASE WHEN x.stream_event_id IS NULL THEN 0 ELSE 1 END AS is_erased
     FROM events e LEFT JOIN erasures x ON x.stream_event_id = e.stream_event_id
     WHERE e.stream_id = $1 AND e.seq_no > $2 ORDER BY e.seq_no LIMIT $3`,
    streamId,
    afterSeqNo,
    most,
  );
}

/** The record of a request. */
export interface RawRequest extends IdempotencyRow {
  readonly record_no: number;
  readonly tenant_id: string;
  readonly route: string;
}

/** Resolves to the records of requests behind a number, in order. */
export function rawRequests(reader: Reader, afterNo: number, most: number): Promise<RawRequest[]> {
  return reader.all<RawRequest>(
    "SELECT * FROM idempotency_records WHERE record_no > $1 ORDER BY record_no LIMIT $2",
    afterNo,
    most,
  );
}
