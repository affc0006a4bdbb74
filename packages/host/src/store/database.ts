/**
 * The operations that a program needs of a database, and no more, so that SQLite and PostgreSQL can both implement
 * them. Placeholders are `$1`, `$2` ...; statements are portable SQL. All SQL itself is in the stores of the families,
 * never here.
 */

import type { Clock } from "../clock.ts";

/** A value in a row or a parameter. */
export type SqlValue = string | number | null;

/**
 * Reads in one consistent snapshot. A parameter may be any text. Not every database can store one with U+0000, but each
 * can be asked for it.
 */
export interface Reader {
  /** Resolves to all rows of a query. */
  all<Row>(sql: string, ...parameters: SqlValue[]): Promise<Row[]>;
  /** Resolves to the first row of a query, or null. */
  first<Row>(sql: string, ...parameters: SqlValue[]): Promise<Row | null>;
  /** Resolves to the names of all tables, in their order. */
  tables(): Promise<string[]>;
  /** Resolves to whether it is a copy made by `copyTo`, and not the database itself. */
  isCopy(): Promise<boolean>;
}

/** The place of rows to be inserted. The names become SQL unescaped, so they must come from the program alone. */
export interface InsertInto {
  readonly table: string;
  readonly columns: readonly string[];
  /** Whether a row that repeats a key of the table is left out; without it such a row is an error. */
  readonly skipsRepeated?: boolean;
}

/** Reads and writes in one transaction; sees its own writes. */
export interface Writer extends Reader {
  /** Runs a statement, and resolves to the number of rows that it changed. */
  run(sql: string, ...parameters: SqlValue[]): Promise<number>;
  /**
   * Inserts rows, whose values are in the order of the columns, and resolves to the number of those inserted. The
   * number of round trips to a remote database grows with the bytes of the rows, not with the rows.
   */
  insert(into: InsertInto, rows: readonly (readonly SqlValue[])[]): Promise<number>;
  /**
   * Returns the last clause of a SELECT that keeps the rows of a table, by its name in the statement, from others until
   * this transaction ends: from those that write them, and, for `update`, from those that lock them. It is empty where
   * one transaction writes at a time.
   */
  locking(table: string, mode?: "update" | "share"): string;
  /**
   * Resolves to the time in milliseconds since 1970 by which all who share the database count: that of a remote
   * database, or that of `clock` where all are on one machine. Rows that were read before have no later time.
   */
  now(clock: Clock): Promise<number>;
  /**
   * Runs several statements without parameters; for migrations. `onServer`: the same for a database on a server, where
   * that has other words for it.
   */
  script(sql: string, onServer?: string): Promise<void>;
  /** Keeps a whole table from others that write it or lock rows of it until this transaction ends; waits for those. */
  lockTable(table: string): Promise<void>;
}

/** How urgent a transaction is. */
export interface WriteOptions {
  /**
   * Whether it gives way to other transactions, as those of jobs that serve many streams do: while others wait, such
   * transactions take a part of the time, at least one of them for each commit.
   */
  readonly givesWay?: boolean;
  /**
   * Whether `work` itself locks (`Writer.locking`) or compares every row on which its writes depend, before it writes.
   * Then it need not be run again because of others that it cannot meet. It sees rows that others commit meanwhile.
   */
  readonly isLocking?: boolean;
}

/** A database, local or remote. */
export interface Database {
  /** Runs `work` on a snapshot that holds committed rows only, and resolves to its result. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in one transaction, and resolves to its result after the commit is on disk. Several may share a commit,
   * or go on at a time, as if one came after the other. If `work` throws, nothing of it remains. If it throws
   * WriteConflict, it is run again, so it must have no effect outside the transaction. Rejects with StoreUnavailable,
   * StoreFull or StoreUncertain.
   */
  write<T>(work: (writer: Writer) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** The number of commits that have been on disk since the database was opened. */
  readonly commits: number;
  /** The most transactions of `write` that go on at a time: 1 where one waits for the other. */
  readonly maxWriters: number;
  /** Waits for the running writer and closes. */
  close(): Promise<void>;
}

/** The further operations of a database in files of this machine. Code that needs them asks for this type by name. */
export interface EmbeddedDatabase extends Database {
  /**
   * Rewrites, once, the pages that an earlier release has written in a way that forgetDeleted cannot reach. It takes a
   * while, and needs free space of the database's size.
   */
  prepareForgetting(): Promise<void>;
  /**
   * Makes the database's files forget the rows that committed transactions have deleted or overwritten. Resolves to
   * false if a running reader prevents it: try again later.
   */
  forgetDeleted(): Promise<boolean>;
  /**
   * Copies everything that is committed by now into a new file, and returns when the copy is on disk; `isCopy` tells it
   * from the database itself. It blocks this process meanwhile, but no other one. Throws if the file exists.
   */
  copyTo(path: string): void;
}

/** Another writer moved the row that this transaction compared: the transaction is undone and tried again. */
export class WriteConflict extends Error {
  constructor(what: string) {
    super(`another writer moved ${what}`);
    this.name = "WriteConflict";
  }
}

/** The database could not be written within the time that a caller has to wait. */
export class StoreUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StoreUnavailable";
  }
}

/** The disk behind the database is full: nothing can be written, but reading continues. */
export class StoreFull extends Error {
  constructor(options?: ErrorOptions) {
    super("the disk behind the database is full", options);
    this.name = "StoreFull";
  }
}

/**
 * The disk could not say whether a commit is on it, and the database accepts no more writes: the files as the system
 * has them in memory may differ from the disk from now on. Only opening the database again, by openSqlite, shows which
 * commits its files hold.
 */
export class StoreUncertain extends Error {
  constructor(options?: ErrorOptions) {
    super("the disk failed while a commit was waited for", options);
    this.name = "StoreUncertain";
  }
}

/**
 * The connection was lost while a commit was waited for: it may have happened, may not, or may still happen. The
 * database itself can be asked.
 */
export class AnswerLost extends StoreUncertain {
  constructor(options?: ErrorOptions) {
    super(options);
    this.message = "the answer of the database to a commit was lost";
    this.name = "AnswerLost";
  }
}

/** Throws WriteConflict unless a compare-and-set changed exactly one row. `what`: the row, for the message. */
export function expectMoved(changedRows: number, what: string): void {
  if (changedRows !== 1) throw new WriteConflict(what);
}
