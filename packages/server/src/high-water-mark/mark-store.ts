/** The queries for a database that may have lost events: all SQL about it. */
import type { Anchor, Checkpoint, HashHex } from "@svc/core";
import type { Reader, Writer } from "@svc/host/store";
import type { EventRow } from "../streams/events-store.ts";

/** Resolves to the hash of an event of any tenant; null if there is no such event. */
export async function findEventHash(reader: Reader, eventId: string): Promise<string | null> {
  const sql = "SELECT event_hash FROM events WHERE stream_event_id = $1";
  return (await reader.first<{ event_hash: string }>(sql, eventId))?.event_hash ?? null;
}

/**
 * Resolves to the event that was recorded last, in any stream, or null. Events have no index by time, so it is found
 * through the streams, which have the time of their last event: only those that share the latest one are looked at in
 * the table of events.
 */
export function newestEvent(
  reader: Reader,
): Promise<Pick<EventRow, "stream_event_id" | "event_hash" | "received_at"> | null> {
  return reader.first(
    // CROSS JOIN keeps SQLite from going through all events.
    `SELECT e.stream_event_id, e.event_hash, e.received_at FROM streams s
     CROSS JOIN events e WHERE s.last_received_at = (SELECT MAX(last_received_at) FROM streams)
     AND e.stream_id = s.stream_id AND e.seq_no = s.head_seq_no
     ORDER BY e.received_at DESC, e.stream_event_id DESC LIMIT 1`,
  );
}

/** Resolves to the root of a stream's checkpoint over so many windows; null if there is no such checkpoint. */
export async function checkpointRoot(reader: Reader, streamId: string, windowCount: number): Promise<HashHex | null> {
  const sql = "SELECT document FROM checkpoints WHERE stream_id = $1 AND window_count = $2";
  const row = await reader.first<{ document: string }>(sql, streamId, windowCount);
  return row === null ? null : (JSON.parse(row.document) as Checkpoint).checkpoint_root;
}

/**
 * Resolves to the root of the epoch over so many checkpoints; null if there is no such epoch. A database of an earlier
 * release has none.
 */
export async function epochRoot(reader: Reader, logSize: number): Promise<HashHex | null> {
  if (!(await reader.tables()).includes("epochs")) return null;
  const sql = "SELECT document FROM epochs WHERE log_size = $1";
  const row = await reader.first<{ document: string }>(sql, logSize);
  return row === null ? null : (JSON.parse(row.document) as Pick<Anchor, "epoch_root">).epoch_root;
}

/** Resolves to the number of open streams of each tenant. */
export function openStreams(reader: Reader): Promise<{ tenant_id: string; streams: number }[]> {
  return reader.all("SELECT tenant_id, COUNT(*) AS streams FROM streams WHERE closed_at IS NULL GROUP BY tenant_id");
}

/** Closes every stream. `now`: a service time. */
export async function closeAllStreams(writer: Writer, now: string): Promise<void> {
  await writer.run("UPDATE streams SET closed_at = $1 WHERE closed_at IS NULL", now);
}
