/** Evidence of forks of this service's own streams and log, and the ends of the streams: all SQL about them. */
import type { ForkEvidence, HashHex } from "@svc/core";
import type { RawRow } from "@svc/host/checks";
import type { Reader, Writer } from "@svc/host/store";

/** Evidence with its number along its stream. */
export interface NumberedFork {
  readonly forkNo: number;
  readonly fork: ForkEvidence;
}

/** The owner, the policy and the last event of a stream. */
export interface StreamEnd {
  readonly tenant_id: string;
  readonly policy_id: string;
  readonly head_seq_no: number;
}

/** Resolves to the tenant and the head of a stream, or null. It looks at all tenants: evidence does not name one. */
export function streamEnd(reader: Reader, streamId: string): Promise<StreamEnd | null> {
  return reader.first<StreamEnd>(
    "SELECT tenant_id, policy_id, head_seq_no FROM streams WHERE stream_id = $1",
    streamId,
  );
}

/** Evidence to be stored. */
export interface NewFork {
  /** The tenant of its stream; null for evidence about the service's own log. */
  readonly tenantId: string | null;
  readonly fork: ForkEvidence;
  readonly sidesHash: HashHex;
}

/** Resolves to the id of the evidence of a contradiction, or null. `streamId`: null for the service's own log. */
export async function forkOfSides(
  reader: Reader,
  streamId: string | null,
  sidesHash: HashHex,
): Promise<ForkEvidence["fork_id"] | null> {
  const table = streamId === null ? "log_forks" : "forks";
  const row = await reader.first<Pick<ForkEvidence, "fork_id">>(
    `SELECT fork_id FROM ${table} WHERE sides_hash = $1`,
    sidesHash,
  );
  return row?.fork_id ?? null;
}

/** Keeps others from storing evidence until this transaction ends. */
export function lockForks(writer: Writer): Promise<void> {
  return writer.lockTable("forks");
}

/** Stores evidence behind the existing evidence about its stream, or about the service's own log. */
export async function insertFork(writer: Writer, { tenantId, fork, sidesHash }: NewFork): Promise<void> {
  const values = [fork.fork_id, sidesHash, fork.detected_at, JSON.stringify(fork)] as const;
  if (fork.stream_id === null) {
    await writer.run(
      `INSERT INTO log_forks (fork_id, fork_no, sides_hash, detected_at, document)
       VALUES ($1, (SELECT COALESCE(MAX(fork_no), 0) + 1 FROM log_forks), $2, $3, $4)`,
      ...values,
    );
    return;
  }
  await writer.run(
    `INSERT INTO forks (fork_id, sides_hash, detected_at, document, tenant_id, stream_id, fork_no)
     VALUES ($1, $2, $3, $4, $5, $6, (SELECT COALESCE(MAX(fork_no), 0) + 1 FROM forks WHERE stream_id = $6))`,
    ...values,
    tenantId,
    fork.stream_id,
  );
}

/**
 * Resolves to the evidence about a stream behind a number, ascending, `most` at most. `streamId`: null for the
 * service's own log.
 */
export async function forksAfter(
  reader: Reader,
  streamId: string | null,
  afterNo: number,
  most: number,
): Promise<NumberedFork[]> {
  const rows = await (streamId === null
    ? reader.all<Row>(
        "SELECT fork_no, document FROM log_forks WHERE fork_no > $1 ORDER BY fork_no LIMIT $2",
        afterNo,
        most,
      )
    : reader.all<Row>(
        "SELECT fork_no, document FROM forks WHERE stream_id = $1 AND fork_no > $2 ORDER BY fork_no LIMIT $3",
        streamId,
        afterNo,
        most,
      ));
  return rows.map((row) => ({ forkNo: row.fork_no, fork: JSON.parse(row.document) as ForkEvidence }));
}

/** Evidence that is kept, of all streams and of the service's own log. */
export interface AllForks {
  /** So many at most as were asked for. */
  readonly count: number;
  /** The stream that the newest piece is about; null for the service's own log, or without any. */
  readonly newestStream: string | null;
}

/** Resolves to how much evidence is kept at all, `most` at most: none is ever deleted. */
export async function allForks(reader: Reader, most: number): Promise<AllForks> {
  const [ofStreams, ofLog] = [
    await reader.all<{ fork_id: string; stream_id: string | null }>(
      "SELECT fork_id, stream_id FROM forks ORDER BY fork_id DESC LIMIT $1",
      most,
    ),
    await reader.all<{ fork_id: string; stream_id: string | null }>(
      "SELECT fork_id, NULL AS stream_id FROM log_forks ORDER BY fork_id DESC LIMIT $1",
      most,
    ),
  ];
  const all = [...ofStreams, ...ofLog].sort((one, other) => (one.fork_id < other.fork_id ? 1 : -1));
  return { count: Math.min(all.length, most), newestStream: all[0]?.stream_id ?? null };
}

interface Row {
  readonly fork_no: number;
  readonly document: string;
}

/** Resolves to whole rows of evidence as they are stored, behind an id, `most` at most, for checking. */
export function rawForks(reader: Reader, table: "forks" | "log_forks", after: string, most: number): Promise<RawRow[]> {
  return reader.all<RawRow>(`SELECT * FROM ${table} WHERE fork_id > $1 ORDER BY fork_id LIMIT $2`, after, most);
}
