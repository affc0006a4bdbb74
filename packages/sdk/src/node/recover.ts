/**
 * Reads a spool back when it is opened, and checks every record of every segment. An interrupted write is at the end of
 * the last segment, and is cut off there; any other damage is refused.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import {
  batchesBehind,
  batchesWith,
  KEPT_KEYS,
  QueueError,
  type SpooledBatch,
  type SpoolState,
} from "../queue/index.ts";
import { isTorn, type RecordHead, readRecord, type SpoolRecord } from "./frame.ts";

/** A file of a spool. */
export interface Segment {
  readonly path: string;
  /** Segments count from 1, without a gap. */
  readonly number: number;
  /** The position before its first event. */
  readonly before: number;
}

export interface Recovered {
  readonly state: SpoolState;
  readonly segments: readonly Segment[];
  /** Bytes of the last segment. */
  readonly size: number;
}

const NAME = /^(\d{10})\.spool$/;

export function segmentPath(folder: string, number: number): string {
  return join(folder, `${String(number).padStart(10, "0")}.spool`);
}

/**
 * Resolves to the contents of a folder; empty if the folder is new. Throws QueueError `spool_corrupt`, `spool_foreign`.
 */
export async function recover(folder: string, streamId: string): Promise<Recovered> {
  const numbers = readdirSync(folder)
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
  const found = new Found(streamId);
  const segments: Segment[] = [];
  let [size, cutBytes] = [0, 0];
  for (const [index, number] of numbers.entries()) {
    const path = segmentPath(folder, number);
    const bytes = readFileSync(path);
    let offset = 0;
    for (let record = readRecord(bytes, 0); record !== null; record = readRecord(bytes, offset)) {
      const fault = found.take(record, offset === 0, segments.length === 0);
      if (fault !== null) throw corrupt(path, offset, fault);
      if (offset === 0) segments.push({ path, number, before: found.last });
      offset = record.end;
    }
    size = offset;
    if (offset === bytes.length && offset > 0) continue;
    if (index !== numbers.length - 1 || !isTorn(bytes, offset)) throw corrupt(path, offset, "a record is damaged");
    cutBytes = bytes.length - offset;
    await cut(path, offset);
    if (offset === 0) size = segments.length === 0 ? 0 : readFileSync(segmentPath(folder, number - 1)).length;
  }
  if (segments.some(({ number }, index) => number !== (segments[0]?.number ?? 0) + index))
    throw new QueueError("spool_corrupt", `A file of the spool ${folder} is missing: they are numbered without a gap.`);
  return { state: { ...found.state(), cutBytes }, segments, size };
}

/** The state that the records have built up so far. */
class Found {
  readonly #streamId: string;
  /** The length in bytes of each event from position `#from` on. */
  #lengths: number[] = [];
  #from = 1;
  #done = 0;
  #doneSeqNo = 0;
  #batches: readonly SpooledBatch[] = [];
  #keys: string[] = [];

  constructor(streamId: string) {
    this.#streamId = streamId;
  }

  get last(): number {
    return this.#from - 1 + this.#lengths.length;
  }

  /** Applies a record. Returns its fault, or null. */
  take({ head, lines }: SpoolRecord, isFirstOfSegment: boolean, isFirstOfAll: boolean): string | null {
    if ((head.kind === "segment") !== isFirstOfSegment) return "a segment does not begin with its own record";
    if (head.kind === "segment") return this.#begin(head, isFirstOfAll);
    if (head.kind === "batch") this.#batches = batchesWith(this.#batches, head.batch);
    else if (head.kind === "done") {
      [this.#done, this.#doneSeqNo] = [head.done, head.done_seq_no];
      this.#batches = batchesBehind(this.#batches, head.done);
    } else {
      if (head.first !== this.last + 1 || head.count !== lines.length) return "events are missing";
      for (const line of lines) this.#lengths.push(line.length);
      for (const key of head.keys ?? []) if (key !== null) this.#keys.push(key);
    }
    return null;
  }

  #begin(head: RecordHead & { readonly kind: "segment" }, isFirstOfAll: boolean): string | null {
    if (head.version !== 1) return "it is of a newer version of this program";
    if (head.stream_id !== this.#streamId)
      throw new QueueError("spool_foreign", `The spool holds events of ${head.stream_id}, not of ${this.#streamId}.`);
    if (!isFirstOfAll) return head.last === this.last ? null : "events are missing before it";
    [this.#from, this.#done, this.#doneSeqNo] = [head.last + 1, head.done, head.done_seq_no];
    this.#batches = head.batches;
    this.#keys = [...(head.keys ?? [])];
    return null;
  }

  state(): Omit<SpoolState, "cutBytes"> {
    const waiting = this.#lengths.slice(Math.max(this.#done + 1 - this.#from, 0));
    return {
      last: this.last,
      done: this.#done,
      doneSeqNo: this.#doneSeqNo,
      batches: this.#batches,
      bytes: waiting.reduce((sum, length) => sum + length, 0),
      keys: this.#keys.slice(-KEPT_KEYS),
    };
  }
}

/** Truncates a file, durably; deletes it if nothing is left. */
async function cut(path: string, size: number): Promise<void> {
  if (size === 0) {
    rmSync(path);
    return;
  }
  const file = await open(path, "r+");
  try {
    await file.truncate(size);
    await file.sync();
  } finally {
    await file.close();
  }
}

function corrupt(path: string, offset: number, what: string): QueueError {
  return new QueueError(
    "spool_corrupt",
    `${path}, byte ${offset}: ${what}. What was written there can no longer be read. Put the folder back from a ` +
      `copy, or take it away to begin an empty spool: what waited in it is lost then.`,
  );
}
