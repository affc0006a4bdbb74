/** Whole rows of sealed evidence as the database stores them, for checking: all SQL about it. */
import type { RawRow } from "@svc/host/checks";
import type { Reader } from "@svc/host/store";

/** Resolves to the windows of a stream behind a number, in order. */
export function rawWindows(reader: Reader, streamId: string, afterNo: number, most: number): Promise<RawRow[]> {
  return reader.all(
    "SELECT * FROM windows WHERE stream_id = $1 AND window_no > $2 ORDER BY window_no LIMIT $3",
    streamId,
    afterNo,
    most,
  );
}

/** Resolves to the checkpoints of a stream behind a number, in order. */
export function rawCheckpoints(reader: Reader, streamId: string, afterNo: number, most: number): Promise<RawRow[]> {
  const sql = "SELECT * FROM checkpoints WHERE stream_id = $1 AND checkpoint_no > $2 ORDER BY checkpoint_no LIMIT $3";
  return reader.all(sql, streamId, afterNo, most);
}

/** Resolves to the checkpoint of a stream over so many windows, or null. */
export function rawCheckpoint(reader: Reader, streamId: string, windowCount: number): Promise<RawRow | null> {
  const sql = "SELECT * FROM checkpoints WHERE stream_id = $1 AND window_count = $2";
  return reader.first(sql, streamId, windowCount);
}

/** Resolves to the statements on a checkpoint. */
export function rawStatements(reader: Reader, checkpointId: string): Promise<RawRow[]> {
  return reader.all(
    "SELECT * FROM witness_statements WHERE checkpoint_id = $1 ORDER BY witness_id, key_epoch",
    checkpointId,
  );
}

/** Resolves to whether a checkpoint still waits for its cosignature. */
export async function awaitsCosigning(reader: Reader, kind: string, checkpointId: string): Promise<boolean> {
  const sql = "SELECT 1 FROM outbox WHERE kind = $1 AND subject = $2 AND done_at IS NULL";
  return (await reader.first(sql, kind, checkpointId)) !== null;
}
