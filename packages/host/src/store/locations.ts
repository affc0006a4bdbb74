/**
 * The place of a database, as data, for a thread that needs its own connections. A place on a server holds a password:
 * it is never logged.
 */
import type { Database, EmbeddedDatabase, Reader, StoreUncertain } from "./database.ts";
import { type Check, openPostgres, PostgresReaders } from "./postgres.ts";
import type { Risk } from "./postgres-backend.ts";
import { openSqlite } from "./sqlite.ts";
import { SqliteReaders } from "./sqlite-readers.ts";

/** A database in a file of this machine. */
export interface FileLocation {
  readonly file: string;
}

/** A database of a PostgreSQL server. */
export interface ServerLocation {
  /** `postgres://user:password@host:port/database`, with several hosts if one can take over from another. */
  readonly url: string;
  /** The risks that the operator has named, and takes. */
  readonly risks: readonly Risk[];
}

/** Where a database is. */
export type DatabaseLocation = FileLocation | ServerLocation;

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
