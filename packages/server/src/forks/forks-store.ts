/** Evidence of forks of this service's own streams, and the newest of what it is held against: all SQL about them. */
import type { ForkEvidence, HashHex } from "@svc/core";
import type { Reader, Writer } from "@svc/host/store";

/** Evidence with its number along its stream. */
export interface NumberedFork {
  readonly forkNo: number;
  readonly fork: ForkEvidence;
}

/** Whose stream it is, and where it ends; null where there is none. Of any tenant: evidence does not name one. */
export function streamEnd(
  reader: Reader,
  streamId: string,
): Promise<{ readonly tenant_id: string; readonly head_seq_no: number } | null> {
  return reader.first("SELECT tenant_id, head_seq_no FROM streams WHERE stream_id = $1", streamId);
}

/** Keeps evidence about a stream, behind what is there. Answers false where the same two sides are there already. */
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

/** Whether evidence of these two sides is there. */
export async function hasFork(reader: Reader, sidesHash: HashHex): Promise<boolean> {
  return (await reader.first("SELECT 1 FROM forks WHERE sides_hash = $1", sidesHash)) !== null;
}

/** At most so much evidence about a stream behind a number, ascending. */
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

/** The evidence of all forks as it is stored. */
export function forkDocuments(reader: Reader): Promise<{ fork_id: string; document: string }[]> {
  return reader.all("SELECT fork_id, document FROM forks ORDER BY fork_id");
}
