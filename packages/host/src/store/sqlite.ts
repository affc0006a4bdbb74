/**
 * The embedded database: one SQLite file in WAL mode, `synchronous=FULL`, so that a commit that returned is on disk. One
 * connection writes; a few others read snapshots of what is committed. Several processes may open the same file.
 *
 * Group commit: transactions that arrive together, of whatever family, share one commit and one wait for the disk. Each
 * stays a transaction of its own, with its own outcome. This grouping knows nothing of their work, and saves none of it:
 * the other grouping, that of appends (packages/server/src/streams/append.ts), makes one transaction of many requests.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as pause, setImmediate as turnOfEventLoop } from "node:timers/promises";
import { failpoint } from "../failpoint.ts";
import { copySqlite } from "./copy-sqlite.ts";
import {
  type Database,
  type EmbeddedDatabase,
  type Reader,
  StoreUnavailable,
  StoreUncertain,
  WriteConflict,
  type Writer,
} from "./database.ts";
import { Connection, isBusy, storeFault } from "./sqlite-connection.ts";
import { SqliteReaders } from "./sqlite-readers.ts";

/** How long a writer waits for another process's transaction. */
const WRITE_WAIT_MS = 10_000;
/** How long SQLite itself waits for a lock where another process opens or closes the file. */
const BUSY_TIMEOUT_MS = 5_000;
const MAX_ATTEMPTS = 5;
/** How many transactions are committed together at most: it bounds how long the first of them waits. */
const MAX_GROUP = 256;
/** What the connection that writes may keep in memory. */
const WRITER_CACHE_KIB = 32_768;
/** Pages of the write-ahead log after which they are moved into the database: 64 MiB. Pages that many streams share are then moved once for many appends. */
const CHECKPOINT_PAGES = 16_384;
/** What the write-ahead log keeps of the disk once it begins anew: it grows for as long as one reads a snapshot, as fsck and backup do. */
const MAX_LOG_BYTES = 2 * 4096 * CHECKPOINT_PAGES;
/** The `user_version` of a file of which every page was written under `secure_delete`. */
const FORGETFUL = 1;

/** In place of a path: a database that is only in memory, and gone when it is closed. */
export const IN_MEMORY = ":memory:";

/** Opens the file, and makes it where it is not there. `onUncertain` is called once, where nothing more can be written until it is opened again. */
export function openSqlite(
  path: string,
  onUncertain: (error: StoreUncertain) => void = () => undefined,
): EmbeddedDatabase {
  return new SqliteDatabase(path, onUncertain);
}

/** Which database a transaction at hand belongs to, where that is in memory. */
const inMemoryTransaction = new AsyncLocalStorage<Database>();

/** A caller's transaction, and whom to tell. */
interface Waiting {
  readonly work: (writer: Writer) => Promise<unknown>;
  /** When it stops waiting for another process, by `performance.now()`. */
  readonly deadline: number;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/** What became of one of several transactions that are committed together. */
type Outcome = { readonly value: unknown } | { readonly error: unknown };

class SqliteDatabase implements EmbeddedDatabase {
  readonly #path: string;
  readonly #onUncertain: (error: StoreUncertain) => void;
  #uncertain: StoreUncertain | null = null;
  readonly #writer: Connection;
  readonly #readers: SqliteReaders;
  readonly #waiting: Waiting[] = [];
  /** What is to be done when no transaction is open. */
  readonly #between: (() => void)[] = [];
  #serving: Promise<void> | null = null;
  #closed = false;
  #commits = 0;

  constructor(path: string, onUncertain: (error: StoreUncertain) => void) {
    this.#path = path;
    this.#onUncertain = onUncertain;
    this.#readers = new SqliteReaders(path);
    // The writer does not wait inside SQLite, which would stop this whole process while it waits: #begin waits instead.
    this.#writer = new Connection(path, { timeout: 0, readOnly: false });
    this.#writer.execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF");
    // What is deleted is written over with zeros: erased payloads must not stay in free pages.
    this.#writer.execute("PRAGMA secure_delete = ON");
    // Indexes without order are written all over the file: their pages stay in memory, and are moved into the file less often.
    this.#writer.execute(`PRAGMA cache_size = -${WRITER_CACHE_KIB}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    this.#writer.execute(`PRAGMA journal_size_limit = ${MAX_LOG_BYTES}`);
    // Only here may SQLite wait: another process may be opening the same file.
    this.#writer.execute(
      `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 0`,
    );
  }

  read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#path === IN_MEMORY ? this.#readInMemory(work) : this.#readers.read(work);
  }

  /**
   * What is in memory belongs to one connection: who reads waits for who writes. Inside of a transaction that would be for ever, and so it is refused.
   */
  #readInMemory<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    if (inMemoryTransaction.getStore() === this)
      throw new Error("a transaction inside of another one: a database in memory has one connection");
    return this.write(work);
  }

  write<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new StoreUnavailable("the database is closed"));
    return new Promise((resolve, reject) => {
      // From now on, not from its turn: or the waits of queued writers for one foreign lock would add up.
      this.#waiting.push({ work, deadline: performance.now() + WRITE_WAIT_MS, resolve, reject });
      this.#serve();
    });
  }

  /** Without `secure_delete`, rows that moved to another page leave a copy behind, which no later change of the row can find. */
  async prepareForgetting(): Promise<void> {
    const row = await this.#writer.first<{ user_version: number }>("PRAGMA user_version");
    if (row?.user_version === FORGETFUL) return;
    try {
      // A command may be at work on the same file.
      this.#writer.execute(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; VACUUM; PRAGMA user_version = ${FORGETFUL}`);
    } catch (error) {
      throw storeFault(error);
    } finally {
      this.#writer.execute("PRAGMA busy_timeout = 0");
    }
    await this.forgetDeleted();
  }

  /** The write-ahead log holds old pages until it is written over: moved into the database, which holds zeros there, and cut to nothing. */
  forgetDeleted(): Promise<boolean> {
    if (this.#closed) return Promise.reject(new StoreUnavailable("the database is closed"));
    return new Promise((resolve, reject) => {
      this.#between.push(() => {
        this.#writer
          .first<{ busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)")
          .then((row) => resolve(row?.busy === 0), reject);
      });
      this.#serve();
    });
  }

  get commits(): number {
    return this.#commits;
  }

  copyTo(path: string): void {
    if (this.#path === IN_MEMORY) throw new TypeError("a database in memory has no file to be copied");
    copySqlite(this.#path, path);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#serving;
    this.#readers.close();
    this.#writer.close();
  }

  #serve(): void {
    this.#serving ??= this.#serveAll();
  }

  /** Commits what waits, in order, until nothing waits. What arrives while a group is being committed is the next group. */
  async #serveAll(): Promise<void> {
    while (this.#waiting.length + this.#between.length > 0) {
      // Whatever has arrived with the same turn of the event loop shares one commit, and one wait for the disk.
      await turnOfEventLoop();
      for (const action of this.#between.splice(0)) action();
      const group = this.#waiting.splice(0, MAX_GROUP);
      if (group.length > 0) await this.#commitTogether(group);
    }
    this.#serving = null;
  }

  /**
   * After a failed wait for the disk the system counts the pages as written, so that the next wait succeeds without them. The commit that failed may
   * stand in the log whole, and be there after a restart: what came behind it would be lost with it.
   */
  #distrust(error: StoreUncertain): void {
    if (this.#uncertain !== null) return;
    this.#uncertain = error;
    this.#onUncertain(error);
  }

  /** One transaction for all; each can fail alone. Nobody is told anything before the commit is on disk. */
  async #commitTogether(group: readonly Waiting[]): Promise<void> {
    const outcomes: Outcome[] = [];
    try {
      if (this.#uncertain !== null) throw new StoreUnavailable("the disk has failed", { cause: this.#uncertain });
      await this.#begin(Math.min(...group.map(({ deadline }) => deadline)));
      for (const { work } of group) outcomes.push(await this.#attempt(work));
      failpoint("commit: due");
      this.#writer.step("COMMIT");
      failpoint("commit: done");
      this.#commits += 1;
    } catch (error) {
      this.#rollBack();
      const fault = storeFault(error);
      if (fault instanceof StoreUncertain) this.#distrust(fault);
      for (const { reject } of group) reject(fault);
      return;
    }
    for (const [index, { resolve, reject }] of group.entries()) {
      const outcome = outcomes[index] ?? { error: new Error("a transaction has no outcome") };
      if ("error" in outcome) reject(outcome.error);
      else resolve(outcome.value as never);
    }
  }

  /** Runs one of the transactions of a group, so that nothing of it remains where it throws. Throws where the whole group is lost. */
  async #attempt(work: Waiting["work"]): Promise<Outcome> {
    for (let attempt = 1; ; attempt++) {
      this.#writer.step("SAVEPOINT one");
      try {
        const value = await (this.#path === IN_MEMORY
          ? inMemoryTransaction.run(this, () => work(this.#writer))
          : work(this.#writer));
        this.#writer.step("RELEASE one");
        return { value };
      } catch (error) {
        // A full disk, for one, makes SQLite undo the whole transaction by itself.
        if (!this.#writer.inTransaction) throw error;
        this.#writer.step("ROLLBACK TO one");
        this.#writer.step("RELEASE one");
        if (!(error instanceof WriteConflict) || attempt === MAX_ATTEMPTS) return { error: storeFault(error) };
      }
    }
  }

  /** A rollback that fails, as on a broken disk, is made good before the next transaction begins. */
  #rollBack(): void {
    try {
      if (this.#writer.inTransaction) this.#writer.step("ROLLBACK");
    } catch {
      // The transaction is still open, and #begin rolls it back again.
    }
  }

  /** Begins at once where it can, even after the deadline, which only ends waiting. */
  async #begin(deadline: number): Promise<void> {
    for (let waitMs = 1; ; waitMs = Math.min(2 * waitMs, 50)) {
      try {
        this.#rollBack();
        this.#writer.step("BEGIN IMMEDIATE");
        return;
      } catch (error) {
        if (!isBusy(error)) throw storeFault(error);
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
