/**
 * The database on a PostgreSQL server, at least version 15, which several processes share. Every transaction is one of
 * the server's own, and leaves nothing on its connection but plans. A transaction that locks the rows on which it
 * depends runs at READ COMMITTED, every other one at SERIALIZABLE: what the server undoes because of others is run
 * again.
 *
 * When the connection is lost while a commit is waited for, nobody knows whether it happened: AnswerLost says so, and
 * the caller looks it up.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { failpoint } from "../failpoint.ts";
import {
  AnswerLost,
  type Database,
  type InsertInto,
  type Reader,
  type SqlValue,
  StoreUnavailable,
  WriteConflict,
  type WriteOptions,
  type Writer,
} from "./database.ts";
import { isOutdated, nameOf, noteProcess } from "./named-statements.ts";
import type { ServerPlace } from "./places.ts";
import { ASK_BACKEND, type Backend, unnamedRisks } from "./postgres-backend.ts";
import { commit, within } from "./postgres-commit.ts";
import { endsConnection, StatementRefused, serverFault } from "./postgres-fault.ts";
import { PostgresPool } from "./postgres-pool.ts";

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
const IDLE_MS = 30_000;
/** How long a commit is waited for: a synchronous standby may be gone. */
const COMMIT_MS = 30_000;
/** The most processes of the server that are remembered as checked: a pooler ends old ones and starts others. */
const MAX_CHECKED = 1_000;
/** The most rows, and about the most characters, of one statement that inserts. */
const ROWS_AT_ONCE = 5_000;
const CHARACTERS_AT_ONCE = 8 * 1024 * 1024;

const UNIQUE_VIOLATION = "23505";

const LIMITS = `SET LOCAL statement_timeout = ${STATEMENT_MS}; SET LOCAL lock_timeout = ${LOCK_MS}; SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS}`;
const BEGIN_READING = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${LIMITS}`;
const BEGIN_LOCKING = `BEGIN ISOLATION LEVEL READ COMMITTED; ${LIMITS}; ${ASK_BACKEND}`;
const BEGIN_SERIALIZABLE = `BEGIN ISOLATION LEVEL SERIALIZABLE; ${LIMITS}; ${ASK_BACKEND}`;
/** A commit that ran out of time would be known to the server alone. */
const COMMIT = "SET LOCAL statement_timeout = 0; COMMIT";

/**
 * PostgreSQL has no text with U+0000, and refuses one as a parameter. Nothing that is stored has one: the routes refuse
 * it in every text that becomes a column of its own, and JSON escapes it. But filters, paths and names of other things
 * may be any text, and the answer is that there is no such thing. Such a question gets this in its place: a text that
 * nobody can have stored, because nobody knows it, and that stands where the other would in the order of all without
 * control characters. A statement that writes is still refused.
 */
const IN_PLACE_OF_NULL = `\u0001${randomUUID()}`;
/** A statement that writes nothing. */
const ASKS = /^\s*(?:SELECT\b|WITH\b(?!.*\b(?:INSERT|UPDATE|DELETE|MERGE)\b))/is;

/** The types of the columns of each table, by name: an insertion of many rows names them. They never change. */
type ColumnTypes = Map<string, ReadonlyMap<string, string>>;

/**
 * Returns a database of a server. `check`: runs in the first transaction that each process of the server runs, before
 * it writes; a rejection undoes that one, and the next is checked again. It connects when it is first used.
 */
export function openPostgres(place: ServerPlace, check?: (reader: Reader) => Promise<void>): Database {
  return new PostgresDatabase(place, check);
}

/** Connections that read only. */
export class PostgresReaders {
  readonly #pool: PostgresPool;

  constructor({ url }: ServerPlace) {
    this.#pool = new PostgresPool({ url, most: MAX_READERS, isForWriting: false });
  }

  read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return read(this.#pool, work);
  }

  /** Closes the idle connections at once, and the others when they are released. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

class PostgresDatabase implements Database {
  readonly maxWriters = MAX_WRITERS;
  readonly #readers: PostgresReaders;
  readonly #pool: PostgresPool;
  readonly #types: ColumnTypes = new Map();
  /** Transactions that give way: how many go on, and those that wait. */
  #patient = 0;
  readonly #waiting: (() => void)[] = [];
  #commits = 0;
  readonly #place: ServerPlace;
  readonly #check: ((reader: Reader) => Promise<void>) | undefined;
  /** The processes of the server on which `check` has run since the last fault. */
  readonly #checked = new Set<string>();

  constructor(place: ServerPlace, check?: (reader: Reader) => Promise<void>) {
    this.#place = place;
    this.#check = check;
    this.#readers = new PostgresReaders(place);
    this.#pool = new PostgresPool({ url: place.url, most: MAX_WRITERS, isForWriting: true });
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
    const client = await this.#pool.take();
    const transaction = new Transaction(client, this.#types);
    let isOver = false;
    try {
      transaction.begin(begin, (backend, reader) => this.#require(backend, reader));
      const value = await work(transaction);
      await transaction.settled();
      failpoint("commit: due");
      await this.#commit(client, transaction);
      failpoint("commit: done");
      isOver = true;
      this.#commits += 1;
      return value;
    } catch (error) {
      // The first fault is the reason of all that follow in a transaction.
      throw transaction.fault ?? error;
    } finally {
      if (!isOver && !transaction.isBroken) isOver = await rolledBack(client);
      if (transaction.isBroken) this.#distrust();
      this.#pool.giveBack(client, !isOver);
    }
  }

  /** Rejects for a process of the server that must not be written. `reader`: reads in its transaction. */
  async #require(backend: Backend, reader: Reader): Promise<void> {
    if (backend.only_reads !== "off") throw new StoreUnavailable("the server of the database only reads now");
    const risks = unnamedRisks(backend, this.#place.risks);
    if (risks !== null) throw new StoreUnavailable(risks);
    if (this.#check === undefined || this.#checked.has(backend.backend)) return;
    await this.#check(reader);
    if (this.#checked.size === MAX_CHECKED) this.#checked.clear();
    this.#checked.add(backend.backend);
  }

  /** After a fault another server may answer, with other rows. */
  #distrust(): void {
    this.#pool.throwIdleAway();
    this.#checked.clear();
  }

  async #commit(client: pg.Client, transaction: Transaction): Promise<void> {
    let warning: string | null = null;
    try {
      const answer = await commit(client, COMMIT, COMMIT_MS);
      // A transaction that has failed is rolled back by COMMIT, without an error.
      if (answer.command !== "COMMIT") throw new StoreUnavailable("the database has undone a transaction");
      warning = answer.warning;
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      if (!endsConnection(error)) throw serverFault(error);
      transaction.isBroken = true;
      throw new AnswerLost({ cause: serverFault(error) });
    }
    // The server has it, and its standby perhaps not: a promotion would lose it.
    if (warning !== null) throw new AnswerLost({ cause: new Error(warning) });
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

/** Runs `work` in a transaction that reads one snapshot. */
async function read<T>(pool: PostgresPool, work: (reader: Reader) => Promise<T>): Promise<T> {
  const client = await pool.take();
  const transaction = new Transaction(client, new Map());
  const giveBack = async () => pool.giveBack(client, transaction.isBroken || !(await rolledBack(client)));
  try {
    transaction.begin(BEGIN_READING);
    const value = await work(transaction);
    await transaction.settled();
    return value;
  } catch (error) {
    throw transaction.fault ?? error;
  } finally {
    // Nobody waits for the end of a transaction that only read.
    void giveBack();
  }
}

async function rolledBack(client: pg.Client): Promise<boolean> {
  return within(STATEMENT_MS, client.query("ROLLBACK")).then(
    () => true,
    () => false,
  );
}

/** Rejects for a process of the server that must not be written. */
type Require = (backend: Backend, reader: Reader) => Promise<void>;

/** One transaction on a connection. */
class Transaction implements Writer {
  readonly #client: pg.Client;
  readonly #types: ColumnTypes;
  #beginning: Promise<unknown> | null = null;
  /** The first fault of a statement: nothing of the transaction can be committed after it. */
  fault: Error | null = null;
  /** Whether the connection is of no more use. */
  isBroken = false;

  constructor(client: pg.Client, types: ColumnTypes) {
    this.#client = client;
    this.#types = types;
  }

  /**
   * Begins. The first statement is on its way before the answer has come, if it only reads. `require` gets the row for
   * which the last statement of `sql` asks, and a reader that does not wait for it. Nothing is written before it
   * resolves, and after a rejection the connection is of no more use.
   */
  begin(sql: string, require?: Require): void {
    this.#beginning = this.#begin(sql, require);
    // It is awaited with the first statement, or at the end.
    this.#beginning.catch(() => undefined);
  }

  /** Resolves when it has begun. Rejects with the first fault. */
  async settled(): Promise<void> {
    await this.#beginning;
    if (this.fault !== null) throw this.fault;
  }

  async all<Row>(sql: string, ...parameters: SqlValue[]): Promise<Row[]> {
    return (await this.#query(sql, parameters)).rows as Row[];
  }

  async first<Row>(sql: string, ...parameters: SqlValue[]): Promise<Row | null> {
    const { rows } = await this.#query(sql, parameters);
    return (rows[0] as Row | undefined) ?? null;
  }

  async run(sql: string, ...parameters: SqlValue[]): Promise<number> {
    return (await this.#query(sql, parameters)).rowCount ?? 0;
  }

  async tables(): Promise<string[]> {
    // Without the partitions, which are parts of tables.
    const sql = `SELECT relname::text AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace
      AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`;
    return (await this.all<{ name: string }>(sql)).map(({ name }) => name);
  }

  /** Copies of a server are made and kept by its own tools. */
  async isCopy(): Promise<boolean> {
    return false;
  }

  async script(sql: string, onServer = sql): Promise<void> {
    await this.#beginning;
    // Migrations take the time that they need.
    await this.#sent(this.#client.query(`SET LOCAL statement_timeout = 0; ${onServer}`));
  }

  async lockTable(table: string): Promise<void> {
    await this.run(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
  }

  async insert(into: InsertInto, rows: readonly (readonly SqlValue[])[]): Promise<number> {
    const { table, columns, skipsRepeated = false } = into;
    const types = await this.#typesOf(table);
    const lists = columns.map((column, index) => `$${index + 1}::${types.get(column)}[]`);
    const sql = `INSERT INTO ${table} (${columns.join(", ")}) SELECT * FROM unnest(${lists.join(", ")})${skipsRepeated ? " ON CONFLICT DO NOTHING" : ""}`;
    let inserted = 0;
    for (const some of inParts(rows)) {
      const values = columns.map((_, index) => some.map((row) => row[index] ?? null));
      inserted += (await this.#query(sql, values)).rowCount ?? 0;
    }
    return inserted;
  }

  locking(table: string, mode: "update" | "share" = "update"): string {
    return `FOR ${mode === "update" ? "UPDATE" : "SHARE"} OF ${table}`;
  }

  /** The time of the server, which all that share the database have in common. */
  async now(): Promise<number> {
    const sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now";
    return (await this.first<{ now: number }>(sql))?.now ?? 0;
  }

  async #typesOf(table: string): Promise<ReadonlyMap<string, string>> {
    const known = this.#types.get(table);
    if (known !== undefined) return known;
    const rows = await this.all<{ name: string; type: string }>(
      `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
      table,
    );
    const types = new Map(rows.map(({ name, type }) => [name, type]));
    this.#types.set(table, types);
    return types;
  }

  async #begin(sql: string, require?: Require): Promise<void> {
    const answers = (await this.#sent(this.#client.query(sql))) as unknown as pg.QueryResult<Backend>[];
    const backend = answers.at(-1)?.rows[0];
    if (require === undefined || backend === undefined) return;
    noteProcess(this.#client, backend.process_id);
    try {
      await require(backend, new Transaction(this.#client, new Map()));
    } catch (error) {
      // Another one may lead to a process that is fit, and a pooler ends this one's.
      this.isBroken = true;
      this.fault ??= error as Error;
      throw error;
    }
  }

  async #query(sql: string, values: readonly (SqlValue | readonly SqlValue[])[]): Promise<pg.QueryResult> {
    if (this.fault !== null) throw this.fault;
    const asks = ASKS.test(sql);
    // If it could not begin, a statement that writes would be a transaction of its own.
    if (!asks) await this.#beginning;
    const name = nameOf(this.#client, sql);
    const answer = this.#sent(
      this.#client.query({
        text: sql,
        values: asks ? values.map(withoutNull) : [...values],
        ...(name === null ? {} : { name }),
      }),
      name !== null,
    );
    if (this.#beginning !== null) {
      answer.catch(() => undefined);
      await this.#beginning;
      this.#beginning = null;
    }
    return answer;
  }

  /** Resolves to the answer. Rejects with the meaning of a failure, and keeps the first one. */
  async #sent<Answer>(answer: Promise<Answer>, isNamed = false): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      const isNoMore = isNamed && isOutdated(error);
      if (isNoMore || endsConnection(error)) this.isBroken = true;
      const fault = isNoMore ? new WriteConflict("the form of a statement") : serverFault(error);
      this.fault ??= fault;
      throw fault;
    }
  }
}

function withoutNull<Value>(value: Value): Value | string {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", IN_PLACE_OF_NULL) : value;
}

/** Divides rows into parts that a statement can carry. */
function* inParts(rows: readonly (readonly SqlValue[])[]): Generator<(readonly SqlValue[])[]> {
  let [part, characters]: [(readonly SqlValue[])[], number] = [[], 0];
  for (const row of rows) {
    part.push(row);
    for (const value of row) characters += typeof value === "string" ? value.length : 8;
    if (part.length === ROWS_AT_ONCE || characters >= CHARACTERS_AT_ONCE) {
      yield part;
      [part, characters] = [[], 0];
    }
  }
  if (part.length > 0) yield part;
}
