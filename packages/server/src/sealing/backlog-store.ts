/** The backlog of the sealer, over all tenants: all SQL about it. */
import type { Reader } from "@svc/host/store";
import { FEED_KINDS } from "../feeding/fed-witness.ts";

const OPEN = "FROM outbox WHERE done_at IS NULL AND kind NOT LIKE $1";

/** Resolves to the number of events that no window holds yet, closed streams aside. */
export async function unwindowedEvents(reader: Reader): Promise<number> {
  const row = await reader.first<{ events: number }>(
    "SELECT COALESCE(SUM(head_seq_no - windowed_to_seq_no), 0) AS events FROM streams WHERE unwindowed_since IS " +
      "NOT NULL AND closed_at IS NULL",
  );
  return Number(row?.events ?? 0);
}

/** Resolves to the number of windows that no checkpoint covers yet, closed streams aside. */
export async function uncheckpointedWindows(reader: Reader): Promise<number> {
  const row = await reader.first<{ windows: number }>(
    "SELECT COALESCE(SUM(window_count - checkpointed_window_count), 0) AS windows FROM streams WHERE " +
      "window_count > checkpointed_window_count AND closed_at IS NULL",
  );
  return Number(row?.windows ?? 0);
}

/**
 * Resolves to the number of outbox messages within this deployment that are not done, and to the attempts and the last
 * error of the message that was tried most. Those to outside witnesses are reported elsewhere (feeding/).
 */
export async function openMessages(
  reader: Reader,
): Promise<{ readonly open: number; readonly attempts: number; readonly last_error: string | null }> {
  const count = await reader.first<{ open: number }>(`SELECT COUNT(*) AS open ${OPEN}`, FEED_KINDS);
  const worst = await reader.first<{ attempts: number; last_error: string | null }>(
    `SELECT attempts, last_error ${OPEN} ORDER BY attempts DESC LIMIT 1`,
    FEED_KINDS,
  );
  return { open: count?.open ?? 0, attempts: worst?.attempts ?? 0, last_error: worst?.last_error ?? null };
}
