/**
 * The operations that a program needs of a database, and no more, so that SQLite and PostgreSQL can both implement
 * them. Placeholders are `$1`, `$2` ...; statements are portable SQL. All SQL itself is in the stores of the families,
 * never here.
 */

/** A value in a row or a parameter. */
export type SqlValue = string | number | null;

/** Reads in one consistent snapshot. */
export interface Reader {
  /** Resolves to all rows of a query. */
  all<Row>(sql: string, ...parameters: SqlValue[]): Promise<Row[]>;
  /** Resolves to the first row of a query; null if there is none. */
  first<Row>(sql: string, ...parameters: SqlValue[]): Promise<Row | null>;
}

/** Reads and writes in one transaction; sees its own writes. */
export interface Writer extends Reader {
  /** Runs a statement, and resolves to the number of rows that it changed. */
  run(sql: string, ...parameters: SqlValue[]): Promise<number>;
  /** Runs several statements without parameters; for migrations. */
  script(sql: string): Promise<void>;
}

/** How urgent a transaction is. */
export interface WriteOptions {
  /**
   * Whether it gives way to other transactions, as those of jobs that serve many streams do: while others wait, such
   * transactions take a part of the time, at least one of them for each commit.
   */
  readonly givesWay?: boolean;
}

/** A database, local or remote. */
export interface Database {
  /** Runs `work` on a snapshot that holds committed rows only, and resolves to its result. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in one transaction, and resolves to its result after the commit is on disk. Writers of one process wait
   * for each other, and several may share a commit: `work` sees the writes before it. If `work` throws, nothing of it
   * remains. If it throws WriteConflict, it is run again, so it must have no effect outside the transaction. Rejects
   * with StoreUnavailable, StoreFull or StoreUncertain.
   */
  write<T>(work: (writer: Writer) => Promise<T>, options?: WriteOptions): Promise<T>;
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
  /** The number of commits that have been on disk since the database was opened. */
  readonly commits: number;
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

/** Throws WriteConflict unless a compare-and-set changed exactly one row. `what`: the row, for the message. */
export function expectMoved(changedRows: number, what: string): void {
  if (changedRows !== 1) throw new WriteConflict(what);
}
