/** The rows of logs and their keys: all SQL about them. */
import type { Reader, Writer } from "@svc/host/store";

/** A key of a log. */
export interface LogKeyRow {
  readonly origin: string;
  readonly vkey: string;
  readonly added_at: string;
  /** 1 if it also signs the logs of the streams of this origin's service; 0 if not. */
  readonly streams: number;
}

/** Resolves to the vkeys of an origin; none for an unknown one. */
export async function vkeysOf(reader: Reader, origin: string): Promise<string[]> {
  const rows = await reader.all<{ vkey: string }>("SELECT vkey FROM log_keys WHERE origin = $1 ORDER BY vkey", origin);
  return rows.map(({ vkey }) => vkey);
}

/** Resolves to the vkeys of a service that also sign the logs of its streams. */
export async function streamVkeysOf(reader: Reader, origin: string): Promise<string[]> {
  const sql = "SELECT vkey FROM log_keys WHERE origin = $1 AND streams = 1 ORDER BY vkey";
  return (await reader.all<{ vkey: string }>(sql, origin)).map(({ vkey }) => vkey);
}

/** A key of a stream. */
export interface StreamKeyRow extends Pick<LogKeyRow, "origin" | "vkey"> {
  /** 1 if a list has brought it. */
  readonly listed: number;
  /** 1 if something was cosigned for the stream. */
  readonly cosigned: number;
}

/** Resolves to the keys of the origins below that of a service, as those of its streams are. */
export function streamKeysOf(reader: Reader, service: string): Promise<StreamKeyRow[]> {
  const sql = `SELECT origin, vkey, listed,
      EXISTS (SELECT 1 FROM latest WHERE latest.origin = log_keys.origin) AS cosigned
    FROM log_keys WHERE origin > $1 AND origin < $2 ORDER BY origin, vkey`;
  return reader.all<StreamKeyRow>(sql, `${service}/str_`, `${service}/str\``);
}

/** Forgets a key that a list has brought. */
export async function forgetListed(writer: Writer, origin: string, vkey: string): Promise<void> {
  await writer.run("DELETE FROM log_keys WHERE origin = $1 AND vkey = $2 AND listed = 1", origin, vkey);
}

/**
 * Stores a key, or that it signs streams as well, or that the operator gives one that a list had brought; resolves to
 * whether that is new.
 */
export async function addVkey(
  writer: Writer,
  { origin, vkey, added_at, streams }: LogKeyRow,
  from: "by the operator" | "from a list" = "by the operator",
): Promise<boolean> {
  const sql = `INSERT INTO log_keys (origin, vkey, added_at, streams, listed) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (origin, vkey) DO UPDATE
    SET streams = MAX(log_keys.streams, excluded.streams), listed = MIN(log_keys.listed, excluded.listed)
    WHERE excluded.streams > log_keys.streams OR excluded.listed < log_keys.listed`;
  return (await writer.run(sql, origin, vkey, added_at, streams, Number(from === "from a list"))) === 1;
}

/**
 * Resolves to whether an origin is known: it has a key, or had one and something was cosigned for it. A list of others
 * changes nothing about it then.
 */
export async function isKnownOrigin(reader: Reader, origin: string): Promise<boolean> {
  const sql =
    "SELECT 1 AS one FROM log_keys WHERE origin = $1 UNION ALL SELECT 1 FROM latest WHERE origin = $1 LIMIT 1";
  return (await reader.first<{ one: number }>(sql, origin)) !== null;
}

/** Forgets the keys of an origin, and resolves to their number. All that was signed for it stays. */
export function removeOrigin(writer: Writer, origin: string): Promise<number> {
  return writer.run("DELETE FROM log_keys WHERE origin = $1", origin);
}

/** A log in the operator's list. */
export interface ListedKey extends LogKeyRow {
  /** The size of the tree that was cosigned last, or null. */
  readonly tree_size: number | null;
  /** Unix seconds. */
  readonly cosigned_at: number | null;
}

/** Resolves to all keys with what was cosigned for their origins. */
export function listKeys(reader: Reader): Promise<ListedKey[]> {
  return reader.all<ListedKey>(
    `SELECT log_keys.origin, vkey, added_at, streams, tree_size, cosigned_at
     FROM log_keys LEFT JOIN latest ON latest.origin = log_keys.origin ORDER BY log_keys.origin, vkey`,
  );
}

/** Resolves to the number of origins. */
export async function countOrigins(reader: Reader): Promise<number> {
  const row = await reader.first<{ origins: number }>("SELECT COUNT(DISTINCT origin) AS origins FROM log_keys");
  return row?.origins ?? 0;
}
