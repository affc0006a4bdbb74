/**
 * The database on a PostgreSQL server, at least version 15, which several processes share. Every transaction is one of
 * the server's own, and leaves nothing on its connection but plans. A transaction that locks the rows on which it
 * depends runs at READ COMMITTED, every other one at SERIALIZABLE: what the server undoes because of others is run
 * again.
 *
 * When the connection is lost while a commit is waited for, nobody knows whether it happened: AnswerLost says so, and
 * the caller looks it up.
 */
import { setTimeout as pause } from "node:timers/promises";
import { failpoint } from "../failpoint.ts";
import {
  AnswerLost,
  type Database,
  type Reader,
  StoreUnavailable,
  WriteConflict,
  type WriteOptions,
  type Writer,
} from "./database.ts";
import type { ServerLocation } from "./location.ts";
import {
  ASK_BACKEND,
  type Backend,
  COMMITS,
  SERVING,
  type Serving,
  unnamedRisks,
  type View,
} from "./postgres-backend.ts";
import { commit, within } from "./postgres-commit.ts";
import type { Connection } from "./postgres-connection.ts";
import { endsConnection, StatementRefused, serverFault } from "./postgres-fault.ts";
import { PostgresPool, viewOf } from "./postgres-pool.ts";
import { PrimaryDiscovery } from "./postgres-primary-discovery.ts";
import { type ColumnTypes, Transaction } from "./postgres-transaction.ts";

/** The most transactions that write at a time: more of them only wait for each other on the server. */
const MAX_WRITERS = 4;
/** The most of these that give way to others. */
const MAX_PATIENT = 2;
const MAX_READERS = 8;
/**
 * How long a transaction that loses to others about the same rows is tried again: at least so long, and so often where
 * everything is slow, but no longer than it would wait for a lock.
 */
const RETRY_MS = 2_000;
const RETRIES = 100;
/** The longest pause before that: longer ones would leave the rows to those that never pause. */
const MAX_PAUSE_MS = 8;
/** How long a statement, and the wait for a lock, may take. */
const STATEMENT_MS = 30_000;
const LOCK_MS = 10_000;
/** How long an idle transaction may stay open on the server after its process was lost. */
const IDLE_MS = 15_000;
/** How long a commit is waited for: a synchronous standby may be gone. */
const COMMIT_MS = 30_000;
/** The most processes of the server that are remembered as checked: a pooler ends old ones and starts others. */
const MAX_CHECKED = 1_000;
const UNIQUE_VIOLATION = "23505";

const LIMITS =
  `SET LOCAL statement_timeout = ${STATEMENT_MS}; SET LOCAL lock_timeout = ${LOCK_MS}; SET LOCAL ` +
  `idle_in_transaction_session_timeout = ${IDLE_MS}`;
/** `what`: the columns of View, or of Serving where there is no table of commits. */
const beginReading = (what: string) => `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${LIMITS}; SELECT ${what}`;
const BEGIN_LOCKING = `BEGIN ISOLATION LEVEL READ COMMITTED; ${LIMITS}; ${ASK_BACKEND}`;
const BEGIN_SERIALIZABLE = `BEGIN ISOLATION LEVEL SERIALIZABLE; ${LIMITS}; ${ASK_BACKEND}`;
/** A commit that ran out of time would be known to the server alone. */
const COMMIT = "SET LOCAL statement_timeout = 0; COMMIT";
/** The same where standbys are waited for: if it has written, others can tell that they may not have it. */
const COMMIT_WAITING = `SET LOCAL statement_timeout = 0;
  INSERT INTO ${COMMITS} SELECT pg_current_xact_id()::text::bigint WHERE pg_current_xact_id_if_assigned() IS NOT NULL;
  SELECT pg_current_xact_id_if_assigned()::text AS number; COMMIT`;

/**
 * Returns what must hold for a process of the server that is to be written; that rejects if it does not. It is called
 * before a transaction begins, because that can see the database as it was then: what it has to find must be older.
 */
export type Check = () => (reader: Reader) => Promise<void>;

/**
 * Returns a database of a server. `check`: runs in the first transaction that each process of the server runs, before
 * it writes; a rejection undoes that one, and the next is checked again. It connects when it is first used.
 */
export function openPostgres(place: ServerLocation, check?: Check): Database {
  return new PostgresDatabase(place, check);
}

/** Connections that read only. */
export class PostgresReaders {
  readonly #pool: PostgresPool;
  readonly #discovery: PrimaryDiscovery;
  /** Whether there is a table of commits, as far as is known. */
  #keepsCommits = false;

  constructor({ url }: ServerLocation, discovery: PrimaryDiscovery = new PrimaryDiscovery()) {
    this.#discovery = discovery;
    this.#pool = new PostgresPool({ url, most: MAX_READERS, isForWriting: false, discovery });
  }

  /** Runs `work` in a transaction that reads one snapshot. */
  async read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const connection = await this.#pool.take();
    const transaction = new Transaction(connection, new Map());
    const giveBack = async () =>
      this.#pool.giveBack(connection, transaction.isBroken || !(await rolledBack(connection)));
    try {
      transaction.begin<View>(beginReading(this.#keepsCommits ? this.#discovery.view : SERVING), (view) => {
        connection.processId = view.process_id;
        this.#keepsCommits = view.keeps_commits;
        return this.#discovery.require(view, connection.target);
      });
      const value = await work(transaction);
      await transaction.settled();
      return value;
    } catch (error) {
      // The table may be gone with another database.
      this.#keepsCommits = false;
      throw transaction.fault ?? error;
    } finally {
      // Nobody waits for the end of a transaction that only read.
      void giveBack();
    }
  }

  /** Closes the idle connections at once, and the others when they are released. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

class PostgresDatabase implements Database {
  readonly maxWriters = MAX_WRITERS;
  readonly #discovery = new PrimaryDiscovery();
  readonly #readers: PostgresReaders;
  readonly #pool: PostgresPool;
  readonly #types: ColumnTypes = new Map();
  /** Transactions that give way: how many go on, and those that wait. */
  #patient = 0;
  readonly #waiting: (() => void)[] = [];
  #commits = 0;
  readonly #place: ServerLocation;
  readonly #check: Check | undefined;
  /** The processes of the server on which `check` has run since the last fault. */
  readonly #checked = new Set<string>();

  constructor(place: ServerLocation, check?: Check) {
    this.#place = place;
    this.#check = check;
    this.#readers = new PostgresReaders(place, this.#discovery);
    this.#pool = new PostgresPool({
      url: place.url,
      most: MAX_WRITERS,
      isForWriting: true,
      discovery: this.#discovery,
    });
  }

  read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#readers.read(work);
  }

  async write<T>(
    work: (writer: Writer) => Promise<T>,
    { givesWay = false, isLocking = false }: WriteOptions = {},
  ): Promise<T> {
    if (givesWay) await this.#enter();
    try {
      const begun = performance.now();
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.#attempt(work, isLocking ? BEGIN_LOCKING : BEGIN_SERIALIZABLE);
        } catch (error) {
          const mayGoAgain = error instanceof WriteConflict || (isTaken(error) && attempt < 3);
          if (!mayGoAgain || isEnough(attempt, performance.now() - begun)) throw error;
        }
        // Two that met should not meet again.
        await pause(Math.random() * Math.min(2 ** attempt, MAX_PAUSE_MS));
      }
    } finally {
      if (givesWay) this.#leave();
    }
  }

  get commits(): number {
    return this.#commits;
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), this.#readers.close()]);
  }

  #enter(): Promise<void> {
    if (this.#patient < MAX_PATIENT) {
      this.#patient += 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#patient -= 1;
    else next();
  }

  async #attempt<T>(work: (writer: Writer) => Promise<T>, begin: string): Promise<T> {
    const connection = await this.#pool.take();
    const transaction = new Transaction(connection, this.#types);
    let isOver = false;
    try {
      const check = this.#check?.();
      let serving: Serving | null = null;
      transaction.begin<Backend>(begin, (backend, reader) => {
        connection.noteProcess(backend.process_id);
        serving = backend;
        return this.#require(backend, reader, check);
      });
      const value = await work(transaction);
      await transaction.settled();
      failpoint("commit: due");
      await this.#commit(connection, transaction, serving);
      failpoint("commit: done");
      isOver = true;
      this.#commits += 1;
      return value;
    } catch (error) {
      // The first fault is the reason of all that follow in a transaction.
      throw transaction.fault ?? error;
    } finally {
      if (!isOver && !transaction.isBroken) isOver = await rolledBack(connection);
      if (transaction.isBroken) this.#distrust();
      this.#pool.giveBack(connection, !isOver);
    }
  }

  /** Rejects for a process of the server that must not be written. `reader`: reads in its transaction. */
  async #require(backend: Backend, reader: Reader, check: ReturnType<Check> | undefined): Promise<void> {
    if (backend.only_reads !== "off") throw new StoreUnavailable("the server of the database only reads now");
    const risks = unnamedRisks(backend, this.#place.risks);
    if (risks !== null) throw new StoreUnavailable(risks);
    if (check === undefined || this.#checked.has(backend.backend)) return;
    await check(reader);
    if (this.#checked.size === MAX_CHECKED) this.#checked.clear();
    this.#checked.add(backend.backend);
  }

  /** After a fault another server may answer, with other rows. */
  #distrust(): void {
    this.#pool.throwIdleAway();
    this.#checked.clear();
  }

  async #commit(connection: Connection, transaction: Transaction, serving: Serving | null): Promise<void> {
    const keeps = serving?.waits === true && serving.keeps_commits;
    let answer: Awaited<ReturnType<typeof commit>>;
    try {
      answer = await commit(connection, keeps ? COMMIT_WAITING : COMMIT, COMMIT_MS);
      // A transaction that has failed is rolled back by COMMIT, without an error.
      if (answer.answers.at(-1)?.command !== "COMMIT")
        throw new StoreUnavailable("the database has undone a transaction");
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      if (!endsConnection(error)) throw serverFault(error);
      transaction.isBroken = true;
      throw new AnswerLost({ cause: serverFault(error) });
    }
    // The server has it, and its standby perhaps not: a promotion would lose it.
    if (answer.warning !== null) throw new AnswerLost({ cause: new Error(answer.warning) });
    if (serving === null || !serving.waits) return;
    const written: { readonly number: string | null } | undefined = keeps ? answer.answers.at(-2)?.rows[0] : undefined;
    const number = written?.number ?? null;
    if (number !== null) this.#discovery.confirm(serving, Number(number), connection.target);
    // A transaction that has written nothing waits for no standby, and may have read what none has.
    else await this.#discovery.require(await viewOf(connection, this.#discovery), connection.target);
  }
}

/** Returns whether a transaction that loses to others has been tried often enough, and for long enough. */
function isEnough(attempts: number, ms: number): boolean {
  return ms > LOCK_MS || (ms > RETRY_MS && attempts >= RETRIES);
}

/** Returns whether a row has a place that another has: one made by a transaction that ran at the same time, perhaps. */
function isTaken(error: unknown): boolean {
  return error instanceof StatementRefused && error.code === UNIQUE_VIOLATION;
}

async function rolledBack(connection: Connection): Promise<boolean> {
  return within(STATEMENT_MS, connection.query("ROLLBACK")).then(
    () => true,
    () => false,
  );
}
