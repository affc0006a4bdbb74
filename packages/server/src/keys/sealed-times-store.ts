/** The newest time in anything that the service has sealed: all SQL about it. */
import type { Reader } from "@svc/host/store";

/** Resolves to the latest received_at, closed_at or created_at of all streams; null if nothing is sealed. */
export async function newestSealedTime(reader: Reader): Promise<string | null> {
  const row = await reader.first<{ received: string | null; sealed: string | null }>(
    "SELECT MAX(last_received_at) AS received, MAX(last_sealed_at) AS sealed FROM streams",
  );
  const times = [row?.received ?? null, row?.sealed ?? null].filter((time) => time !== null);
  return times.sort().at(-1) ?? null;
}
