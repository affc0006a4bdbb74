/** Tables, as their families describe them: how they grow, and how they move. Migrations make their columns. */

/**
 * A table grows with events and `requests`, with the `log` over all streams, which one job writes, or with the
 * `administration`: what people and processes do. Each shard can have all rows of the last kind.
 */
export type Growth = "requests" | "log" | "administration";

/** A table. */
export interface Table {
  readonly name: string;
  readonly grows: Growth;
  /** The column by which a database that shards spreads its rows, if it grows with requests; else null. */
  readonly shard: string | null;
  /** The columns, or expressions, that tell a row from all others: none is null, and an index has them so. */
  readonly key: readonly string[];
  /** The column that the database numbers by itself, or null. */
  readonly numbered: string | null;
  /** Why its rows are not moved to another database, in words; null for a table that is moved. */
  readonly stays: string | null;
}

const table = (name: string, grows: Growth, key: readonly string[]): Table => ({
  ...{ name, grows, key },
  ...{ shard: null, numbered: null, stays: null },
});

/** Returns a table that grows with what people and processes do. `key`: the columns that tell a row from all others. */
export function administrationTable(name: string, ...key: string[]): Table {
  return table(name, "administration", key);
}

/** Returns a table of the log over all streams. */
export function logTable(name: string, ...key: string[]): Table {
  return table(name, "log", key);
}

/** Returns a table that grows with events and requests. `shard`: the column by which its rows are spread. */
export function requestTable(name: string, shard: string, ...key: string[]): Table {
  return { ...table(name, "requests", key), shard };
}

/** The tables of jobs and of connections, which each program has beside those of its families. */
export const OWN_TABLES: readonly Table[] = [
  { ...administrationTable("jobs"), stays: "leases are of processes that have ended by then" },
  { ...administrationTable("unconfirmed_commits"), stays: "they are commits of the server that is left" },
  requestTable("outbox", "stream_id", "outbox_id"),
];
