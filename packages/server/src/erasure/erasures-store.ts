/** The record of erased payloads: all SQL about it. */
import type { Reader, Writer } from "@svc/host/store";

/** An erasure. */
export interface ErasureRow {
  readonly stream_event_id: string;
  /** The event of the lifecycle stream that records it. */
  readonly lifecycle_event_id: string;
  readonly erased_at: string;
}

/** Inserts an erasure. */
export async function insertErasure(writer: Writer, tenantId: string, row: ErasureRow): Promise<void> {
  await writer.run(
    "INSERT INTO erasures (stream_event_id, tenant_id, lifecycle_event_id, erased_at) VALUES ($1, $2, $3, $4)",
    row.stream_event_id,
    tenantId,
    row.lifecycle_event_id,
    row.erased_at,
  );
}

/** Resolves to the erasure of an event of this tenant; null if the payload is not erased. */
export function findErasure(reader: Reader, tenantId: string, eventId: string): Promise<ErasureRow | null> {
  return reader.first<ErasureRow>(
    "SELECT stream_event_id, lifecycle_event_id, erased_at FROM erasures WHERE tenant_id = $1 AND stream_event_id = $2",
    tenantId,
    eventId,
  );
}

/**
 * Resolves to the ids of events whose payloads may still be in the database's files, the earliest erasure first.
 * `most`: the highest number of ids.
 */
export async function unclearedErasures(reader: Reader, most: number): Promise<string[]> {
  const rows = await reader.all<{ stream_event_id: string }>(
    "SELECT stream_event_id FROM erasures WHERE files_cleared_at IS NULL ORDER BY erased_at LIMIT $1",
    most,
  );
  return rows.map(({ stream_event_id }) => stream_event_id);
}

/** Marks the erasures of these events as gone from the files. */
export async function markCleared(writer: Writer, eventIds: readonly string[], now: string): Promise<void> {
  for (const eventId of eventIds)
    await writer.run("UPDATE erasures SET files_cleared_at = $1 WHERE stream_event_id = $2", now, eventId);
}

/** Resolves to the number of erasures before a time that may still be in the database's files. */
export async function erasuresInFiles(reader: Reader, before: string): Promise<number> {
  const sql = "SELECT COUNT(*) AS erasures FROM erasures WHERE files_cleared_at IS NULL AND erased_at < $1";
  return (await reader.first<{ erasures: number }>(sql, before))?.erasures ?? 0;
}
