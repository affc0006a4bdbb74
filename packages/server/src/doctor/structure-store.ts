/** SQLite's check of the file's own structure: all SQL about it. */
import type { Reader } from "@svc/host/store";

/** Resolves to "ok", or to the first fault. */
export async function quickCheck(reader: Reader): Promise<string> {
  const row = await reader.first<{ quick_check: string }>("PRAGMA quick_check(1)");
  return row?.quick_check ?? "no answer";
}
