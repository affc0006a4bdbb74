/** Idempotency records: which request a key was used for, and what it made. All SQL about them. */
import type { Reader, Writer } from "../store/database.ts";

/** The scope in which a key is unique. */
export interface IdempotencyScope {
  readonly tenantId: string;
  readonly principalId: string;
  /** Method and path template. */
  readonly route: string;
  readonly key: string;
}

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
    `SELECT request_mac, stream_id, from_seq_no, to_seq_no, result FROM idempotency_records
     WHERE tenant_id = $1 AND principal_id = $2 AND route = $3 AND idempotency_key = $4`,
    scope.tenantId,
    scope.principalId,
    scope.route,
    scope.key,
  );
}

/** Answers how many rows were written: 0 where another writer has used the key meanwhile. */
export function insertIdempotencyRecord(
  writer: Writer,
  scope: IdempotencyScope,
  row: IdempotencyRow,
  now: string,
): Promise<number> {
  return writer.run(
    `INSERT INTO idempotency_records
       (tenant_id, principal_id, route, idempotency_key, request_mac, stream_id, from_seq_no, to_seq_no, result,
        created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
    scope.tenantId,
    scope.principalId,
    scope.route,
    scope.key,
    row.request_mac,
    row.stream_id,
    row.from_seq_no,
    row.to_seq_no,
    row.result,
    now,
  );
}

/** A record with its scope's columns. */
type OwnedRow = Pick<IdempotencyRow, "request_mac" | "from_seq_no" | "to_seq_no"> & {
  readonly tenant_id: string;
  readonly principal_id: string;
  readonly route: string;
  readonly idempotency_key: string;
};

/** The record of the request that made an event; null where it had no key, or is no longer kept. */
export async function recordOfEvent(reader: Reader, streamId: string, seqNo: number): Promise<OwnedRow | null> {
  // The ranges of a stream's requests do not overlap, so the first that ends behind the event is the only one that can hold it.
  const row = await reader.first<OwnedRow>(
    `SELECT tenant_id, principal_id, route, idempotency_key, request_mac, from_seq_no, to_seq_no FROM idempotency_records
     WHERE stream_id = $1 AND to_seq_no >= $2 AND to_seq_no > 0 ORDER BY to_seq_no LIMIT 1`,
    streamId,
    seqNo,
  );
  return row !== null && row.from_seq_no <= seqNo ? row : null;
}

export async function replaceRequestMac(writer: Writer, row: OwnedRow, requestMac: string): Promise<void> {
  await writer.run(
    `UPDATE idempotency_records SET request_mac = $1
     WHERE tenant_id = $2 AND principal_id = $3 AND route = $4 AND idempotency_key = $5`,
    requestMac,
    row.tenant_id,
    row.principal_id,
    row.route,
    row.idempotency_key,
  );
}
