/** The state of the service log, and the checkpoints of earlier releases that it has to take up: all SQL about them. */
import type { Checkpoint, HashHex } from "@svc/core";
import type { Reader, Writer } from "@svc/host/store";
import { type UnloggedRow, unlogged } from "./queue-store.ts";

/** A place among all checkpoints, stream by stream. */
export interface QueuedTo {
  readonly streamId: string;
  readonly checkpointNo: number;
}

/** The state of the log. */
export interface LogState {
  /** How far the checkpoints of earlier releases are queued; null when all of them are. */
  readonly queuedTo: QueuedTo | null;
  /** When epochs ended for good; null while they go on. */
  readonly closedAt: string | null;
}

const BEGINNING: QueuedTo = { streamId: "", checkpointNo: 0 };

/** Resolves to the state. */
export async function logState(reader: Reader): Promise<LogState> {
  const row = await reader.first<{
    queued_stream_id: string | null;
    queued_checkpoint_no: number | null;
    closed_at: string | null;
  }>("SELECT queued_stream_id, queued_checkpoint_no, closed_at FROM service_log");
  if (row === null) return { queuedTo: BEGINNING, closedAt: null };
  const { queued_stream_id: streamId, queued_checkpoint_no: checkpointNo, closed_at: closedAt } = row;
  return { queuedTo: streamId === null ? null : { streamId, checkpointNo: checkpointNo ?? 0 }, closedAt };
}

/** Notes how far the checkpoints of earlier releases are queued; null when all of them are. */
export async function noteQueued(writer: Writer, to: QueuedTo | null): Promise<void> {
  await writer.run(
    `INSERT INTO service_log (service_no, queued_stream_id, queued_checkpoint_no) VALUES (1, $1, $2)
     ON CONFLICT (service_no) DO UPDATE SET
       queued_stream_id = excluded.queued_stream_id, queued_checkpoint_no = excluded.queued_checkpoint_no`,
    to?.streamId ?? null,
    to?.checkpointNo ?? null,
  );
}

/** Ends the epochs for good, unless they have ended. `now`: a service time. */
export async function closeServiceLog(writer: Writer, now: string): Promise<void> {
  await writer.run(
    `INSERT INTO service_log (service_no, queued_stream_id, queued_checkpoint_no, closed_at) VALUES (1, $2, $3, $1)
     ON CONFLICT (service_no) DO UPDATE SET closed_at = COALESCE(service_log.closed_at, excluded.closed_at)`,
    now,
    BEGINNING.streamId,
    BEGINNING.checkpointNo,
  );
}

/**
 * Resolves to the next checkpoints behind a place, in order, `most` at most, all of one stream; to none behind the last
 * stream. Rejects if a stream lacks those that its row counts.
 */
export async function nextCheckpoints(reader: Reader, from: QueuedTo, most: number): Promise<UnloggedRow[]> {
  const rows = await checkpointsBehind(reader, from, most);
  if (rows.length > 0) return rows;
  const next = await reader.first<{ stream_id: string }>(
    "SELECT stream_id FROM streams WHERE stream_id > $1 AND checkpointed_window_count > 0 ORDER BY stream_id LIMIT 1",
    from.streamId,
  );
  if (next === null) return [];
  const first = await checkpointsBehind(reader, { streamId: next.stream_id, checkpointNo: 0 }, most);
  if (first.length === 0) throw new Error(`the checkpoints of ${next.stream_id} are missing from the database`);
  return first;
}

async function checkpointsBehind(
  reader: Reader,
  { streamId, checkpointNo }: QueuedTo,
  most: number,
): Promise<UnloggedRow[]> {
  const rows = await reader.all<{ document: string; checkpoint_hash: HashHex }>(
    "SELECT document, checkpoint_hash FROM checkpoints WHERE stream_id = $1 AND checkpoint_no > $2 ORDER BY " +
      "checkpoint_no LIMIT $3",
    streamId,
    checkpointNo,
    most,
  );
  return rows.map(({ document, checkpoint_hash }) => unlogged(JSON.parse(document) as Checkpoint, checkpoint_hash));
}
