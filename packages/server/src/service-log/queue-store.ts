/** The checkpoints that are not in the service log yet: all SQL about them. */
import type { Checkpoint, HashHex } from "@svc/core";
import { inList, type Reader, type Writer, written } from "@svc/host/store";

/** A checkpoint that waits for its place in the log. */
export interface UnloggedRow {
  readonly stream_id: string;
  readonly checkpoint_no: number;
  readonly checkpoint_id: string;
  readonly checkpoint_hash: HashHex;
  readonly created_at: string;
}

const COLUMNS = ["stream_id", "checkpoint_no", "checkpoint_id", "checkpoint_hash", "created_at"] as const;
const SELECT = `SELECT ${COLUMNS.join(", ")} FROM unlogged_checkpoints`;

/** Returns the row of a checkpoint. */
export function unlogged(checkpoint: Checkpoint, checkpoint_hash: HashHex): UnloggedRow {
  const { stream_id, checkpoint_no, checkpoint_id, created_at } = checkpoint;
  return { stream_id, checkpoint_no, checkpoint_id, checkpoint_hash, created_at };
}

/** Inserts checkpoints of one stream; leaves out those that wait already. */
export async function queueCheckpoints(writer: Writer, rows: readonly UnloggedRow[]): Promise<void> {
  await writer.insert(
    { table: "unlogged_checkpoints", columns: COLUMNS, skipsRepeated: true },
    rows.map((row) => COLUMNS.map((column) => row[column])),
  );
}

/**
 * Resolves to the first checkpoints in order of creation. Their times never decrease along a stream, so that each
 * stream's come in the order of their numbers.
 */
export function firstUnlogged(reader: Reader, most: number): Promise<UnloggedRow[]> {
  return reader.all<UnloggedRow>(`${SELECT} ORDER BY created_at, stream_id, checkpoint_no LIMIT $1`, most);
}

/** Removes checkpoints of one stream that are in the log by now. */
export async function removeLogged(writer: Writer, streamId: string, checkpointNos: readonly number[]): Promise<void> {
  const { sql, values } = written(
    (place) =>
      `DELETE FROM unlogged_checkpoints WHERE stream_id = ${place(streamId)} AND ` +
      `${inList("checkpoint_no", checkpointNos)(place)}`,
  );
  await writer.run(sql, ...values);
}
