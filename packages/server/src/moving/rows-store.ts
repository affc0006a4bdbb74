/** The rows of whole tables, whatever they mean, and the locks on them: all SQL about it. */
import type { Reader, SqlValue, Table, Writer } from "@svc/host/store";
import type { Program } from "../program/program.ts";

/** The kind of a database: each has a different catalogue. */
export type Kind = "file" | "server";

/** A program, as far as it says which tables it has. */
export type TablesOf = Pick<Program, "tables" | "schemas">;

/** The key of a row: the values of the key's columns. */
export type Key = readonly SqlValue[];

/** The most rows in a portion, and about the most bytes unless one row alone has more. */
export const PORTION = { rows: 5_000, bytes: 8 * 1024 * 1024 } as const;

/** A portion of a table. */
export interface Batch {
  /** In the order of the columns. */
  readonly rows: readonly (readonly SqlValue[])[];
  /** The key of its last row. */
  readonly last: Key;
}

/** Resolves to the names of a table's columns, sorted; empty if there is no such table. */
export async function columnsOf(reader: Reader, kind: Kind, table: string): Promise<string[]> {
  const sql =
    kind === "file"
      ? "SELECT name FROM pragma_table_info($1)"
      : "SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped";
  const rows = await reader.all<{ name: string }>(sql, table);
  return rows.map(({ name }) => name).sort();
}

/** Resolves to the rows behind a key, or the first ones; null without rows. They have `upTo` at most. */
export async function batchAfter(
  reader: Reader,
  { name, key }: Pick<Table, "name" | "key">,
  columns: readonly string[],
  {
    after,
    upTo,
    most,
  }: { readonly after: Key | null; readonly upTo: Key | null; readonly most: typeof PORTION | Batched },
): Promise<Batch | null> {
  const keys = key.map((expression, index) => `${expression} AS key_${index}`);
  const names = key.map((_, index) => `key_${index}`);
  const bytes = columns.map((column) => `COALESCE(octet_length(CAST(${column} AS TEXT)), 0)`);
  // The sizes come first: a portion of large rows must not be in memory before it is known to be large.
  const first = between(key, after, upTo);
  const sized = await reader.all<Record<string, SqlValue>>(
    `SELECT ${keys.join(", ")}, ${bytes.join(" + ")} AS bytes FROM ${name} ${first.where} ORDER BY ` +
      `${names.join(", ")} LIMIT ${most.rows}`,
    ...first.values,
  );
  let [count, size] = [0, 0];
  while (count < sized.length && (count === 0 || size < most.bytes)) size += Number(sized[count++]?.bytes);
  const end = sized[count - 1];
  if (end === undefined) return null;
  const last = names.map((one) => end[one] ?? null);
  const these = between(key, after, last);
  const found = await reader.all<Record<string, SqlValue>>(
    `SELECT ${columns.join(", ")} FROM ${name} ${these.where} ORDER BY ${key.join(", ")}`,
    ...these.values,
  );
  return { rows: found.map((row) => columns.map((column) => row[column] ?? null)), last };
}

/** Smaller portions, for tests. */
export interface Batched {
  readonly rows: number;
  readonly bytes: number;
}

/** Returns the condition that a row comes behind one key, and not behind another. */
function between(key: readonly string[], after: Key | null, upTo: Key | null) {
  const [conditions, values]: [string[], SqlValue[]] = [[], []];
  for (const [sign, bound] of [
    [">", after],
    ["<=", upTo],
  ] as const) {
    if (bound === null) continue;
    const places = bound.map((value) => `$${values.push(value)}`);
    conditions.push(`(${key.join(", ")}) ${sign} (${places.join(", ")})`);
  }
  return { where: conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`, values };
}

/** Removes the rows of tables, of which each is behind those that its rows name. */
export async function clearTables(writer: Writer, tables: readonly Pick<Table, "name">[]): Promise<void> {
  const names = tables.map(({ name }) => name);
  await writer.script(
    names
      .toReversed()
      .map((name) => `DELETE FROM ${name}`)
      .join("; "),
    `TRUNCATE ${names.join(", ")}`,
  );
}

/** Lets the server number the next row behind those that have come with their numbers. A file does so by itself. */
export async function numberOn(writer: Writer, { name, numbered }: Pick<Table, "name" | "numbered">): Promise<void> {
  if (numbered === null) return;
  await writer.script(
    "",
    `SELECT setval(pg_get_serial_sequence('${name}', '${numbered}'), COALESCE(MAX(${numbered}), 1), COUNT(*) > ` +
      `0) FROM ${name}`,
  );
}

/**
 * Keeps all others from every table of a server's database until the transaction ends, however long that takes; the
 * server notices a machine that is gone.
 */
export async function lockAllTables(writer: Writer, { tables, schemas }: TablesOf): Promise<void> {
  const names = [...schemas.map(({ table }) => table), ...tables.map(({ name }) => name)];
  await writer.script(
    "",
    `SET LOCAL idle_in_transaction_session_timeout = 0;
     SET LOCAL tcp_keepalives_idle = 10; SET LOCAL tcp_keepalives_interval = 5; SET LOCAL tcp_keepalives_count = 3;
     LOCK TABLE ${names.join(", ")} IN ACCESS EXCLUSIVE MODE`,
  );
}

/** Resolves to the name of a job that somebody holds at a time, and not for longer than a lease lasts; else to null. */
export async function heldJob(reader: Reader, now: string, longest: string): Promise<string | null> {
  const sql = "SELECT job_name FROM jobs WHERE lease_until > $1 AND lease_until < $2 ORDER BY job_name LIMIT 1";
  return (await reader.first<{ job_name: string }>(sql, now, longest))?.job_name ?? null;
}

/** Resolves to a table that the program does not know, or null. `marks`: the tables of a move itself. */
export async function unknownTable(
  reader: Reader,
  { tables, schemas }: TablesOf,
  marks: readonly string[],
): Promise<string | null> {
  const known = [...schemas.map(({ table }) => table), ...tables.map(({ name }) => name), ...marks];
  return (await reader.tables()).find((name) => !known.includes(name)) ?? null;
}
