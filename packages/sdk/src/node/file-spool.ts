/**
 * A spool in a folder of append-only files. A file is deleted when all its events have left the queue. An event that
 * was added is on the disk, synchronised; the record that events left the queue does not wait for the disk, because the
 * same batch would be sent again under its key.
 */
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { resolve } from "node:path";
import {
  batchesBehind,
  batchesWith,
  countWithin,
  keysWith,
  QueueError,
  type ReadLimits,
  type Spool,
  type SpooledBatch,
  type SpooledEvent,
  type SpoolState,
} from "../queue/index.ts";
import { EventReader } from "./event-reader.ts";
import { encodeRecord, type RecordHead } from "./frame.ts";
import { recover, type Segment, segmentPath } from "./recover.ts";
import { Reserve } from "./reserve.ts";
import { lockSpool } from "./spool-lock.ts";

const MIB = 2 ** 20;
const DEFAULT_SEGMENT_BYTES = 8 * MIB;

/** Options of a FileSpool. */
export interface FileSpoolOptions {
  /**
   * The folder of the spool, which holds nothing else. It is made if it is missing, closed to other users. Use a local
   * disk, not a network share.
   */
  readonly folder: string;
  /** The most UTF-8 bytes of waiting events; no limit by default. */
  readonly maxBytes?: number;
  /** The size at which the next file is begun, in bytes; by default 8 MiB. */
  readonly segmentBytes?: number;
}

/**
 * A spool in a folder. It needs `node:sqlite` for its lock: Node 22.13 or newer.
 *
 * @example
 * const queue = await stream.openQueue({ spool: new FileSpool({ folder: "spool" }) });
 * await stream.appendLater(event); // on this disk
 * await queue.close(); // what waits, waits for the next process
 */
export class FileSpool implements Spool {
  readonly maxBytes: number;
  readonly #folder: string;
  readonly #segmentBytes: number;
  readonly #reserve: Reserve;
  #streamId = "";
  #unlock: (() => void) | null = null;
  #segments: Segment[] = [];
  readonly #reader = new EventReader(
    () => this.#segments,
    ({ number }) => (number === this.#tailNumber ? this.#size : Number.POSITIVE_INFINITY),
  );
  #tail: FileHandle | null = null;
  #tailNumber = 0;
  /** The number of bytes of whole records in the tail. */
  #size = 0;
  #synced = 0;
  #last = 0;
  #done = 0;
  #doneSeqNo = 0;
  #batches: readonly SpooledBatch[] = [];
  #keys: readonly string[] = [];
  /** Why nothing can be written any more. */
  #broken: QueueError | null = null;

  constructor({ folder, maxBytes = Number.POSITIVE_INFINITY, segmentBytes = DEFAULT_SEGMENT_BYTES }: FileSpoolOptions) {
    this.#folder = resolve(folder);
    this.maxBytes = maxBytes;
    this.#segmentBytes = segmentBytes;
    this.#reserve = new Reserve(this.#folder);
  }

  async open(streamId: string): Promise<SpoolState> {
    try {
      return await this.#openFolder(streamId);
    } catch (error) {
      throw error instanceof QueueError ? error : failed(`${this.#folder} cannot be used`, error);
    }
  }

  async #openFolder(streamId: string): Promise<SpoolState> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    chmodSync(this.#folder, 0o700);
    const unlock = await lockSpool(this.#folder);
    this.#broken = null;
    try {
      const { state, segments, size } = await recover(this.#folder, streamId);
      this.#streamId = streamId;
      this.#segments = [...segments];
      ({ last: this.#last, done: this.#done, doneSeqNo: this.#doneSeqNo, batches: this.#batches } = state);
      this.#keys = state.keys;
      const newest = segments.at(-1);
      if (newest === undefined) await this.#begin(1);
      else {
        this.#tail = await open(newest.path, "r+");
        // A killed process may have written bytes without waiting for the disk.
        await this.#tail.sync();
        this.#tailNumber = newest.number;
        this.#size = this.#synced = size;
      }
      await syncFolder(this.#folder);
      this.#unlock = unlock;
      return state;
    } catch (error) {
      await this.#tail?.close();
      this.#tail = null;
      unlock();
      throw error;
    }
  }

  async add(events: readonly SpooledEvent[]): Promise<void> {
    // The room for records of leaving events comes before more events.
    await this.#reserve.take().catch((error: unknown) => {
      throw failed(`there is no room left at ${this.#folder}`, error);
    });
    const newest = this.#segments.at(-1);
    if (this.#size >= this.#segmentBytes && newest !== undefined && newest.before < this.#last)
      await this.#begin(newest.number + 1);
    const [first, count, at] = [this.#last + 1, events.length, events[0]?.at ?? 0];
    const keys = events.some(({ key }) => key !== undefined) && { keys: events.map(({ key }) => key ?? null) };
    await this.#write({ kind: "events", first, count, at, ...keys, synced: this.#synced }, events, "and wait");
    this.#last += count;
    this.#keys = keysWith(this.#keys, events);
  }

  async read(first: number, limits: ReadLimits): Promise<readonly SpooledEvent[]> {
    const found: SpooledEvent[] = [];
    for (let bytes = 0; found.length < limits.events && first + found.length <= this.#last && bytes <= limits.bytes; ) {
      const more = await this.#reader.from(first + found.length);
      for (const event of more) bytes += event.bytes;
      found.push(...more);
    }
    return found.slice(0, countWithin(found, limits));
  }

  async keepBatch(batch: SpooledBatch): Promise<void> {
    await this.#write({ kind: "batch", batch, synced: this.#synced }, [], "and wait");
    this.#batches = batchesWith(this.#batches, batch);
  }

  async settle(done: number, doneSeqNo: number): Promise<void> {
    await this.#write({ kind: "done", done, done_seq_no: doneSeqNo, synced: this.#synced }, []);
    [this.#done, this.#doneSeqNo, this.#batches] = [done, doneSeqNo, batchesBehind(this.#batches, done)];
    for (;;) {
      const [oldest, next] = this.#segments;
      if (oldest === undefined || next === undefined || next.before > done) return;
      // The next file must record that these events have left before the file with these events is deleted; and files
      // go in order.
      await this.#wait();
      rmSync(oldest.path);
      await syncFolder(this.#folder);
      this.#segments.shift();
    }
  }

  async close(): Promise<void> {
    await this.#reader.close();
    await this.#tail?.close();
    this.#tail = null;
    this.#unlock?.();
    this.#unlock = null;
  }

  /** Begins a file, after all of the file before it is on the disk. */
  async #begin(number: number): Promise<void> {
    if (this.#tail !== null) await this.#wait();
    const path = segmentPath(this.#folder, number);
    const before = this.#last;
    const old = this.#tail;
    try {
      this.#tail = await open(path, "wx+", 0o600);
    } catch (error) {
      throw failed(`${path} could not be made`, error);
    }
    await old?.close();
    this.#tailNumber = number;
    this.#size = this.#synced = 0;
    const state = { last: before, done: this.#done, done_seq_no: this.#doneSeqNo, batches: this.#batches };
    const keys = this.#keys.length > 0 && { keys: this.#keys };
    try {
      await this.#write(
        { kind: "segment", version: 1, stream_id: this.#streamId, ...state, ...keys, synced: 0 },
        [],
        "and wait",
      );
      await syncFolder(this.#folder);
    } catch (error) {
      // A file without its first record is deleted when the spool is opened again.
      this.#broken ??= failed(`${path} could not be begun`, error);
      throw this.#broken;
    }
    this.#segments.push({ path, number, before });
  }

  async #write(head: RecordHead, events: readonly SpooledEvent[], sync?: "and wait"): Promise<void> {
    if (this.#broken !== null) throw this.#broken;
    const bytes = encodeRecord(head, events);
    const tail = this.#opened();
    try {
      for (let written = 0; written < bytes.length; )
        written += (await tail.write(bytes, written, bytes.length - written, this.#size + written)).bytesWritten;
    } catch (error) {
      // A part of a failed write would be in the middle of later records.
      await tail.truncate(this.#size).catch((cause: unknown) => {
        this.#broken = failed("a write failed, and what it left could not be cut off", cause);
      });
      if (head.kind !== "events" && this.#broken === null && isFull(error) && this.#reserve.release())
        return this.#write(head, events, sync);
      throw failed(`nothing more could be written to ${this.#folder}`, error);
    }
    this.#size += bytes.length;
    if (sync !== undefined) await this.#wait();
  }

  /** Waits for the disk. After a failure nobody knows what is on it: only opening the spool again tells. */
  async #wait(): Promise<void> {
    if (this.#broken !== null) throw this.#broken;
    const size = this.#size;
    try {
      await this.#opened().datasync();
    } catch (error) {
      this.#broken = failed(`the disk failed below ${this.#folder}; close the queue and open it again`, error);
      throw this.#broken;
    }
    this.#synced = size;
  }

  #opened(): FileHandle {
    if (this.#tail === null) throw failed(`the spool ${this.#folder} is not open`, undefined);
    return this.#tail;
  }
}

/** Resolves when the names in a folder are on the disk. */
async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, "r");
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT";
}

function failed(what: string, cause: unknown): QueueError {
  const why = cause instanceof Error ? `: ${cause.message}` : "";
  return new QueueError("spool_failed", `The spool failed, ${what}${why}.`, cause);
}
