/**
 * The memory of the service's own witness: the last tree that it has signed for each origin, in a separate file beside
 * its key, and the last published epoch of the service log. A database that was rolled back or copied meets a witness
 * that remembers more. Each server process has its own; what it has not seen it takes from the statements in the
 * database.
 */
import { existsSync, writeFileSync } from "node:fs";
import { serviceTime, systemClock } from "@svc/host/clock";
import { OWNER_ONLY_FILE } from "@svc/host/durable-file";
import {
  becomeOriginal,
  copySqlite,
  type Database,
  migrate,
  openSqlite,
  type Reader,
  SqliteReaders,
  type StoreUncertain,
  soleSchema,
} from "@svc/host/store";
import { DataFolderError } from "../data-folder/data-folder.ts";
import {
  countOrigins,
  giveUpTrees,
  keepTree,
  listTrees,
  MEMORY_MIGRATIONS,
  newestTree,
  type RememberedTree,
  type SignedTree,
  treeOf,
} from "./memory-store.ts";

/** The codes of SQLite for a file that is damaged, or no database at all. */
const DAMAGED = [11, 26];
/** The size of the file's write-ahead log, in pages, at which they are moved into it. */
const CHECKPOINT_PAGES = 1024;

/** A memory that is only read. */
export interface WitnessMemoryReader {
  /** Resolves to the tree of an origin; null if none is remembered. */
  of(origin: string): Promise<RememberedTree | null>;
  /**
   * Resolves to the tree of a stream that was signed last, of those that are not given up, or null. `serviceOrigin`:
   * that of the service log, which is no stream.
   */
  newestOfStream(serviceOrigin: string): Promise<RememberedTree | null>;
  /** Resolves to the trees of the origins behind one, in order, so many at most. */
  list(after: string, most: number): Promise<RememberedTree[]>;
  /** Resolves to the number of origins. */
  count(): Promise<number>;
}

/** The memory of a running witness. */
export class WitnessMemory implements WitnessMemoryReader {
  readonly #database: Database;

  private constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Opens the file, or makes it. Rejects with DataFolderError for a damaged one. `onUncertain` is called once, when the
   * disk behind it fails.
   */
  static open(path: string, onUncertain: (error: StoreUncertain) => void = () => undefined): Promise<WitnessMemory> {
    return explained(path, async () => {
      if (!existsSync(path)) writeFileSync(path, "", { mode: OWNER_ONLY_FILE });
      const database = openSqlite(path, onUncertain, { checkpointPages: CHECKPOINT_PAGES });
      try {
        await migrate(database, () => serviceTime(systemClock()), [soleSchema(MEMORY_MIGRATIONS)]);
      } catch (error) {
        await database.close();
        throw error;
      }
      return new WitnessMemory(database);
    });
  }

  of(origin: string): Promise<RememberedTree | null> {
    return this.#database.read((reader) => treeOf(reader, origin));
  }

  newestOfStream(serviceOrigin: string): Promise<RememberedTree | null> {
    return this.#database.read((reader) => newestTree(reader, serviceOrigin));
  }

  list(after: string, most: number): Promise<RememberedTree[]> {
    return this.#database.read((reader) => listTrees(reader, after, most));
  }

  count(): Promise<number> {
    return this.#database.read(countOrigins);
  }

  /**
   * Remembers a tree in place of the one of `fromSize` windows (null: of none), and resolves when it is on the disk:
   * only then may its signature leave. Rejects with WriteConflict if another tree is remembered by now.
   */
  keep(origin: string, fromSize: number | null, tree: SignedTree): Promise<void> {
    return this.#database.write((writer) => keepTree(writer, origin, fromSize, tree));
  }

  /** Gives all trees up, after an operator has accepted that their histories are lost. */
  giveUp(now: string): Promise<void> {
    return this.#database.write((writer) => giveUpTrees(writer, now));
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

/** Runs `work` on a file. Rejects with DataFolderError where that is damaged, and says what can be done. */
async function explained<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const { errcode } = error as { readonly errcode?: unknown };
    // A row whose frontier is no JSON was changed as well.
    if (!DAMAGED.some((code) => code === errcode) && !(error instanceof SyntaxError)) throw error;
    throw new DataFolderError(
      `${path} is damaged: ${(error as Error).message}. It says what the witness has signed, and whether the ` +
        `database is older than that. Put it back. If that cannot be done, and you know that the database is the ` +
        `newest, move it away and keep it: the witness then begins at what it has stated in the database.`,
    );
  }
}

/** Copies the memory in a file into a new one, and resolves when the copy is on the disk. */
export async function copyMemory(from: string, to: string): Promise<void> {
  copySqlite(from, to);
  const copy = openSqlite(to);
  try {
    await copy.write(becomeOriginal);
  } finally {
    await copy.close();
  }
}

/** Reads the memory in a file beside its writer, until `work` has ended. A missing file remembers nothing. */
export async function readingMemory<Value>(
  path: string,
  work: (memory: WitnessMemoryReader) => Promise<Value>,
): Promise<Value> {
  const isThere = existsSync(path);
  const readers = new SqliteReaders(path);
  const look = <T>(empty: T, query: (reader: Reader) => Promise<T>) =>
    isThere ? explained(path, () => readers.read(query)) : Promise.resolve(empty);
  try {
    return await work({
      of: (origin) => look(null, (reader) => treeOf(reader, origin)),
      newestOfStream: (serviceOrigin) => look(null, (reader) => newestTree(reader, serviceOrigin)),
      list: (after, most) => look([], (reader) => listTrees(reader, after, most)),
      count: () => look(0, countOrigins),
    });
  } finally {
    readers.close();
  }
}
