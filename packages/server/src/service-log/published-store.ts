/** The checkpoints of a stream with their places in the service log: all SQL about them. */
import type { Reader } from "@svc/host/store";

/** A checkpoint, and its leaf; null if it is not in the log. */
export interface LoggedCheckpoint {
  readonly checkpoint_no: number;
  readonly to_seq_no: number;
  readonly leaf_index: number | null;
}

/** Resolves to the last checkpoint of a stream up to a number, or null. */
export function loggedCheckpoint(reader: Reader, streamId: string, upToNo: number): Promise<LoggedCheckpoint | null> {
  return reader.first<LoggedCheckpoint>(
    `SELECT c.checkpoint_no, c.to_seq_no, l.leaf_index FROM checkpoints c
     LEFT JOIN service_log_leaves l ON l.checkpoint_id = c.checkpoint_id
     WHERE c.stream_id = $1 AND c.checkpoint_no <= $2 ORDER BY c.checkpoint_no DESC LIMIT 1`,
    streamId,
    upToNo,
  );
}
