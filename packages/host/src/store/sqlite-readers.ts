/**
 * The reading connections of the embedded database. Each read sees a snapshot of the rows that are committed when it
 * begins.
 */
import { type Reader, StoreUnavailable } from "./database.ts";
import { Connection, storeFault } from "./sqlite-connection.ts";

/** How long SQLite itself waits for a lock; readers meet one only while another process opens or closes the file. */
const BUSY_TIMEOUT_MS = 5_000;
/** Reading never leaves its thread, so that more connections would only cost memory. */
const MAX_READERS = 8;

/** A pool of reading connections, opened as needed. */
export class SqliteReaders {
  readonly #path: string;
  readonly #rowByRow: boolean;
  readonly #idle: Connection[] = [];
  readonly #waiting: ((connection: Connection) => void)[] = [];
  #count = 0;
  #closed = false;

  /** `rowByRow`: whether lists are read row by row, as they must be in a heap with a limit. */
  constructor(path: string, { rowByRow = false }: { readonly rowByRow?: boolean } = {}) {
    this.#path = path;
    this.#rowByRow = rowByRow;
  }

  /**
   * Runs `work` on a snapshot that holds committed rows only, and resolves to its result. Rejects with the errors of
   * storeFault.
   */
  async read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const connection = await this.#take();
    try {
      connection.step("BEGIN");
      return await work(connection);
    } catch (error) {
      throw storeFault(error);
    } finally {
      this.#giveBack(endReading(connection));
    }
  }

  /** Closes the idle connections at once, and the others when they are released. */
  close(): void {
    this.#closed = true;
    for (const reader of this.#idle.splice(0)) reader.close();
  }

  /** Resolves to a connection; if all are in use, to the next one that is released. */
  async #take(): Promise<Connection> {
    if (this.#closed) throw new StoreUnavailable("the database is closed");
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#count < MAX_READERS) {
      this.#count += 1;
      return this.#open();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #giveBack(connection: Connection): void {
    const next = this.#waiting.shift();
    if (next !== undefined) next(connection);
    else if (this.#closed) connection.close();
    else this.#idle.push(connection);
  }

  #open(): Connection {
    try {
      return new Connection(this.#path, { timeout: BUSY_TIMEOUT_MS, readOnly: true, rowByRow: this.#rowByRow });
    } catch (error) {
      this.#count -= 1;
      throw storeFault(error);
    }
  }
}

/** Ends a transaction that only read, by whatever command works: on a damaged file SQLite may refuse COMMIT. */
function endReading(connection: Connection): Connection {
  for (const end of ["COMMIT", "ROLLBACK"])
    try {
      if (connection.inTransaction) connection.step(end);
    } catch {
      // The rows have been read, and nothing was written that could be lost.
    }
  return connection;
}
