/**
 * A spool in a browser's IndexedDB: it outlives the page and the browser, until the browser clears the site's data.
 * Every write is one transaction that completes only when it is on the disk; the record that events left the queue does
 * not wait for the disk.
 */
import {
  batchesBehind,
  batchesWith,
  countWithin,
  KEPT_KEYS,
  QueueError,
  type ReadLimits,
  type Spool,
  type SpooledBatch,
  type SpooledEvent,
  type SpoolState,
} from "../queue/index.ts";

const MIB = 2 ** 20;
const DEFAULT_MAX_BYTES = 64 * MIB;
const [EVENTS, STATE, KEYS] = ["events", "state", "keys"] as const;
/** The number of events read at a time. */
const PORTION = 500;

/** Options of an IndexedDbSpool. */
export interface IndexedDbSpoolOptions {
  /** The name of the database, and of its lock: one for each stream. */
  readonly name: string;
  /** The most UTF-8 bytes of waiting events; by default 64 MiB. */
  readonly maxBytes?: number;
}

/** The stores of events by position, of the one Progress, and of keys by their number. */
type Stores = [IDBObjectStore, IDBObjectStore, IDBObjectStore];

/** The state beside the events. */
interface Progress {
  readonly stream_id: string;
  readonly last: number;
  readonly done: number;
  readonly done_seq_no: number;
  readonly batches: readonly SpooledBatch[];
  /** How many keys were ever given; missing before the first one. */
  readonly keys?: number;
}

/**
 * A spool in IndexedDB. It needs `navigator.locks`, which the browser gives to pages and workers that came by HTTPS or
 * from the machine itself.
 */
export class IndexedDbSpool implements Spool {
  readonly maxBytes: number;
  readonly #name: string;
  #database: IDBDatabase | null = null;
  #progress: Progress | null = null;
  #unlock: () => void = () => {};

  constructor({ name, maxBytes = DEFAULT_MAX_BYTES }: IndexedDbSpoolOptions) {
    this.#name = name;
    this.maxBytes = maxBytes;
  }

  async open(streamId: string): Promise<SpoolState> {
    const unlock = await lock(this.#name);
    let database: IDBDatabase | null = null;
    try {
      database = await openDatabase(this.#name);
      this.#database = database;
      const found = await this.#transact("readonly", ([, state]) => state.get(0) as IDBRequest<Progress | undefined>);
      const fresh = { stream_id: streamId, last: 0, done: 0, done_seq_no: 0, batches: [] };
      const progress = found ?? fresh;
      if (progress.stream_id !== streamId)
        throw new QueueError("spool_foreign", `The spool holds events of ${progress.stream_id}, not of ${streamId}.`);
      const bytes = await this.#bytesAfter(progress);
      const keys = await this.#transact("readonly", ([, , kept]) => kept.getAll() as IDBRequest<string[]>);
      this.#progress = progress;
      this.#unlock = unlock;
      const { last, done, done_seq_no: doneSeqNo, batches } = progress;
      return { last, done, doneSeqNo, batches, bytes, keys, cutBytes: 0 };
    } catch (error) {
      database?.close();
      unlock();
      throw error;
    }
  }

  async add(events: readonly SpooledEvent[]): Promise<void> {
    const before = this.#opened();
    const given = events.flatMap(({ key }) => key ?? []);
    const keyed = before.keys ?? 0;
    const progress = { ...before, last: before.last + events.length, keys: keyed + given.length };
    await this.#transact("strict", ([store, state, kept]) => {
      for (const [index, event] of events.entries()) store.add(event, before.last + 1 + index);
      for (const [index, key] of given.entries()) kept.add(key, keyed + 1 + index);
      if (given.length > 0) kept.delete(IDBKeyRange.upperBound(progress.keys - KEPT_KEYS));
      return state.put(progress, 0);
    });
    this.#progress = progress;
  }

  async read(first: number, limits: ReadLimits): Promise<readonly SpooledEvent[]> {
    const found: SpooledEvent[] = [];
    for (let [bytes, last] = [0, this.#opened().last]; ; ) {
      const from = first + found.length;
      const to = Math.min(from + Math.min(PORTION, limits.events - found.length) - 1, last);
      if (to < from || bytes > limits.bytes) return found.slice(0, countWithin(found, limits));
      const more = await this.#range(from, to);
      for (const event of more) bytes += event.bytes;
      found.push(...more);
    }
  }

  async keepBatch(batch: SpooledBatch): Promise<void> {
    const before = this.#opened();
    const progress = { ...before, batches: batchesWith(before.batches, batch) };
    await this.#transact("strict", ([, state]) => state.put(progress, 0));
    this.#progress = progress;
  }

  async settle(done: number, doneSeqNo: number): Promise<void> {
    const before = this.#opened();
    const progress = { ...before, done, done_seq_no: doneSeqNo, batches: batchesBehind(before.batches, done) };
    await this.#transact("relaxed", ([store, state]) => {
      store.delete(IDBKeyRange.bound(before.done + 1, done));
      return state.put(progress, 0);
    });
    this.#progress = progress;
  }

  async close(): Promise<void> {
    this.#database?.close();
    this.#database = null;
    this.#progress = null;
    this.#unlock();
    this.#unlock = () => {};
  }

  async #bytesAfter({ done, last }: Progress): Promise<number> {
    let bytes = 0;
    for (let from = done + 1; from <= last; from += PORTION)
      for (const event of await this.#range(from, Math.min(from + PORTION - 1, last))) bytes += event.bytes;
    return bytes;
  }

  async #range(from: number, to: number): Promise<readonly SpooledEvent[]> {
    const events = await this.#transact("readonly", ([store]) => {
      return store.getAll(IDBKeyRange.bound(from, to)) as IDBRequest<SpooledEvent[]>;
    });
    if (events.length === to - from + 1) return events;
    throw new QueueError(
      "spool_corrupt",
      `The database ${this.#name}: of events ${from} to ${to} only ${events.length} are there.`,
    );
  }

  #opened(): Progress {
    if (this.#progress === null) throw new QueueError("spool_failed", `The spool ${this.#name} is not open.`);
    return this.#progress;
  }

  /** Resolves to the result of a request, when its transaction has completed. */
  #transact<T>(mode: "readonly" | "strict" | "relaxed", work: (stores: Stores) => IDBRequest<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (cause: unknown) => {
        reject(new QueueError("spool_failed", `The database ${this.#name} failed: ${String(cause)}.`, cause));
      };
      try {
        if (this.#database === null) throw new Error("it is not open");
        const transaction =
          mode === "readonly"
            ? this.#database.transaction([EVENTS, STATE, KEYS], mode)
            : this.#database.transaction([EVENTS, STATE, KEYS], "readwrite", { durability: mode });
        const request = work([EVENTS, STATE, KEYS].map((name) => transaction.objectStore(name)) as Stores);
        transaction.oncomplete = () => resolve(request.result);
        transaction.onabort = () => fail(transaction.error);
      } catch (error) {
        fail(error);
      }
    });
  }
}

/**
 * Takes the lock of a name for as long as the page lives, and resolves to a function that releases it. Throws
 * QueueError `spool_in_use`.
 */
function lock(name: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const held = navigator.locks.request(`svc-spool:${name}`, { ifAvailable: true }, (granted) => {
      if (granted !== null) return new Promise<void>((release) => resolve(release));
      throw new QueueError("spool_in_use", `Another page, or another queue of this one, uses the spool ${name}.`);
    });
    held.catch(reject);
  });
}

function openDatabase(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 2);
    request.onupgradeneeded = () => {
      // A database of an earlier release has the first two stores, and events wait in them.
      const missing = [EVENTS, STATE, KEYS].filter((store) => !request.result.objectStoreNames.contains(store));
      for (const store of missing) request.result.createObjectStore(store);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () =>
      reject(
        new QueueError(
          "spool_failed",
          `The database ${name} cannot be opened: ${String(request.error)}.`,
          request.error,
        ),
      );
  });
}
