/** A spool in memory: events that wait when the process ends are lost. */
import { QueueError } from "./queue-error.ts";
import {
  batchesBehind,
  batchesWith,
  countWithin,
  keysWith,
  type ReadLimits,
  type Spool,
  type SpooledBatch,
  type SpooledEvent,
  type SpoolState,
} from "./spool.ts";

const MIB = 2 ** 20;
const DEFAULT_MAX_BYTES = 64 * MIB;

/**
 * A spool in memory: its events end with the process.
 *
 * @example
 * const queue = await stream.openQueue({ spool: new MemorySpool() });
 * await stream.appendLater(event);
 * await queue.flush();
 * console.log(queue.waiting().events); // 0
 */
export class MemorySpool implements Spool {
  readonly maxBytes: number;
  #streamId: string | null = null;
  #isOpen = false;
  /** The events behind `#done`. */
  #events: SpooledEvent[] = [];
  #done = 0;
  #doneSeqNo = 0;
  #batches: readonly SpooledBatch[] = [];
  #keys: readonly string[] = [];

  /** `maxBytes`: the most UTF-8 bytes of waiting events; by default 64 MiB. */
  constructor({ maxBytes = DEFAULT_MAX_BYTES }: { readonly maxBytes?: number } = {}) {
    this.maxBytes = maxBytes;
  }

  async open(streamId: string): Promise<SpoolState> {
    if (this.#isOpen) throw new QueueError("spool_in_use", "This spool has a queue already. Give each queue its own.");
    this.#streamId ??= streamId;
    if (this.#streamId !== streamId)
      throw new QueueError("spool_foreign", `The spool holds events of ${this.#streamId}, not of ${streamId}.`);
    this.#isOpen = true;
    return {
      last: this.#done + this.#events.length,
      done: this.#done,
      doneSeqNo: this.#doneSeqNo,
      batches: this.#batches,
      bytes: this.#events.reduce((sum, { bytes }) => sum + bytes, 0),
      keys: this.#keys,
      cutBytes: 0,
    };
  }

  async add(events: readonly SpooledEvent[]): Promise<void> {
    this.#events.push(...events);
    this.#keys = keysWith(this.#keys, events);
  }

  async read(first: number, limits: ReadLimits): Promise<readonly SpooledEvent[]> {
    const from = first - this.#done - 1;
    const events = this.#events.slice(from, from + limits.events);
    return events.slice(0, countWithin(events, limits));
  }

  async keepBatch(batch: SpooledBatch): Promise<void> {
    this.#batches = batchesWith(this.#batches, batch);
  }

  async settle(done: number, doneSeqNo: number): Promise<void> {
    this.#events = this.#events.slice(done - this.#done);
    this.#done = done;
    this.#doneSeqNo = doneSeqNo;
    this.#batches = batchesBehind(this.#batches, done);
  }

  async close(): Promise<void> {
    this.#isOpen = false;
  }
}
