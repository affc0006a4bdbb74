/** Evidence of forks of this service's own streams, and the ends of the streams: all SQL about them. */
import type { ForkEvidence, HashHex } from "@svc/core";
import type { Reader, Writer } from "@svc/host/store";

/** Evidence with its number along its stream. */
export interface NumberedFork {
  readonly forkNo: number;
  readonly fork: ForkEvidence;
}

/**
 * Resolves to the tenant and the head of a stream; null if there is none. It looks at all tenants: evidence does not
 * name one.
 */
export function streamEnd(
  reader: Reader,
  streamId: string,
): Promise<{ readonly tenant_id: string; readonly head_seq_no: number } | null> {
  return reader.first("SELECT tenant_id, head_seq_no FROM streams WHERE stream_id = $1", streamId);
}

/**
 * Stores evidence about a stream, behind the existing evidence. Resolves to false if the same two sides are stored
 * already.
 */
export async function insertFork(
  writer: Writer,
  tenantId: string,
  streamId: string,
  fork: ForkEvidence,
  sidesHash: HashHex,
): Promise<boolean> {
  const changed = await writer.run(
    `INSERT INTO forks (fork_id, tenant_id, stream_id, fork_no, sides_hash, detected_at, document)
     VALUES ($1, $2, $3, (SELECT COALESCE(MAX(fork_no), 0) + 1 FROM forks WHERE stream_id = $3), $4, $5, $6)
     ON CONFLICT (sides_hash) DO NOTHING`,
    fork.fork_id,
    tenantId,
    streamId,
    sidesHash,
    fork.detected_at,
    JSON.stringify(fork),
  );
  return changed === 1;
}

/** Resolves to whether evidence of these two sides is stored. */
export async function hasFork(reader: Reader, sidesHash: HashHex): Promise<boolean> {
  return (await reader.first("SELECT 1 FROM forks WHERE sides_hash = $1", sidesHash)) !== null;
}

/** Resolves to the evidence about a stream behind a number, ascending, `most` at most. */
export async function forksAfter(
  reader: Reader,
  streamId: string,
  afterNo: number,
  most: number,
): Promise<NumberedFork[]> {
  const rows = await reader.all<{ fork_no: number; document: string }>(
    "SELECT fork_no, document FROM forks WHERE stream_id = $1 AND fork_no > $2 ORDER BY fork_no LIMIT $3",
    streamId,
    afterNo,
    most,
  );
  return rows.map((row) => ({ forkNo: row.fork_no, fork: JSON.parse(row.document) as ForkEvidence }));
}

/** Resolves to the evidence of all forks as it is stored. */
export function forkDocuments(reader: Reader): Promise<{ fork_id: string; document: string }[]> {
  return reader.all("SELECT fork_id, document FROM forks ORDER BY fork_id");
}
