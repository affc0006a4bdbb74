/**
 * The place where an append queue keeps its events: those of one stream in order, by position, and the batches made of
 * the first of them. A spool sends nothing and decides nothing.
 */

/** An event that waits. */
export interface SpooledEvent {
  /** The event as JSON, without a line end in it. */
  readonly text: string;
  /** The length of the text in bytes of UTF-8. */
  readonly bytes: number;
  /** When it was put into the spool, in Unix milliseconds of this machine. */
  readonly at: number;
  /** The program's key for the event, which the spool remembers; `read` need not return it. */
  readonly key?: string;
}

/** How many keys a spool remembers, whether or not their events have left. */
export const KEPT_KEYS = 10_000;

/** Events that are sent together: the same events under the same key, until their outcome is known. */
export interface SpooledBatch {
  /** The Idempotency-Key. */
  readonly key: string;
  /** Positions of the first and the last event. */
  readonly first: number;
  readonly last: number;
  /** When the batch was made, in Unix milliseconds of this machine. */
  readonly madeAt: number;
}

/** The contents of a spool when it is opened. */
export interface SpoolState {
  /** The position of the newest event; positions count from 1, and 0 means none. */
  readonly last: number;
  /** The position up to which events have left the queue: with a receipt, or discarded. */
  readonly done: number;
  /** The `seq_no` of the last receipt; 0 before the first. */
  readonly doneSeqNo: number;
  /** The batches behind `done`, in order. */
  readonly batches: readonly SpooledBatch[];
  /** UTF-8 bytes of the waiting events. */
  readonly bytes: number;
  /** The newest KEPT_KEYS keys of events, oldest first. */
  readonly keys: readonly string[];
  /** Bytes of an incomplete write, which have been cut off: nothing in them was acknowledged. */
  readonly cutBytes: number;
}

/** The most to read at once; one event is read whatever its size. */
export interface ReadLimits {
  readonly events: number;
  readonly bytes: number;
}

/**
 * The interface between an append queue and its spool. The queue makes one call at a time; only `read` runs beside
 * other calls, but never beside another `read`. Every call throws QueueError `spool_failed` if the medium fails.
 */
export interface Spool {
  /** The most UTF-8 bytes of waiting events: above it an append waits. */
  readonly maxBytes: number;
  /**
   * Opens it for a stream, and keeps others out until it is closed. Throws QueueError `spool_in_use`, `spool_foreign`
   * if it holds another stream's events, and `spool_corrupt`, with the place, if it cannot be read back.
   */
  open(streamId: string): Promise<SpoolState>;
  /**
   * Puts events behind the last one and keeps their keys; all of them or none. They are as safe as the spool makes them
   * when it resolves.
   */
  add(events: readonly SpooledEvent[]): Promise<void>;
  /** Resolves to the events from a position on, in order. The position is behind all settled events. */
  read(first: number, limits: ReadLimits): Promise<readonly SpooledEvent[]>;
  /** Keeps a batch, in place of batches with which it shares events, as safely as events. */
  keepBatch(batch: SpooledBatch): Promise<void>;
  /**
   * Drops the events up to a position, which is the last of a batch, and their batches. The spool may forget this call
   * when the machine stops: the batch is then sent again, under its key.
   */
  settle(done: number, doneSeqNo: number): Promise<void>;
  /** Lets others in. Waiting events stay, as far as the medium keeps them. */
  close(): Promise<void>;
}

/**
 * Returns the keys to keep when events are added: the newest KEPT_KEYS. `keys`: those kept so far, oldest first.
 * `events`: the new events.
 *
 * @example
 * const events = [{ text: "{}", bytes: 2, at: 0, key: "S-2" }];
 * console.log(keysWith(["S-1"], events).join()); // S-1,S-2
 */
export function keysWith(keys: readonly string[], events: readonly SpooledEvent[]): readonly string[] {
  const more = events.flatMap(({ key }) => key ?? []);
  return more.length === 0 ? keys : [...keys, ...more].slice(-KEPT_KEYS);
}

/**
 * Returns the batches to keep when one is added, in order: without those that share events with it. `batches`: those
 * kept so far. `batch`: the new one.
 *
 * @example
 * const batches = batchesWith([], { key: "5f0c", first: 1, last: 3, madeAt: 0 });
 * console.log(batches.length); // 1
 */
export function batchesWith(batches: readonly SpooledBatch[], batch: SpooledBatch): readonly SpooledBatch[] {
  const others = batches.filter(({ first, last }) => last < batch.first || first > batch.last);
  return [...others, batch].sort((a, b) => a.first - b.first);
}

/**
 * Returns the batches to keep when the events up to a position have left. `batches`: those kept so far. `done`: the
 * position.
 *
 * @example
 * const batches = [{ key: "5f0c", first: 1, last: 3, madeAt: 0 }];
 * console.log(batchesBehind(batches, 3).length); // 0
 */
export function batchesBehind(batches: readonly SpooledBatch[], done: number): readonly SpooledBatch[] {
  return batches.filter(({ last }) => last > done);
}

/**
 * Returns how many events, from the first on, are within the limits together; at least one. `events`: in order.
 * `limits`: the most events and bytes.
 *
 * @example
 * const events = [{ text: "{}", bytes: 2, at: 0 }, { text: "{}", bytes: 2, at: 0 }];
 * console.log(countWithin(events, { events: 10, bytes: 3 })); // 1
 */
export function countWithin(events: readonly SpooledEvent[], limits: ReadLimits): number {
  let [count, bytes] = [0, 0];
  for (const event of events) {
    bytes += event.bytes;
    if (count === limits.events || (count > 0 && bytes > limits.bytes)) break;
    count += 1;
  }
  return count;
}

const NOT_ASCII = /[^\0-\x7f]/;

/** Returns the length of a well-formed text in bytes of UTF-8. */
export function utf8Length(text: string): number {
  if (!NOT_ASCII.test(text)) return text.length;
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    // A pair of surrogates is four bytes: two for each.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
