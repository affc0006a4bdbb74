/**
 * The embedded database: one SQLite file in WAL mode, `synchronous=FULL`, so that a commit that returned is on disk.
 * One connection writes; a few others read snapshots of the committed rows. Several processes may open the same file.
 *
 * Group commit: transactions that arrive together, from any family, share one commit and one wait for the disk. Each
 * stays a separate transaction, with its own outcome. This grouping knows nothing of their work, and saves none of it:
 * the other grouping, that of appends (packages/server/src/streams/append.ts), makes one transaction of many requests.
 *
 * Transactions that give way share the commits of the others, each of which takes a few of them along.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as pause, setImmediate as turnOfEventLoop } from "node:timers/promises";
import { failpoint } from "../failpoint.ts";
import { copySqlite } from "./copy-sqlite.ts";
import {
  type Database,
  type EmbeddedDatabase,
  type Reader,
  StoreFull,
  StoreUnavailable,
  StoreUncertain,
  WriteConflict,
  type WriteOptions,
  type Writer,
} from "./database.ts";
import { SqliteCheckpoints } from "./sqlite-checkpoints.ts";
import { Connection, isBusy, storeFault } from "./sqlite-connection.ts";
import { SqliteReaders } from "./sqlite-readers.ts";

/** How long a writer waits for another process's transaction. */
const WRITE_WAIT_MS = 10_000;
/** How long SQLite itself waits for a lock while another process opens or closes the file. */
const BUSY_TIMEOUT_MS = 5_000;
const MAX_ATTEMPTS = 5;
/** The most transactions in one commit: it bounds how long the first of them waits. */
const MAX_GROUP = 256;
/**
 * The most time in a commit of transactions that give way, as a part of the time of the others in it. The first of them
 * may take longer.
 */
const PART_THAT_GIVES_WAY = 0.1;
/** The most memory that the writing connection uses for pages. */
const WRITER_CACHE_KIB = 32_768;
/**
 * The size of the write-ahead log, in pages, at which they are moved into the database: 64 MiB. Pages that many streams
 * share are then moved once for many appends.
 */
const CHECKPOINT_PAGES = 16_384;
/** The `user_version` of a file whose pages were all written under `secure_delete`. */
const FORGETFUL = 1;

/** In place of a path: a database that exists only in memory, until it is closed. */
export const IN_MEMORY = ":memory:";

/**
 * Opens the file, or creates it. `onUncertain` is called once, when nothing more can be written until the file is
 * opened again. `checkpointPages`: the size of the write-ahead log at which it is moved into the file. Throws the
 * errors of SQLite.
 */
export function openSqlite(
  path: string,
  onUncertain: (error: StoreUncertain) => void = () => undefined,
  { checkpointPages = CHECKPOINT_PAGES }: { readonly checkpointPages?: number } = {},
): EmbeddedDatabase {
  return new SqliteDatabase(path, onUncertain, checkpointPages);
}

/** The database in memory to which the running transaction belongs. */
const inMemoryTransaction = new AsyncLocalStorage<Database>();

/** A caller's transaction, and the promise to settle. */
interface Waiting {
  readonly work: (writer: Writer) => Promise<unknown>;
  /** When it stops waiting for another process, by `performance.now()`. */
  readonly deadline: number;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/** The outcome of one of several transactions that are committed together. */
type Outcome = { readonly value: unknown } | { readonly error: unknown };

class SqliteDatabase implements EmbeddedDatabase {
  readonly #path: string;
  readonly #onUncertain: (error: StoreUncertain) => void;
  #uncertain: StoreUncertain | null = null;
  readonly #writer: Connection;
  readonly #readers: SqliteReaders;
  readonly #checkpoints: SqliteCheckpoints | null;
  readonly #waiting: Waiting[] = [];
  /** Those that give way. */
  readonly #patient: Waiting[] = [];
  /** Actions that need a moment without an open transaction. */
  readonly #between: (() => void)[] = [];
  #serving: Promise<void> | null = null;
  #closed = false;
  #commits = 0;

  constructor(path: string, onUncertain: (error: StoreUncertain) => void, checkpointPages: number) {
    this.#path = path;
    this.#onUncertain = onUncertain;
    this.#readers = new SqliteReaders(path);
    // The writer must not wait inside SQLite, which would stop this whole process meanwhile: #begin waits instead.
    this.#writer = new Connection(path, { timeout: 0, readOnly: false });
    this.#writer.execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF");
    // Deleted bytes are overwritten with zeros: erased payloads must not stay in free pages.
    this.#writer.execute("PRAGMA secure_delete = ON");
    // Indexes without order write all over the file: the cache keeps their pages in memory, so that they are moved into
    // the file less often.
    this.#writer.execute(`PRAGMA cache_size = -${WRITER_CACHE_KIB}; PRAGMA wal_autocheckpoint = 0`);
    // The space that the log keeps when it begins anew: it grows as long as a snapshot is being read, as fsck does.
    this.#writer.execute(`PRAGMA journal_size_limit = ${2 * 4096 * checkpointPages}`);
    // SQLite may wait only here: another process may be opening the same file.
    this.#writer.execute(
      `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 0`,
    );
    this.#checkpoints =
      path === IN_MEMORY
        ? null
        : new SqliteCheckpoints(path, this.#writer, checkpointPages, (fault) => this.#note(fault));
  }

  read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#path === IN_MEMORY ? this.#readInMemory(work) : this.#readers.read(work);
  }

  /**
   * A database in memory has one connection, so a read waits for the writer. Inside a transaction the read would wait
   * for ever, and is refused.
   */
  #readInMemory<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    if (inMemoryTransaction.getStore() === this)
      throw new Error("a transaction inside of another one: a database in memory has one connection");
    return this.write(work);
  }

  write<T>(work: (writer: Writer) => Promise<T>, { givesWay = false }: WriteOptions = {}): Promise<T> {
    if (this.#closed) return Promise.reject(new StoreUnavailable("the database is closed"));
    return new Promise((resolve, reject) => {
      // The deadline counts from now, not from the writer's turn: otherwise the waits of queued writers for one foreign
      // lock would add up.
      const queue = givesWay ? this.#patient : this.#waiting;
      queue.push({ work, deadline: performance.now() + WRITE_WAIT_MS, resolve, reject });
      this.#serve();
    });
  }

  /**
   * Without `secure_delete`, a row that moved to another page leaves a copy behind, which no later change of the row
   * can reach.
   */
  async prepareForgetting(): Promise<void> {
    const row = await this.#writer.first<{ user_version: number }>("PRAGMA user_version");
    if (row?.user_version === FORGETFUL) return;
    try {
      // A command may be working on the same file.
      this.#writer.execute(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; VACUUM; PRAGMA user_version = ${FORGETFUL}`);
    } catch (error) {
      throw storeFault(error);
    } finally {
      this.#writer.execute("PRAGMA busy_timeout = 0");
    }
    await this.forgetDeleted();
  }

  /**
   * The write-ahead log holds old pages until they are overwritten. It is moved into the database, which has zeros in
   * their place, and truncated.
   */
  forgetDeleted(): Promise<boolean> {
    if (this.#closed) return Promise.reject(new StoreUnavailable("the database is closed"));
    return new Promise((resolve, reject) => {
      this.#between.push(() => {
        try {
          resolve(this.#writer.checkpoint("TRUNCATE").busy === 0);
        } catch (error) {
          reject(error);
        }
      });
      this.#serve();
    });
  }

  /** A transaction waits for those before it, and shares a commit with them. */
  readonly maxWriters = 1;

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
    await this.#checkpoints?.close();
    this.#readers.close();
    this.#writer.close();
  }

  #serve(): void {
    this.#serving ??= this.#serveAll();
  }

  /**
   * Commits the waiting transactions, in order, until none waits. Those that arrive during a commit form the next
   * group.
   */
  async #serveAll(): Promise<void> {
    while (this.#waiting.length + this.#patient.length + this.#between.length > 0) {
      // All transactions of the same turn of the event loop share one commit and one wait for the disk.
      await turnOfEventLoop();
      for (const action of this.#between.splice(0)) action();
      const urgent = this.#waiting.splice(0, MAX_GROUP);
      if (urgent.length + this.#patient.length > 0) await this.#commitTogether(urgent);
    }
    this.#serving = null;
  }

  /**
   * After a failed wait for the disk the system counts the pages as written, so that the next wait succeeds without
   * them. The failed commit may be whole in the log, and be there after a restart; or it may not, and then every commit
   * behind it would be lost with it.
   */
  #distrust(error: StoreUncertain): void {
    if (this.#uncertain !== null) return;
    this.#uncertain = error;
    this.#onUncertain(error);
  }

  /** Returns what a failure means to a caller; after a failed wait for the disk nothing more is written. */
  #note(error: unknown): unknown {
    const fault = storeFault(error);
    if (fault instanceof StoreUncertain) this.#distrust(fault);
    return fault;
  }

  /**
   * Runs one transaction for all, and for as many of those that give way as there is time for; each can fail alone. No
   * caller learns its outcome before the commit is on disk.
   */
  async #commitTogether(urgent: readonly Waiting[]): Promise<void> {
    // One that gives way begins a group only where nobody else waits.
    const group = urgent.length > 0 ? [...urgent] : this.#patient.splice(0, 1);
    const outcomes: Outcome[] = [];
    try {
      if (this.#uncertain !== null) throw new StoreUnavailable("the disk has failed", { cause: this.#uncertain });
      await this.#begin(Math.min(...group.map(({ deadline }) => deadline)));
      const begunAt = performance.now();
      for (const { work } of group) outcomes.push(await this.#attempt(work));
      const until = performance.now() + PART_THAT_GIVES_WAY * (performance.now() - begunAt);
      for (let taken = 0; group.length < MAX_GROUP; taken++) {
        // Others can arrive only while the event loop turns.
        if (this.#patient.length > 0) await turnOfEventLoop();
        const isLate = urgent.length > 0 ? taken > 0 && performance.now() >= until : this.#waiting.length > 0;
        const next = isLate ? undefined : this.#patient.shift();
        if (next === undefined) break;
        group.push(next);
        outcomes.push(await this.#attempt(next.work));
      }
      failpoint("commit: due");
      this.#writer.step("COMMIT");
      failpoint("commit: done");
      this.#commits += 1;
    } catch (error) {
      this.#rollBack();
      const fault = this.#note(error);
      // One that finds no room must not refuse those that need none, or less.
      if (fault instanceof StoreFull && group.length > 1) for (const one of group) await this.#commitTogether([one]);
      else for (const { reject } of group) reject(fault);
      return;
    }
    for (const [index, { resolve, reject }] of group.entries()) {
      const outcome = outcomes[index] ?? { error: new Error("a transaction has no outcome") };
      if ("error" in outcome) reject(outcome.error);
      else resolve(outcome.value as never);
    }
    this.#checkpoints?.look();
  }

  /**
   * Runs one of the transactions of a group, so that nothing of it remains if it throws. Throws if the whole group is
   * lost.
   */
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
        // SQLite undoes the whole transaction by itself in some cases, such as a full disk.
        if (!this.#writer.inTransaction) throw error;
        this.#writer.step("ROLLBACK TO one");
        this.#writer.step("RELEASE one");
        if (!(error instanceof WriteConflict) || attempt === MAX_ATTEMPTS) return { error: storeFault(error) };
      }
    }
  }

  /** Rolls back. If that fails, as on a broken disk, the next transaction makes it good before it begins. */
  #rollBack(): void {
    try {
      if (this.#writer.inTransaction) this.#writer.step("ROLLBACK");
    } catch {
      // The transaction is still open, and #begin rolls it back again.
    }
  }

  /** Begins at once if it can, even after the deadline: the deadline only ends waiting. */
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
