/** What an operator asks of a database: all SQL about it. */
import type { Reader } from "@svc/host/store";

/** What SQLite says of the file's own structure: "ok", or its first fault. */
export async function quickCheck(reader: Reader): Promise<string> {
  const row = await reader.first<{ quick_check: string }>("PRAGMA quick_check(1)");
  return row?.quick_check ?? "no answer";
}

/** When anything was recorded last, in any stream. */
export async function lastRecordedAt(reader: Reader): Promise<string | null> {
  const row = await reader.first<{ at: string | null }>("SELECT MAX(last_received_at) AS at FROM streams");
  return row?.at ?? null;
}

/** Errands to the outside that are not done, and the last error of the one that was tried most. */
export async function openErrands(
  reader: Reader,
): Promise<{ readonly open: number; readonly attempts: number; readonly last_error: string | null }> {
  const count = await reader.first<{ open: number }>("SELECT COUNT(*) AS open FROM outbox WHERE done_at IS NULL");
  const worst = await reader.first<{ attempts: number; last_error: string | null }>(
    "SELECT attempts, last_error FROM outbox WHERE done_at IS NULL ORDER BY attempts DESC LIMIT 1",
  );
  return { open: count?.open ?? 0, attempts: worst?.attempts ?? 0, last_error: worst?.last_error ?? null };
}

/** System keys in force now that end before a time. */
export function expiringKeys(
  reader: Reader,
  now: string,
  before: string,
): Promise<{ credential_id: string; expires_at: string }[]> {
  return reader.all(
    `SELECT credential_id, expires_at FROM credentials
     WHERE kind = 'system_key' AND revoked_at IS NULL AND expires_at > $1 AND expires_at <= $2 ORDER BY expires_at`,
    now,
    before,
  );
}

/** Erasures that the database's own files have not followed yet. */
export async function erasuresInFiles(reader: Reader, before: string): Promise<number> {
  const sql = "SELECT COUNT(*) AS erasures FROM erasures WHERE files_cleared_at IS NULL AND erased_at < $1";
  return (await reader.first<{ erasures: number }>(sql, before))?.erasures ?? 0;
}
