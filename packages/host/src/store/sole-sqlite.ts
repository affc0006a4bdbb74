/**
 * The embedded database for one process alone: as long as it is open here, no other connection reads or writes the
 * file. All of it is in the file then, without a write-ahead log, so that the file can be renamed when it is closed.
 */
import type { Database, Reader, Writer } from "./database.ts";
import { Connection, isBusy, storeFault } from "./sqlite-connection.ts";

/** How long another process may take to open or to close the file, unless the caller says otherwise. */
const WAIT_MS = 5_000;

/**
 * Opens a file; null if another process has it open. Throws the errors of SQLite. Nothing in it changes but the form of
 * its journal, which openSqlite changes back. `waitMs`: how long another process may take to close it.
 */
export function openSole(path: string, { waitMs = WAIT_MS }: { readonly waitMs?: number } = {}): Database | null {
  const connection = new Connection(path, { timeout: waitMs, readOnly: false });
  try {
    connection.execute("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA synchronous = FULL");
    // The lock is kept from the first transaction on until the file is closed. The journal changes only without others.
    connection.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; COMMIT");
    return new SoleSqlite(connection);
  } catch (error) {
    connection.close();
    if (isBusy(error)) return null;
    throw storeFault(error);
  }
}

class SoleSqlite implements Database {
  readonly maxWriters = 1;
  commits = 0;
  readonly #connection: Connection;
  #isClosed = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Nobody writes while work that reads is going on: a caller here waits for its own writes. */
  async read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    try {
      return await work(this.#connection);
    } catch (error) {
      throw storeFault(error);
    }
  }

  async write<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    try {
      this.#connection.step("BEGIN IMMEDIATE");
      const value = await work(this.#connection);
      this.#connection.step("COMMIT");
      this.commits += 1;
      return value;
    } catch (error) {
      if (this.#connection.inTransaction) this.#connection.step("ROLLBACK");
      throw storeFault(error);
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#connection.close();
  }
}
