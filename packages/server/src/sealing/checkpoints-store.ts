/** Checkpoints as they were sealed, each with the frontier before its first window: all SQL about them. */
import type { Checkpoint, HashHex } from "@svc/core";
import type { Reader, Writer } from "@svc/host/store";

/** A checkpoint, its hash, and the frontier of the tree before its first listed window. */
export interface StoredCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly checkpointHash: HashHex;
  readonly frontierBefore: readonly HashHex[];
}

interface Row {
  readonly document: string;
  readonly checkpoint_hash: HashHex;
  readonly frontier_before: string;
}

const COLUMNS = "c.document, c.checkpoint_hash, c.frontier_before";
const SELECT = `SELECT ${COLUMNS} FROM checkpoints c`;

/**
 * Selects the checkpoints of a stream that any witness has cosigned, starting from the statements: any number of
 * checkpoints may wait for witnesses. CROSS JOIN keeps SQLite to that order.
 */
const STATED = `FROM witness_statements o CROSS JOIN checkpoints c
  WHERE o.stream_id = $1 AND c.stream_id = o.stream_id AND c.checkpoint_id = o.checkpoint_id`;

/**
 * Holds for checkpoints that as many witnesses have cosigned as their witness policy demands. Several rows may have the
 * digest; they then hold one document.
 */
const IS_WITNESSED = `
  (SELECT COUNT(DISTINCT s.witness_id) FROM witness_statements s
     WHERE s.stream_id = c.stream_id AND s.checkpoint_id = c.checkpoint_id)
  >= (SELECT MAX(w.threshold) FROM witness_policies w WHERE w.digest = c.witness_policy_digest)`;

/** Inserts a checkpoint. */
export async function insertCheckpoint(
  writer: Writer,
  tenantId: string,
  { checkpoint, checkpointHash, frontierBefore }: StoredCheckpoint,
): Promise<void> {
  await writer.run(
    `INSERT INTO checkpoints (checkpoint_id, tenant_id, stream_id, checkpoint_no, window_count, to_seq_no, checkpoint_hash,
       witness_policy_digest, frontier_before, document)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    checkpoint.checkpoint_id,
    tenantId,
    checkpoint.stream_id,
    checkpoint.checkpoint_no,
    checkpoint.window_count,
    checkpoint.to_seq_no,
    checkpointHash,
    checkpoint.witness_policy_digest,
    JSON.stringify(frontierBefore),
    JSON.stringify(checkpoint),
  );
}

/** Resolves to a checkpoint, or null. Anybody may see it: checkpoints carry hashes only. */
export async function findCheckpoint(reader: Reader, checkpointId: string): Promise<StoredCheckpoint | null> {
  return parsed(await reader.first<Row>(`${SELECT} WHERE c.checkpoint_id = $1`, checkpointId));
}

/** Resolves to a checkpoint of a stream, or null. */
export async function checkpointOfStream(
  reader: Reader,
  streamId: string,
  checkpointId: string,
): Promise<StoredCheckpoint | null> {
  const sql = `${SELECT} WHERE c.stream_id = $1 AND c.checkpoint_id = $2`;
  return parsed(await reader.first<Row>(sql, streamId, checkpointId));
}

/** Resolves to the last checkpoint of a stream, or null. */
export async function newestStoredCheckpoint(reader: Reader, streamId: string): Promise<StoredCheckpoint | null> {
  const sql = `${SELECT} WHERE c.stream_id = $1 ORDER BY c.checkpoint_no DESC LIMIT 1`;
  return parsed(await reader.first<Row>(sql, streamId));
}

/** Does the same, and resolves to the checkpoint alone. */
export async function newestCheckpoint(reader: Reader, streamId: string): Promise<Checkpoint | null> {
  return (await newestStoredCheckpoint(reader, streamId))?.checkpoint ?? null;
}

/** Resolves to the checkpoint that ends with a window, or null. */
export async function checkpointByWindowCount(
  reader: Reader,
  streamId: string,
  windowCount: number,
): Promise<StoredCheckpoint | null> {
  const sql = `${SELECT} WHERE c.stream_id = $1 AND c.window_count = $2`;
  return parsed(await reader.first<Row>(sql, streamId, windowCount));
}

/**
 * Resolves to the id of an earlier checkpoint of the same stream, behind so many windows, whose message of this kind is
 * not done, or null.
 */
export async function earlierWithOpenMessage(
  reader: Reader,
  kind: string,
  { stream_id, window_count }: Pick<Checkpoint, "stream_id" | "window_count">,
  behindWindows: number,
): Promise<string | null> {
  const row = await reader.first<{ checkpoint_id: string }>(
    // The query starts from the stream's own checkpoints: where a thousand streams wait for the witness, so many
    // messages are open, and each would ask again. CROSS JOIN keeps SQLite to that order.
    `SELECT c.checkpoint_id FROM checkpoints c CROSS JOIN outbox o
     WHERE c.stream_id = $2 AND c.window_count > $4 AND c.window_count < $3
       AND o.kind = $1 AND o.stream_id = c.stream_id AND o.subject = c.checkpoint_id AND o.done_at IS NULL LIMIT 1`,
    kind,
    stream_id,
    window_count,
    behindWindows,
  );
  return row?.checkpoint_id ?? null;
}

/** Resolves to the last event under a checkpoint that is witnessed to its policy's threshold, or 0. */
export async function newestWitnessedSeqNo(reader: Reader, streamId: string): Promise<number> {
  const row = await reader.first<{ to_seq_no: number }>(
    `SELECT c.to_seq_no ${STATED} AND ${IS_WITNESSED} ORDER BY o.window_count DESC LIMIT 1`,
    streamId,
  );
  return row?.to_seq_no ?? 0;
}

/** Resolves to the first checkpoint, witnessed to its policy's threshold, that covers an event, or null. */
export async function firstWitnessedOver(
  reader: Reader,
  streamId: string,
  seqNo: number,
): Promise<StoredCheckpoint | null> {
  const first =
    "SELECT f.window_count FROM checkpoints f WHERE f.stream_id = $1 AND f.to_seq_no >= $2 ORDER BY f.to_seq_no " +
    "LIMIT 1";
  const sql =
    `SELECT ${COLUMNS} ${STATED} AND o.window_count >= (${first}) AND ${IS_WITNESSED} ORDER BY o.window_count ` +
    `LIMIT 1`;
  return parsed(await reader.first<Row>(sql, streamId, seqNo));
}

/** Resolves to the last event under a witnessed checkpoint that ends within a range of events; null if none does. */
export async function lastWitnessedWithin(
  reader: Reader,
  streamId: string,
  fromSeqNo: number,
  toSeqNo: number,
): Promise<number | null> {
  const row = await reader.first<{ to_seq_no: number }>(
    `SELECT c.to_seq_no FROM checkpoints c WHERE c.stream_id = $1 AND c.to_seq_no >= $2 AND c.to_seq_no <= $3 AND ${IS_WITNESSED}
     ORDER BY c.to_seq_no DESC LIMIT 1`,
    streamId,
    fromSeqNo,
    toSeqNo,
  );
  return row?.to_seq_no ?? null;
}

/** Resolves to the first checkpoint, witnessed or not, that covers an event, or null. */
export async function firstCheckpointOver(
  reader: Reader,
  streamId: string,
  seqNo: number,
): Promise<StoredCheckpoint | null> {
  const sql = `${SELECT} WHERE c.stream_id = $1 AND c.to_seq_no >= $2 ORDER BY c.to_seq_no LIMIT 1`;
  return parsed(await reader.first<Row>(sql, streamId, seqNo));
}

/** Resolves to the checkpoints that end with a window of this range, both ends included, ascending. */
export async function checkpointsOverWindows(
  reader: Reader,
  streamId: string,
  fromWindowNo: number,
  toWindowCount: number,
): Promise<StoredCheckpoint[]> {
  const rows = await reader.all<Row>(
    `${SELECT} WHERE c.stream_id = $1 AND c.window_count >= $2 AND c.window_count <= $3 ORDER BY c.checkpoint_no`,
    streamId,
    fromWindowNo,
    toWindowCount,
  );
  return rows.map(fromRow);
}

/** Resolves to the checkpoint that lists a window, or null. */
export async function checkpointOverWindow(
  reader: Reader,
  streamId: string,
  windowNo: number,
): Promise<StoredCheckpoint | null> {
  const sql = `${SELECT} WHERE c.stream_id = $1 AND c.window_count >= $2 ORDER BY c.window_count LIMIT 1`;
  return parsed(await reader.first<Row>(sql, streamId, windowNo));
}

/**
 * Resolves to the frontier before the first window of the checkpoint that lists a window, and the number of windows
 * before it; null if no checkpoint lists it.
 */
export async function frontierUnder(
  reader: Reader,
  streamId: string,
  windowNo: number,
): Promise<{ readonly size: number; readonly frontier: readonly HashHex[] } | null> {
  const row = await reader.first<{ frontier_before: string; size: number | null }>(
    `SELECT c.frontier_before,
       (SELECT MAX(p.window_count) FROM checkpoints p WHERE p.stream_id = $1 AND p.window_count < $2) AS size
     FROM checkpoints c WHERE c.stream_id = $1 AND c.window_count >= $2 ORDER BY c.window_count LIMIT 1`,
    streamId,
    windowNo,
  );
  return row && { size: row.size ?? 0, frontier: JSON.parse(row.frontier_before) as HashHex[] };
}

/** Resolves to the checkpoints of a stream behind a number, ascending, `most` at most. */
export async function checkpointsAfter(
  reader: Reader,
  streamId: string,
  afterNo: number,
  most: number,
): Promise<StoredCheckpoint[]> {
  const sql = `${SELECT} WHERE c.stream_id = $1 AND c.checkpoint_no > $2 ORDER BY c.checkpoint_no LIMIT $3`;
  return (await reader.all<Row>(sql, streamId, afterNo, most)).map(fromRow);
}

function parsed(row: Row | null): StoredCheckpoint | null {
  return row === null ? null : fromRow(row);
}

function fromRow(row: Row): StoredCheckpoint {
  return {
    checkpoint: JSON.parse(row.document) as Checkpoint,
    checkpointHash: row.checkpoint_hash,
    frontierBefore: JSON.parse(row.frontier_before) as HashHex[],
  };
}
