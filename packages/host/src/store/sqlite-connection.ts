/**
 * A connection of the embedded database, and the meaning of its failures. It begins and ends no transaction: see
 * sqlite.ts.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Clock } from "../clock.ts";
import {
  type InsertInto,
  type SqlValue,
  StoreFull,
  StoreUnavailable,
  StoreUncertain,
  type Writer,
} from "./database.ts";

/** SQLite's result codes for failures of the machine, as opposed to the statement. */
const SQLITE = { busy: 5, readonly: 8, ioError: 10, full: 13, cannotOpen: 14 } as const;
/** Extended codes for a file or its folder that could not be synchronised with the disk. */
const NOT_SYNCED: readonly unknown[] = [SQLITE.ioError | (4 << 8), SQLITE.ioError | (5 << 8)];
/** Extended codes for the file that SQLite shares between processes, when it could not be made large enough. */
const NO_ROOM: readonly unknown[] = [SQLITE.ioError | (19 << 8), SQLITE.ioError | (21 << 8)];
const UNAVAILABLE: readonly (number | null)[] = [SQLITE.busy, SQLITE.readonly, SQLITE.ioError, SQLITE.cannotOpen];

/** The `application_id` of a copy, "SVCB". It keeps a program from opening a copy as if it were the database itself. */
export const COPY = 0x53564342;

/** The outcome of a checkpoint, in pages; `log` and `checkpointed` are -1 if they are unknown. */
export interface Checkpoint {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

/** One SQLite connection with its prepared statements. */
export class Connection implements Writer {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  readonly #rowByRow: boolean;

  /** `rowByRow`: whether a list is read row by row, as it must be in a heap with a limit. */
  constructor(path: string, options: { timeout: number; readOnly: boolean; rowByRow?: boolean }) {
    const { rowByRow = false, ...ofDatabase } = options;
    this.#database = new DatabaseSync(path, ofDatabase);
    this.#rowByRow = rowByRow;
  }

  async all<Row>(sql: string, ...parameters: SqlValue[]): Promise<Row[]> {
    const statement = this.#prepare(sql);
    // A list that is read at once and exceeds the heap of a thread would end the whole process.
    return (this.#rowByRow ? [...statement.iterate(...parameters)] : statement.all(...parameters)) as Row[];
  }

  async first<Row>(sql: string, ...parameters: SqlValue[]): Promise<Row | null> {
    return (this.#prepare(sql).get(...parameters) as Row | undefined) ?? null;
  }

  async run(sql: string, ...parameters: SqlValue[]): Promise<number> {
    return Number(this.#prepare(sql).run(...parameters).changes);
  }

  async insert(
    { table, columns, skipsRepeated = false }: InsertInto,
    rows: readonly (readonly SqlValue[])[],
  ): Promise<number> {
    const places = columns.map((_, index) => `$${index + 1}`);
    const statement = this.#prepare(
      `INSERT INTO ${table} (${columns.join(", ")}) VALUES ` +
        `(${places.join(", ")})${skipsRepeated ? " ON CONFLICT DO NOTHING" : ""}`,
    );
    let inserted = 0;
    for (const row of rows) inserted += Number(statement.run(...row).changes);
    return inserted;
  }

  async tables(): Promise<string[]> {
    const sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name";
    return (await this.all<{ name: string }>(sql)).map(({ name }) => name);
  }

  async isCopy(): Promise<boolean> {
    return (await this.first<{ application_id: number }>("PRAGMA application_id"))?.application_id === COPY;
  }

  /** One connection writes at a time, and no other sees anything of it before the commit. */
  async lockTable(): Promise<void> {}

  /** One connection writes at a time. */
  locking(): string {
    return "";
  }

  /** All who share a file are on one machine. */
  async now(clock: Clock): Promise<number> {
    return clock();
  }

  async script(sql: string): Promise<void> {
    this.execute(sql);
  }

  /** Runs a statement without parameters that is used again and again; it stays prepared. */
  step(sql: string): void {
    this.#prepare(sql).run();
  }

  /** Runs statements without parameters, once; they are not kept prepared. */
  execute(sql: string): void {
    this.#database.exec(sql);
  }

  /**
   * Moves pages of the write-ahead log into the database file, as far as readers allow; NOOP moves none, TRUNCATE
   * demands all. Returns whether another one was in the way, and the numbers of pages in the log and of those moved.
   */
  checkpoint(mode: "NOOP" | "PASSIVE" | "TRUNCATE"): Checkpoint {
    return this.#prepare(`PRAGMA wal_checkpoint(${mode})`).get() as unknown as Checkpoint;
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

/**
 * Returns the error that a failure of SQLite means to the caller: StoreUncertain, StoreFull or StoreUnavailable. Every
 * other error is returned unchanged.
 */
export function storeFault(error: unknown): unknown {
  const code = resultCode(error);
  if (NOT_SYNCED.includes((error as { errcode?: unknown }).errcode)) return new StoreUncertain({ cause: error });
  if (code === SQLITE.full || NO_ROOM.includes((error as { errcode?: unknown }).errcode))
    return new StoreFull({ cause: error });
  if (UNAVAILABLE.includes(code)) return new StoreUnavailable("the database cannot be reached", { cause: error });
  return error;
}

/** Returns whether the error says that another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return resultCode(error) === SQLITE.busy;
}

function resultCode(error: unknown): number | null {
  const { errcode } = error as { errcode?: number };
  // Extended result codes carry the basic code in their lowest byte.
  return typeof errcode === "number" ? errcode & 0xff : null;
}
