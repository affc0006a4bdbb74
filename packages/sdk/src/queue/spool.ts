/**
 * Where an append queue keeps what waits: the events of one stream in order, by position, and the batches that were made of the first of
 * them. A spool sends nothing and decides nothing.
 */

/** An event that waits. */
export interface SpooledEvent {
  /** The event as JSON, without a line end in it. */
  readonly text: string;
  /** How many bytes of UTF-8 the text has. */
  readonly bytes: number;
  /** When it was put into the spool, in Unix milliseconds of this machine. */
  readonly at: number;
  /** The key that the program gave it, which the spool remembers; `read` need not give it back. */
  readonly key?: string;
}

/** How many keys a spool remembers, whether or not their events have left. */
export const KEPT_KEYS = 10_000;

/** Events that are sent together: the same ones under the same key, until it is known what became of them. */
export interface SpooledBatch {
  /** The Idempotency-Key. */
  readonly key: string;
  /** Positions of the first and the last event. */
  readonly first: number;
  readonly last: number;
  /** When it was made, in Unix milliseconds of this machine. */
  readonly madeAt: number;
}

/** What a spool holds when it is opened. */
export interface SpoolState {
  /** The position of the newest event; they count from 1, and 0 is none. */
  readonly last: number;
  /** Up to where events have left the queue: with a receipt, or discarded. */
  readonly done: number;
  /** The `seq_no` of the last receipt; 0 where there was none. */
  readonly doneSeqNo: number;
  /** The batches behind `done`, in order. */
  readonly batches: readonly SpooledBatch[];
  /** UTF-8 bytes of the events that wait. */
  readonly bytes: number;
  /** The newest KEPT_KEYS keys that events were given, the oldest first. */
  readonly keys: readonly string[];
  /** Bytes of a write that never became whole, cut off now: of nothing that was acknowledged. */
  readonly cutBytes: number;
}

/** How much is read at most; one event is, whatever its size. */
export interface ReadLimits {
  readonly events: number;
  readonly bytes: number;
}

/**
 * What an append queue asks of a spool. Its calls do not overlap, `read` aside: no other `read`, but anything else may run beside it. All of them throw
 * QueueError `spool_failed` where the medium fails.
 */
export interface Spool {
  /** UTF-8 bytes of waiting events that it takes: beyond these an append waits. */
  readonly maxBytes: number;
  /**
   * Opens it for a stream, and keeps others out until it is closed. Throws QueueError `spool_in_use`, `spool_foreign` for one that holds another
   * stream's events, and `spool_corrupt`, with the place, for one that cannot be read back.
   */
  open(streamId: string): Promise<SpoolState>;
  /** Puts events behind the last one, and keeps their keys; all of them or none. They are as safe as the spool makes them when it resolves. */
  add(events: readonly SpooledEvent[]): Promise<void>;
  /** The events from a position on, which is behind all that were settled, in order. */
  read(first: number, limits: ReadLimits): Promise<readonly SpooledEvent[]>;
  /** Keeps a batch, in place of those with which it shares events, as safely as events. */
  keepBatch(batch: SpooledBatch): Promise<void>;
  /** Lets go of the events up to a position, which is the last of a batch, and of their batches. It may be forgotten when the machine stops: the batch is then sent again, under its key. */
  settle(done: number, doneSeqNo: number): Promise<void>;
  /** Lets others in. What waits stays, as far as the medium keeps it. */
  close(): Promise<void>;
}

/**
 * The keys that are kept when events are added.
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
 * The batches that are kept when one is added, in order.
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
 * The batches that are kept when the events up to a position have left.
 *
 * @example
 * const batches = [{ key: "5f0c", first: 1, last: 3, madeAt: 0 }];
 * console.log(batchesBehind(batches, 3).length); // 0
 */
export function batchesBehind(batches: readonly SpooledBatch[], done: number): readonly SpooledBatch[] {
  return batches.filter(({ last }) => last > done);
}

/**
 * How many of some events, from the first on, are within the limits together; one in any case.
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

/** How many bytes of UTF-8 a well-formed text has. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    // A pair of surrogates is four bytes: two for each.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
