/** Idempotency records: which request a key was used for, and what it made. All SQL about them. */
import type { Reader, Writer } from "@svc/host/store";
import { type IdempotencyScope, scopeHash } from "./scope.ts";

export interface IdempotencyRow {
  readonly request_mac: string;
  readonly stream_id: string;
  /** The events that were made; 0 and 0 where none were. */
  readonly from_seq_no: number;
  readonly to_seq_no: number;
  /** JSON: what else the answer is made from; null where the events say it all. */
  readonly result: string | null;
}

export function findIdempotencyRecord(reader: Reader, scope: IdempotencyScope): Promise<IdempotencyRow | null> {
  return reader.first<IdempotencyRow>(
    "SELECT request_mac, stream_id, from_seq_no, to_seq_no, result FROM idempotency_records WHERE scope_hash = $1",
    scopeHash(scope),
  );
}

/** `now`: where events were made, when they were received. Answers how many rows were written: 0 where another writer has used the key meanwhile. */
export function insertIdempotencyRecord(
  writer: Writer,
  scope: IdempotencyScope,
  row: IdempotencyRow,
  now: string,
): Promise<number> {
  return writer.run(
    `INSERT INTO idempotency_records
       (scope_hash, tenant_id, route, request_mac, stream_id, from_seq_no, to_seq_no, result, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
    scopeHash(scope),
    scope.tenantId,
    scope.route,
    row.request_mac,
    row.stream_id,
    row.from_seq_no,
    row.to_seq_no,
    row.result,
    now,
  );
}

/** A record as it is found by its events. */
type FoundRow = Pick<IdempotencyRow, "from_seq_no" | "to_seq_no"> & {
  readonly record_no: number;
  readonly route: string;
};

/** An event, by which the request that made it is found. */
export type MadeEvent = Readonly<Record<"stream_id" | "received_at", string> & Record<"seq_no", number>>;

/** The record of the request that made an event; null where it had no key, or is no longer kept. */
export function recordOfEvent(reader: Reader, { stream_id, seq_no, received_at }: MadeEvent): Promise<FoundRow | null> {
  // By the time that both have, which orders the records anyway: an index by stream would cost every append a page.
  return reader.first<FoundRow>(
    `SELECT record_no, route, from_seq_no, to_seq_no FROM idempotency_records
     WHERE created_at = $1 AND stream_id = $2 AND from_seq_no <= $3 AND to_seq_no >= $3`,
    received_at,
    stream_id,
    seq_no,
  );
}

export async function replaceRequestMac(writer: Writer, { record_no }: FoundRow, requestMac: string): Promise<void> {
  await writer.run("UPDATE idempotency_records SET request_mac = $1 WHERE record_no = $2", requestMac, record_no);
}

/** Whether a record was made before a time. */
export async function anyIdempotencyRecordBefore(reader: Reader, time: string): Promise<boolean> {
  return (await reader.first("SELECT 1 FROM idempotency_records WHERE created_at < $1 LIMIT 1", time)) !== null;
}

/** Removes the oldest of the records that were made before a time, so many at most; answers how many. */
export function removeIdempotencyRecordsBefore(writer: Writer, time: string, most: number): Promise<number> {
  return writer.run(
    `DELETE FROM idempotency_records WHERE record_no IN
       (SELECT record_no FROM idempotency_records WHERE created_at < $1 ORDER BY created_at LIMIT $2)`,
    time,
    most,
  );
}
