/** The rows of logs and their keys: all SQL about them. */
import type { Reader, Writer } from "@svc/host/store";

/** A key of a log. */
export interface LogKeyRow {
  readonly origin: string;
  readonly vkey: string;
  readonly added_at: string;
}

/** Resolves to the vkeys of an origin; none for an unknown one. */
export async function vkeysOf(reader: Reader, origin: string): Promise<string[]> {
  const rows = await reader.all<{ vkey: string }>("SELECT vkey FROM log_keys WHERE origin = $1 ORDER BY vkey", origin);
  return rows.map(({ vkey }) => vkey);
}

/** Stores a key, and resolves to whether it is new. */
export async function addVkey(writer: Writer, { origin, vkey, added_at }: LogKeyRow): Promise<boolean> {
  const sql = "INSERT INTO log_keys (origin, vkey, added_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
  return (await writer.run(sql, origin, vkey, added_at)) === 1;
}

/** Forgets the keys of an origin, and resolves to their number. All that was signed for it stays. */
export function removeOrigin(writer: Writer, origin: string): Promise<number> {
  return writer.run("DELETE FROM log_keys WHERE origin = $1", origin);
}

/** A log in the operator's list. */
export interface ListedKey extends LogKeyRow {
  /** The size of the tree that was cosigned last; null if there is none. */
  readonly tree_size: number | null;
  /** Unix seconds. */
  readonly cosigned_at: number | null;
}

/** Resolves to all keys with what was cosigned for their origins. */
export function listKeys(reader: Reader): Promise<ListedKey[]> {
  return reader.all<ListedKey>(
    `SELECT log_keys.origin, vkey, added_at, tree_size, cosigned_at
     FROM log_keys LEFT JOIN latest ON latest.origin = log_keys.origin ORDER BY log_keys.origin, vkey`,
  );
}

/** Resolves to the number of origins. */
export async function countOrigins(reader: Reader): Promise<number> {
  const row = await reader.first<{ origins: number }>("SELECT COUNT(DISTINCT origin) AS origins FROM log_keys");
  return row?.origins ?? 0;
}
