/**
 * What a program asks of a database, and no more, so that SQLite and PostgreSQL can both stand behind it. Placeholders
 * are `$1`, `$2` ...; statements are portable SQL. All SQL itself stands in the stores of the families, never here.
 */

/** A value in a row or a parameter. */
export type SqlValue = string | number | null;

/** Reads in one consistent snapshot. */
export interface Reader {
  /** All rows of a query. */
  all<Row>(sql: string, ...parameters: SqlValue[]): Promise<Row[]>;
  /** The first row of a query, null where there is none. */
  first<Row>(sql: string, ...parameters: SqlValue[]): Promise<Row | null>;
}

/** Reads and writes in one transaction; sees what it wrote itself. */
export interface Writer extends Reader {
  /** Runs a statement and answers how many rows it changed. */
  run(sql: string, ...parameters: SqlValue[]): Promise<number>;
  /** Runs several statements without parameters; for migrations. */
  script(sql: string): Promise<void>;
}

/** A database, wherever it is. */
export interface Database {
  /** Runs `work` on a snapshot that holds committed rows only. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in one transaction and answers after the commit is on disk. Writers of one process wait for each other, and several may share a
   * commit: `work` sees what those before it wrote. Where `work` throws, nothing of it remains; where it throws WriteConflict it is run
   * again, so it must have no effect outside the transaction.
   */
  write<T>(work: (writer: Writer) => Promise<T>): Promise<T>;
  /** Waits for the running writer and closes. */
  close(): Promise<void>;
}

/** What only a database has that lies in files of this machine. It is asked for by name where that is needed. */
export interface EmbeddedDatabase extends Database {
  /**
   * Rewrites, once, what an earlier release has written in a way that forgetDeleted cannot reach. It takes a while, and as much room again as the
   * database has.
   */
  prepareForgetting(): Promise<void>;
  /**
   * Makes the database's files forget what committed transactions have deleted or written over. False where somebody who still reads stands in
   * the way: try again later.
   */
  forgetDeleted(): Promise<boolean>;
  /** How many commits have been waited for until they were on disk, since this was opened. */
  readonly commits: number;
  /**
   * Copies everything that is committed by now into a new file, and returns when the copy is on disk; `isCopy` tells it
   * from the database itself. It blocks this process meanwhile, and others go on. Throws where the file is there.
   */
  copyTo(path: string): void;
}

/** Another writer moved what this transaction compared: the transaction is undone and tried again. */
export class WriteConflict extends Error {
  constructor(what: string) {
    super(`another writer moved ${what}`);
    this.name = "WriteConflict";
  }
}

/** The database could not be written within the time that a caller is made to wait. */
export class StoreUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StoreUnavailable";
  }
}

/** The disk behind the database is full: nothing can be written, and reading goes on. */
export class StoreFull extends Error {
  constructor(options?: ErrorOptions) {
    super("the disk behind the database is full", options);
    this.name = "StoreFull";
  }
}

/**
 * The disk could not say whether a commit is on it, and the database writes no more: what its files hold in memory and what the disk holds may
 * differ from now on. Whoever opens it again begins with what openSqlite does about that.
 */
export class StoreUncertain extends Error {
  constructor(options?: ErrorOptions) {
    super("the disk failed while a commit was waited for", options);
    this.name = "StoreUncertain";
  }
}

/** Throws WriteConflict unless a compare-and-set changed exactly one row. */
export function expectMoved(changedRows: number, what: string): void {
  if (changedRows !== 1) throw new WriteConflict(what);
}
