/**
 * One transaction on a connection to a PostgreSQL server: its statements are sent without waiting for each other, and
 * its first fault is the reason of all that follow. The caller commits it or rolls it back.
 */
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { type InsertInto, type Reader, type SqlValue, WriteConflict, type Writer } from "./database.ts";
import { isOutdated, nameOf } from "./named-statements.ts";
import { within } from "./postgres-commit.ts";
import type { Connection } from "./postgres-connection.ts";
import { endsConnection, serverFault } from "./postgres-fault.ts";

/** The most rows, and about the most characters, of one statement that inserts. */
const ROWS_AT_ONCE = 5_000;
const CHARACTERS_AT_ONCE = 8 * 1024 * 1024;

/**
 * PostgreSQL has no text with U+0000, and refuses one as a parameter. Nothing that is stored has one: the routes refuse
 * it in every text that becomes a column, and JSON escapes it. But filters, paths and names of other things may be any
 * text, and the answer is that there is no such thing. Such a question gets this in its place: a text that no client
 * can have stored, because it is random, and that sorts where the other would among all texts without control
 * characters. A statement that writes is still refused.
 */
const IN_PLACE_OF_NULL = `\u0001${randomUUID()}`;
/** A statement that writes nothing. */
const ASKS = /^\s*(?:SELECT\b|WITH\b(?!.*\b(?:INSERT|UPDATE|DELETE|MERGE)\b))/is;

/** How long an answer is waited for: longer than the server lets a statement take. */
const ANSWER_MS = 40_000;

/** The types of the columns of each table, by name: an insertion of many rows names them. They never change. */
export type ColumnTypes = Map<string, ReadonlyMap<string, string>>;

/** Rejects for a process of the server that must not be used, by its answer about itself. */
export type Require<Answer> = (answer: Answer, reader: Reader) => Promise<void>;

/** One transaction on a connection. */
export class Transaction implements Writer {
  readonly #connection: Connection;
  readonly #types: ColumnTypes;
  #beginning: Promise<unknown> | null = null;
  /** The first fault of a statement: nothing of the transaction can be committed after it. */
  fault: Error | null = null;
  /** Whether the connection is of no more use. */
  isBroken = false;

  constructor(connection: Connection, types: ColumnTypes) {
    this.#connection = connection;
    this.#types = types;
  }

  /**
   * Begins. The first statement is on its way before the answer has come, if it only reads. `require` gets the row for
   * which the last statement of `sql` asks, and a reader that does not wait for it. Nothing is written, and no row is
   * handed out, before it resolves, and after a rejection the connection is of no more use.
   */
  begin<Answer>(sql: string, require: Require<Answer>): void {
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
    await this.#sent(this.#connection.query(`SET LOCAL statement_timeout = 0; ${onServer}`));
  }

  async lockTable(table: string): Promise<void> {
    await this.run(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
  }

  async insert(into: InsertInto, rows: readonly (readonly SqlValue[])[]): Promise<number> {
    const { table, columns, skipsRepeated = false } = into;
    const types = await this.#typesOf(table);
    const lists = columns.map((column, index) => `$${index + 1}::${types.get(column)}[]`);
    const sql =
      `INSERT INTO ${table} (${columns.join(", ")}) SELECT * FROM ` +
      `unnest(${lists.join(", ")})${skipsRepeated ? " ON CONFLICT DO NOTHING" : ""}`;
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

  async #begin<Answer>(sql: string, require: Require<Answer>): Promise<void> {
    // A pooler may have another process for it than for the last one.
    this.#connection.processId = null;
    const answers = await this.#sent(within(ANSWER_MS, this.#connection.queries(sql)));
    try {
      await require(answers.at(-1)?.rows[0] as Answer, new Transaction(this.#connection, new Map()));
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
    // If it could not begin, a statement that writes would be its own transaction.
    if (!asks) await this.#beginning;
    const name = nameOf(this.#connection, sql);
    const statement = {
      text: sql,
      values: asks ? values.map(withoutNull) : [...values],
      ...(name === null ? {} : { name }),
    };
    const answer = this.#sent(within(ANSWER_MS, this.#connection.query(statement)), name !== null);
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
