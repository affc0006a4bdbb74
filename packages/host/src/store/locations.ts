/** Opens databases at their locations, which are data: a thread opens its own connections. */
import type { Database, EmbeddedDatabase, Reader, StoreUncertain } from "./database.ts";
import type { DatabaseLocation } from "./location.ts";
import { type Check, openPostgres, PostgresReaders } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import { SqliteReaders } from "./sqlite-readers.ts";

/** Connections that read only, until they are closed. */
export interface Readers {
  /** Runs `work` on a snapshot of committed rows, and resolves to its result. Rejects with StoreUnavailable. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  close(): void;
}

/**
 * Opens reading connections, each when it is first needed. `rowByRow`: whether lists are read row by row, as they must
 * be in a heap with a limit.
 */
export function openReaders(
  place: DatabaseLocation,
  { rowByRow = false }: { readonly rowByRow?: boolean } = {},
): Readers {
  return "file" in place ? new SqliteReaders(place.file, { rowByRow }) : new PostgresReaders(place);
}

/** An opened database. */
export interface OpenedDatabase {
  readonly database: Database;
  /** The same, if it is in files of this machine; else null. */
  readonly embedded: EmbeddedDatabase | null;
}

/**
 * Opens a database. `onUncertain` is called once, when nothing more can be written to an embedded one until it is
 * opened again. `check` (postgres.ts) runs in the first transaction of each process of a server, before it writes; a
 * rejection refuses that one. Throws the errors of SQLite. It opens no connection to a server yet.
 */
export function openDatabase(
  place: DatabaseLocation,
  {
    onUncertain,
    check,
  }: {
    readonly onUncertain?: (error: StoreUncertain) => void;
    readonly check?: Check;
  } = {},
): OpenedDatabase {
  if ("url" in place) return { database: openPostgres(place, check), embedded: null };
  const embedded = openSqlite(place.file, onUncertain);
  return { database: embedded, embedded };
}
