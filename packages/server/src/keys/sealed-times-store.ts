/** The newest time in anything that the service has sealed: all SQL about it. */
import type { Reader } from "@svc/host/store";

/**
 * Resolves to the latest received_at, closed_at or created_at of all streams, and anchored_at of the service log; null
 * if nothing is sealed.
 */
export async function newestSealedTime(reader: Reader): Promise<string | null> {
  const row = await reader.first<{ received: string | null; sealed: string | null }>(
    "SELECT MAX(last_received_at) AS received, MAX(last_sealed_at) AS sealed FROM streams",
  );
  // Times of epochs never decrease.
  const epoch = await reader.first<{ anchored_at: string }>(
    "SELECT anchored_at FROM epochs ORDER BY epoch_no DESC LIMIT 1",
  );
  const mined = await reader.first<{ anchored_at: string }>(
    "SELECT anchored_at FROM mined_epochs ORDER BY anchored_at DESC LIMIT 1",
  );
  const voided = await reader.first<{ anchored_at: string }>(
    "SELECT anchored_at FROM voided_epochs ORDER BY anchored_at DESC LIMIT 1",
  );
  const known = [row?.received, row?.sealed, epoch?.anchored_at, mined?.anchored_at, voided?.anchored_at];
  const times = known.filter((time) => time !== null && time !== undefined);
  return times.sort().at(-1) ?? null;
}
