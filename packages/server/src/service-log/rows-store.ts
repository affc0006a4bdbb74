/** Whole rows of the service log as the database stores them, for checking: all SQL about them. */
import type { RawRow } from "@svc/host/checks";
import type { Reader } from "@svc/host/store";

/** Resolves to the leaves from an index on, in order, each with its checkpoint as `checkpoint` and `stored_hash`. */
export function rawLeaves(reader: Reader, fromIndex: number, most: number): Promise<RawRow[]> {
  return reader.all(
    `SELECT l.*, c.document AS checkpoint, c.checkpoint_hash AS stored_hash FROM service_log_leaves l
     LEFT JOIN checkpoints c ON c.checkpoint_id = l.checkpoint_id
     WHERE l.leaf_index >= $1 ORDER BY l.leaf_index LIMIT $2`,
    fromIndex,
    most,
  );
}

/** Resolves to the epochs behind a number, in order. */
export function rawEpochs(reader: Reader, afterNo: number, most: number): Promise<RawRow[]> {
  return reader.all("SELECT * FROM epochs WHERE epoch_no > $1 ORDER BY epoch_no LIMIT $2", afterNo, most);
}

/** Resolves to the queue behind a row, in its order, each with its checkpoint as `checkpoint` and `stored_hash`. */
export function rawQueue(reader: Reader, afterStream: string, afterNo: number, most: number): Promise<RawRow[]> {
  return reader.all(
    `SELECT q.*, c.document AS checkpoint, c.checkpoint_hash AS stored_hash FROM unlogged_checkpoints q
     LEFT JOIN checkpoints c ON c.checkpoint_id = q.checkpoint_id
     WHERE (q.stream_id, q.checkpoint_no) > ($1, $2) ORDER BY q.stream_id, q.checkpoint_no LIMIT $3`,
    afterStream,
    afterNo,
    most,
  );
}

/** Resolves to the row of the log's state; null if it has not begun. */
export function rawState(reader: Reader): Promise<RawRow | null> {
  return reader.first("SELECT * FROM service_log");
}
