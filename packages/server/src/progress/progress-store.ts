/** What is looked up and done when a database may have lost events: all SQL about it. */
import type { Reader, Writer } from "../store/database.ts";

/** The hash of an event of any tenant; null where there is none. */
export async function findEventHash(reader: Reader, eventId: string): Promise<string | null> {
  const sql = "SELECT event_hash FROM events WHERE stream_event_id = $1";
  return (await reader.first<{ event_hash: string }>(sql, eventId))?.event_hash ?? null;
}

/** How many streams of each tenant are open. */
export function openStreams(reader: Reader): Promise<{ tenant_id: string; streams: number }[]> {
  return reader.all("SELECT tenant_id, COUNT(*) AS streams FROM streams WHERE closed_at IS NULL GROUP BY tenant_id");
}

/** Closes every stream. */
export async function closeAllStreams(writer: Writer, now: string): Promise<void> {
  await writer.run("UPDATE streams SET closed_at = $1 WHERE closed_at IS NULL", now);
}
