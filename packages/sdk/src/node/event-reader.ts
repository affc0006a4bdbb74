/**
 * Reads the events of a spool in order. It holds the lines of one record and a piece of one file, and starts again if
 * an earlier event is asked for.
 */
import { type FileHandle, open } from "node:fs/promises";
import { QueueError, type SpooledEvent } from "../queue/index.ts";
import { HEADER_BYTES, readRecord, recordLength } from "./frame.ts";
import type { Segment } from "./recover.ts";

const PIECE_BYTES = 256 * 1024;

export class EventReader {
  readonly #segments: () => readonly Segment[];
  readonly #written: (segment: Segment) => number;
  #segment: Segment | null = null;
  #file: FileHandle | null = null;
  /** The file offset of the next record, and the bytes from there on that have been read. */
  #offset = 0;
  #piece = Buffer.alloc(0);
  /** The events of the last record, from position `#first` on. */
  #first = 0;
  #events: readonly SpooledEvent[] = [];

  /**
   * `written`: how many bytes of a file are complete. A write behind them may still fail, and its bytes would be cut
   * off.
   */
  constructor(segments: () => readonly Segment[], written: (segment: Segment) => number) {
    this.#segments = segments;
    this.#written = written;
  }

  /**
   * Resolves to the events from a position on that are in one record; at least one. The position must have been added.
   */
  async from(position: number): Promise<readonly SpooledEvent[]> {
    if (this.#file === null || position < this.#first) await this.#openAt(position);
    while (position >= this.#first + this.#events.length) await this.#nextRecord();
    if (position < this.#first) throw this.#unreadable();
    return this.#events.slice(position - this.#first);
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
  }

  async #openAt(position: number): Promise<void> {
    const segment = this.#segments().findLast(({ before }) => before < position);
    if (segment === undefined) throw new QueueError("spool_failed", `Event ${position} is no longer in the spool.`);
    await this.#open(segment);
  }

  async #open(segment: Segment): Promise<void> {
    await this.close();
    this.#file = await open(segment.path, "r");
    this.#segment = segment;
    [this.#offset, this.#piece, this.#first, this.#events] = [0, Buffer.alloc(0), segment.before + 1, []];
  }

  async #nextRecord(): Promise<void> {
    if (!(await this.#has(HEADER_BYTES))) {
      const next = this.#segments().find(({ number }) => number > (this.#segment?.number ?? 0));
      if (next === undefined) throw this.#unreadable();
      await this.#open(next);
      return;
    }
    const length = recordLength(this.#piece, 0);
    if (length === null || !(await this.#has(length))) throw this.#unreadable();
    const record = readRecord(this.#piece, 0);
    if (record === null) throw this.#unreadable();
    if (record.head.kind === "events") {
      const { first, at } = record.head;
      this.#first = first;
      this.#events = record.lines.map((line) => ({ text: line.toString("utf8"), bytes: line.length, at }));
    }
    this.#piece = this.#piece.subarray(length);
    this.#offset += length;
  }

  /** Resolves to whether so many bytes are there, and reads them into the piece. */
  async #has(length: number): Promise<boolean> {
    if (this.#piece.length >= length) return true;
    const written = this.#segment === null ? 0 : this.#written(this.#segment);
    const piece = Buffer.alloc(Math.min(Math.max(length, PIECE_BYTES), Math.max(written - this.#offset, 0)));
    let read = 0;
    for (let more = 1; more > 0 && read < piece.length; read += more)
      more = (await this.#file?.read(piece, read, piece.length - read, this.#offset + read))?.bytesRead ?? 0;
    this.#piece = piece.subarray(0, read);
    return read >= length;
  }

  #unreadable(): QueueError {
    return new QueueError(
      "spool_failed",
      `${this.#segment?.path}, byte ${this.#offset}: what was written there can no longer be read.`,
    );
  }
}
