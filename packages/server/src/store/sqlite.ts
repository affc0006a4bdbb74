/**
 * The embedded database: one SQLite file in WAL mode, `synchronous=FULL`, so that a commit that returned is on disk. One connection
 * writes, in turn; a few others read snapshots of what is committed. Several processes may open the same file.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import {
  type Database,
  type Reader,
  type SqlValue,
  StoreFull,
  StoreUnavailable,
  WriteConflict,
  type Writer,
} from "./database.ts";

/** How long a writer waits for another process's transaction. */
const WRITE_WAIT_MS = 10_000;
/** How long SQLite itself waits for a lock; readers meet one only while another process opens or closes the file. */
const BUSY_TIMEOUT_MS = 5_000;
const MAX_ATTEMPTS = 5;
const MAX_IDLE_READERS = 4;
/** SQLite's result codes for what the machine, and not the statement, is to blame for. */
const SQLITE = { busy: 5, readonly: 8, ioError: 10, full: 13, cannotOpen: 14 } as const;
const UNAVAILABLE: readonly (number | null)[] = [SQLITE.busy, SQLITE.readonly, SQLITE.ioError, SQLITE.cannotOpen];

/** Opens the file, and makes it where it is not there. */
export function openSqlite(path: string): Database {
  return new SqliteDatabase(path);
}

class SqliteDatabase implements Database {
  readonly #path: string;
  readonly #writer: Connection;
  readonly #idleReaders: Connection[] = [];
  #lastWrite: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(path: string) {
    this.#path = path;
    // The writer does not wait inside SQLite, which would stop this whole process while it waits: #begin waits instead.
    this.#writer = new Connection(path, { timeout: 0, readOnly: false });
    this.#writer.execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF");
    // Only here may SQLite wait: another process may be opening the same file.
    this.#writer.execute(
      `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 0`,
    );
  }

  async read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    if (this.#closed) throw new StoreUnavailable("the database is closed");
    const connection = this.#idleReaders.pop() ?? this.#openReader();
    try {
      connection.execute("BEGIN");
      return await work(connection);
    } catch (error) {
      throw storeFault(error);
    } finally {
      if (connection.inTransaction) connection.execute("COMMIT");
      if (this.#closed || this.#idleReaders.length >= MAX_IDLE_READERS) connection.close();
      else this.#idleReaders.push(connection);
    }
  }

  write<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new StoreUnavailable("the database is closed"));
    // From now on, not from its turn: or the waits of queued writers for one foreign lock would add up.
    const deadline = performance.now() + WRITE_WAIT_MS;
    const written = this.#lastWrite.then(() => this.#attempt(work, deadline));
    this.#lastWrite = written.catch(() => undefined);
    return written;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#lastWrite;
    for (const reader of this.#idleReaders.splice(0)) reader.close();
    this.#writer.close();
  }

  #openReader(): Connection {
    try {
      return new Connection(this.#path, { timeout: BUSY_TIMEOUT_MS, readOnly: true });
    } catch (error) {
      throw storeFault(error);
    }
  }

  async #attempt<T>(work: (writer: Writer) => Promise<T>, deadline: number): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#transact(work, deadline);
      } catch (error) {
        if (!(error instanceof WriteConflict) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  async #transact<T>(work: (writer: Writer) => Promise<T>, deadline: number): Promise<T> {
    await this.#begin(deadline);
    try {
      const result = await work(this.#writer);
      this.#writer.execute("COMMIT");
      return result;
    } catch (error) {
      this.#rollBack();
      throw storeFault(error);
    }
  }

  /** A rollback that fails, as on a broken disk, is made good before the next transaction begins. */
  #rollBack(): void {
    try {
      if (this.#writer.inTransaction) this.#writer.execute("ROLLBACK");
    } catch {}
  }

  /** Begins at once where it can, even after the deadline, which only ends waiting. */
  async #begin(deadline: number): Promise<void> {
    for (let waitMs = 1; ; waitMs = Math.min(2 * waitMs, 50)) {
      try {
        this.#rollBack();
        this.#writer.execute("BEGIN IMMEDIATE");
        return;
      } catch (error) {
        if (resultCode(error) !== SQLITE.busy) throw storeFault(error);
        if (performance.now() > deadline)
          throw new StoreUnavailable(
            `the database could not be written for ${WRITE_WAIT_MS} ms: another process holds it`,
            { cause: error },
          );
      }
      await pause(waitMs);
    }
  }
}

/** One SQLite connection with its prepared statements. */
class Connection implements Writer {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string, options: { timeout: number; readOnly: boolean }) {
    this.#database = new DatabaseSync(path, options);
  }

  async all<Row>(sql: string, ...parameters: SqlValue[]): Promise<Row[]> {
    return this.#prepare(sql).all(...parameters) as Row[];
  }

  async first<Row>(sql: string, ...parameters: SqlValue[]): Promise<Row | null> {
    return (this.#prepare(sql).get(...parameters) as Row | undefined) ?? null;
  }

  async run(sql: string, ...parameters: SqlValue[]): Promise<number> {
    return Number(this.#prepare(sql).run(...parameters).changes);
  }

  async script(sql: string): Promise<void> {
    this.execute(sql);
  }

  execute(sql: string): void {
    this.#database.exec(sql);
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  close(): void {
    this.#database.close();
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql.replace(/\$(\d+)/g, "?$1"));
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** What a failure of SQLite means to the caller: a disk that is full, a database out of reach. All else stays as it is. */
function storeFault(error: unknown): unknown {
  const code = resultCode(error);
  if (code === SQLITE.full) return new StoreFull({ cause: error });
  if (UNAVAILABLE.includes(code)) return new StoreUnavailable("the database cannot be reached", { cause: error });
  return error;
}

function resultCode(error: unknown): number | null {
  const { errcode } = error as { errcode?: number };
  // Extended result codes carry the basic one in their lowest byte.
  return typeof errcode === "number" ? errcode & 0xff : null;
}
