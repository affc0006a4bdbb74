/** Idempotency records: the request for which a key was used, and its result. All SQL about them. */
import { type InsertInto, inList, type Reader, type Writer, written } from "@svc/host/store";
import { type IdempotencyScope, scopeHash } from "./scope.ts";

/** The stored values of a record. */
export interface IdempotencyRow {
  readonly request_mac: string;
  readonly stream_id: string;
  /** The range of its events; 0 and 0 if it made none. */
  readonly from_seq_no: number;
  readonly to_seq_no: number;
  /** JSON text: the other values from which the answer is made; null if the events suffice. */
  readonly result: string | null;
}

/** Resolves to the records of scopes, by the scopes' hashes, as far as there are any. */
export async function findIdempotencyRecords(
  reader: Reader,
  scopes: readonly IdempotencyScope[],
): Promise<ReadonlyMap<string, IdempotencyRow>> {
  if (scopes.length === 0) return new Map();
  const { sql, values } = written(
    (place) =>
      `SELECT scope_hash, request_mac, stream_id, from_seq_no, to_seq_no, result FROM idempotency_records
       WHERE ${inList("scope_hash", scopes.map(scopeHash))(place)}`,
  );
  const rows = await reader.all<IdempotencyRow & { readonly scope_hash: string }>(sql, ...values);
  return new Map(rows.map(({ scope_hash, ...row }) => [scope_hash, row]));
}

/** Resolves to the record of a scope, or null. */
export async function findIdempotencyRecord(reader: Reader, scope: IdempotencyScope): Promise<IdempotencyRow | null> {
  return (await findIdempotencyRecords(reader, [scope])).get(scopeHash(scope)) ?? null;
}

/** A record to be made. */
export interface NewIdempotencyRecord extends IdempotencyRow {
  readonly scope: IdempotencyScope;
  /** If events were made, the time at which they were received. */
  readonly created_at: string;
}

const INTO: InsertInto = {
  table: "idempotency_records",
  columns: [
    "scope_hash",
    "tenant_id",
    "route",
    "request_mac",
    "stream_id",
    "from_seq_no",
    "to_seq_no",
    "result",
    "created_at",
  ],
  skipsRepeated: true,
};

/**
 * Inserts records of different scopes. Resolves to the number of rows: fewer if another writer has used one of the keys
 * meanwhile.
 */
export function insertIdempotencyRecords(writer: Writer, records: readonly NewIdempotencyRecord[]): Promise<number> {
  const rows = records.map(({ scope, ...row }) => [
    scopeHash(scope),
    scope.tenantId,
    scope.route,
    row.request_mac,
    row.stream_id,
    row.from_seq_no,
    row.to_seq_no,
    row.result,
    row.created_at,
  ]);
  // Two writers with the same keys wait for each other's keys in the same order.
  return writer.insert(INTO, rows.toSorted(byFirst));
}

function byFirst([one]: readonly unknown[], [other]: readonly unknown[]): number {
  return String(one) < String(other) ? -1 : 1;
}

/** A record as it is found by its events. */
type FoundRow = Pick<IdempotencyRow, "from_seq_no" | "to_seq_no"> & {
  readonly record_no: number;
  readonly route: string;
};

/** An event, by which the request that made it is found. */
export type MadeEvent = Readonly<Record<"stream_id" | "received_at", string> & Record<"seq_no", number>>;

/** Resolves to the record of the request that made an event; null if it had no key, or the record has expired. */
export function recordOfEvent(reader: Reader, { stream_id, seq_no, received_at }: MadeEvent): Promise<FoundRow | null> {
  // The query uses the time that both share, which orders the records anyway: an index by stream would cost every
  // append a page.
  return reader.first<FoundRow>(
    `SELECT record_no, route, from_seq_no, to_seq_no FROM idempotency_records
     WHERE created_at = $1 AND stream_id = $2 AND from_seq_no <= $3 AND to_seq_no >= $3`,
    received_at,
    stream_id,
    seq_no,
  );
}

/** Replaces the stored hash of a request. */
export async function replaceRequestMac(writer: Writer, { record_no }: FoundRow, requestMac: string): Promise<void> {
  await writer.run("UPDATE idempotency_records SET request_mac = $1 WHERE record_no = $2", requestMac, record_no);
}

/** Resolves to the time of the oldest record from a time on, or null. */
export async function oldestRecordFrom(reader: Reader, time: string): Promise<string | null> {
  const sql = "SELECT created_at FROM idempotency_records WHERE created_at >= $1 ORDER BY created_at LIMIT 1";
  return (await reader.first<{ created_at: string }>(sql, time))?.created_at ?? null;
}

/** Resolves to the time of the newest record up to a time, or null. */
export async function newestRecordUpTo(reader: Reader, time: string): Promise<string | null> {
  const sql = "SELECT created_at FROM idempotency_records WHERE created_at <= $1 ORDER BY created_at DESC LIMIT 1";
  return (await reader.first<{ created_at: string }>(sql, time))?.created_at ?? null;
}

/** Two records of a file, between whose numbers others are missing. */
export interface RecordGap {
  readonly after: number;
  readonly before: number;
}

/**
 * Resolves to the gaps in the numbers of an embedded database's records, `most` at most: it gives each the number after
 * the last one, and forgetting takes the oldest. `since`: only those behind a record that was made after this time.
 */
export function recordGaps(reader: Reader, since: string, most: number): Promise<RecordGap[]> {
  return reader.all<RecordGap>(
    `SELECT last AS "after", record_no AS "before" FROM (SELECT record_no, LAG(record_no) OVER (ORDER BY record_no) AS last,
       LAG(created_at) OVER (ORDER BY record_no) AS last_at FROM idempotency_records)
     WHERE record_no > last + 1 AND last_at > $1 ORDER BY record_no LIMIT $2`,
    since,
    most,
  );
}

/** An event, and whether the request that made it is remembered. */
export interface AskedEvent extends MadeEvent {
  /** 1 or 0. */
  readonly is_known: number;
}

/**
 * Resolves to the events of a stream before a number, the newest first, `most` at most. The stream must be one whose
 * events all come by requests with a key.
 */
export function askedEvents(reader: Reader, streamId: string, before: number, most: number): Promise<AskedEvent[]> {
  return reader.all<AskedEvent>(
    `SELECT e.stream_id, e.seq_no, e.received_at, CASE WHEN EXISTS (SELECT 1 FROM idempotency_records r
       WHERE r.created_at = e.received_at AND r.stream_id = e.stream_id AND r.from_seq_no <= e.seq_no
       AND r.to_seq_no >= e.seq_no) THEN 1 ELSE 0 END AS is_known
     FROM events e WHERE e.stream_id = $1 AND e.seq_no < $2 ORDER BY e.seq_no DESC LIMIT $3`,
    streamId,
    before,
    most,
  );
}

/** Resolves to the streams behind one whose events all come by requests with a key, in order, `most` at most. */
export async function askedStreams(reader: Reader, after: string, most: number): Promise<string[]> {
  const rows = await reader.all<{ stream_id: string }>(
    "SELECT stream_id FROM streams WHERE class = 'legacy' AND stream_id > $1 ORDER BY stream_id LIMIT $2",
    after,
    most,
  );
  return rows.map(({ stream_id }) => stream_id);
}

/** Resolves to the lowest number of a record, or null. */
export async function firstRecordNo(reader: Reader): Promise<number | null> {
  const sql = "SELECT record_no FROM idempotency_records ORDER BY record_no LIMIT 1";
  return (await reader.first<{ record_no: number }>(sql))?.record_no ?? null;
}

/** Records that were removed. */
export interface RemovedRecords {
  readonly count: number;
  /** The time of the newest of them; null for none. */
  readonly upTo: string | null;
}

/**
 * Removes the oldest records that were made from a time on and before another one, `most` at most. A server leaves a
 * removed row in its index for a while, and goes through it again: therefore the next portion begins where this ended.
 */
export async function removeRecords(
  writer: Writer,
  { from, before }: { readonly from: string; readonly before: string },
  most: number,
): Promise<RemovedRecords> {
  const rows = await writer.all<{ readonly record_no: number; readonly created_at: string }>(
    `SELECT record_no, created_at FROM idempotency_records WHERE created_at >= $1 AND created_at < $2
     ORDER BY created_at LIMIT $3`,
    from,
    before,
    most,
  );
  if (rows.length === 0) return { count: 0, upTo: null };
  // Named one by one, they are found by the primary key: from a query inside of the statement, a server without
  // statistics may go through the whole table.
  const { sql, values } = written(
    (place) =>
      `DELETE FROM idempotency_records WHERE ${inList(
        "record_no",
        rows.map(({ record_no }) => record_no),
      )(place)}`,
  );
  return { count: await writer.run(sql, ...values), upTo: rows.at(-1)?.created_at ?? null };
}
