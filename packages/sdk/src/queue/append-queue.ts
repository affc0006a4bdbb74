/**
 * An append queue: events of one stream that are recorded later, in the order in which they were given. What waits is in a spool, so that it
 * outlives what the spool outlives; a program waits where the spool is full, and memory holds a few batches whatever waits.
 */
import type { EventInput } from "@svc/core";
import { jsonOf } from "../json-of.ts";
import { type AppendLaterOptions, GivenKeys } from "./given-keys.ts";
import { Outbox, type Send } from "./outbox.ts";
import { QueueError } from "./queue-error.ts";
import type { LastError, QueueStop } from "./queue-stop.ts";
import { type QueuedEvent, type QueuedReceipt, ReceiptsDue } from "./receipts-due.ts";
import { type Settleable, settleable } from "./settleable.ts";
import { type Spool, type SpooledEvent, utf8Length } from "./spool.ts";

/** How many days a service keeps Idempotency-Keys, where it says nothing else. */
const DEFAULT_KEY_DAYS = 30;
/** What one request of the service takes. */
const MAX_BATCH_EVENTS = 1000;
/** UTF-8 bytes that are put into the spool together, so that one wait for the disk serves many events; one event in any case. */
const MAX_GROUP_BYTES = 2 ** 20;

/** What an append queue works with. */
export interface AppendQueueOptions {
  /** Where events wait. A queue closes its spool. */
  readonly spool: Spool;
  /**
   * Told of the receipts of each batch, in order, those of events of earlier processes too. The events leave the spool when it has resolved, so a
   * process that ends before is told again. Where it throws, the queue stops.
   */
  readonly onReceipts?: (receipts: readonly QueuedReceipt[]) => void | Promise<void>;
  /** Told when the queue stops: it goes on when `resume` or `discard` is called. */
  readonly onStopped?: (stop: QueueStop) => void;
  /** How many days the service keeps Idempotency-Keys (its `SVC_IDEMPOTENCY_DAYS`); 30 where not given. */
  readonly keyDays?: number;
  /** How many events are sent together at most, 1 to 1000; 1000 where not given. Two batches are on their way at a time, where so many wait. */
  readonly maxBatchEvents?: number;
  /** The clock, in Unix milliseconds; the machine's where not given. */
  readonly now?: () => number;
}

/** What waits, and why. */
export interface Waiting {
  /** Events in the spool. */
  readonly events: number;
  /** UTF-8 bytes of them as JSON. */
  readonly bytes: number;
  /** Appends that wait to be put into the spool. */
  readonly appends: number;
  /** When the event that has waited longest was put into the spool, in Unix milliseconds; null where none waits, or it is not known yet. */
  readonly oldestAt: number | null;
  /** Events in the batch whose receipts come next; 0 where none is on its way. */
  readonly sending: number;
  /** Why the last attempt failed; null after one that did not. */
  readonly lastError: LastError | null;
  /** When the batch is sent again, in Unix milliseconds; null where it is not waited. */
  readonly nextAttemptAt: number | null;
  /** Set while the queue stands still until the program decides. */
  readonly stopped: QueueStop | null;
  /** Bytes that were cut off the spool when it was opened: a write that never became whole. */
  readonly cutBytes: number;
}

/** An append that waits to be put into the spool. */
interface Incoming extends Settleable<QueuedEvent> {
  readonly event: SpooledEvent;
}

/** An append queue; `stream.openQueue` opens one. Positions, counts and times are those of this machine: none is evidence. */
export class AppendQueue {
  readonly #spool: Spool;
  readonly #now: () => number;
  readonly #outbox: Outbox;
  readonly #due = new ReceiptsDue();
  readonly #flushes = new Set<() => void>();
  #incoming: Incoming[] = [];
  /** Those that are on their way into the spool. */
  #entering: readonly Incoming[] = [];
  #filling: Promise<void> | null = null;
  readonly #keys: GivenKeys;
  #turn: Promise<unknown> = Promise.resolve();
  #last: number;
  #bytes: number;
  #oldestAt: number | null = null;
  readonly #cutBytes: number;
  #closed: Promise<void> | null = null;

  private constructor(
    streamId: string,
    send: Send,
    options: AppendQueueOptions,
    state: Awaited<ReturnType<Spool["open"]>>,
  ) {
    const { spool, now = Date.now, keyDays = DEFAULT_KEY_DAYS, maxBatchEvents = MAX_BATCH_EVENTS } = options;
    const { onReceipts = () => {}, onStopped = () => {} } = options;
    this.#spool = spool;
    this.#now = now;
    this.#last = state.last;
    this.#bytes = state.bytes;
    this.#cutBytes = state.cutBytes;
    this.#keys = new GivenKeys(state.keys);
    this.#outbox = new Outbox({
      streamId,
      spool,
      state,
      keyDays,
      maxBatchEvents,
      now,
      send,
      inTurn: (work) => this.#inTurn(work),
      onReceipts,
      onSettled: ({ kept, bytes }, outcomeOf) => {
        this.#bytes -= bytes;
        this.#due.settle(kept.first, kept.last, (position) => outcomeOf(position - kept.first));
        this.#lookAtFlushes();
        this.#fill();
      },
      onStopped: (stop) => {
        this.#lookAtFlushes();
        onStopped(stop);
      },
    });
    this.#outbox.wake(state.last);
  }

  /**
   * Opens a spool for a stream, and begins to send what waits in it. Throws what `Spool.open` throws, and RangeError for a number that is out of its range.
   *
   * @internal
   */
  static async open(streamId: string, send: Send, options: AppendQueueOptions): Promise<AppendQueue> {
    const { spool, maxBatchEvents = MAX_BATCH_EVENTS } = options;
    if (!Number.isInteger(maxBatchEvents) || maxBatchEvents < 1 || maxBatchEvents > MAX_BATCH_EVENTS)
      throw new RangeError(`maxBatchEvents is a whole number from 1 to ${MAX_BATCH_EVENTS}, not ${maxBatchEvents}`);
    return new AppendQueue(streamId, send, options, await spool.open(streamId));
  }

  /**
   * Puts an event behind all that were given before, and resolves when it is in the spool; waits while the spool is full. A program that does not
   * await it keeps the events in its own memory. Throws QueueError: `not_an_event`, `key_taken`, `spool_failed`, `queue_closed`; SvcError
   * `payload_not_json`; and TypeError for a key that is none.
   */
  async append(event: EventInput, { key }: AppendLaterOptions = {}): Promise<QueuedEvent> {
    if (this.#closed !== null) throw closed();
    const text = jsonOf(event);
    if (!text.startsWith("{")) throw new QueueError("not_an_event", "What was given is no object, so it is no event.");
    // In the order in which they are given, unless one of the same key is on its way, and may fail.
    if (key !== undefined)
      for (let coming = this.#keys.coming(key); coming !== undefined; coming = this.#keys.coming(key))
        await coming.catch(() => undefined);
    if (this.#closed !== null) throw closed();
    const spooled = { text, bytes: utf8Length(text), at: this.#now(), ...(key !== undefined && { key }) };
    const incoming = { event: spooled, ...settleable<QueuedEvent>() };
    if (key !== undefined) this.#keys.take(key, incoming.promise);
    this.#incoming.push(incoming);
    this.#fill();
    return incoming.promise;
  }

  /** Whether it takes no more events. */
  get isClosed(): boolean {
    return this.#closed !== null;
  }

  /** What waits, how long, and why. Asks nobody. */
  waiting(): Waiting {
    const { batch, lastError, nextAttemptAt, stop, done } = this.#outbox;
    const events = this.#last - done;
    return {
      events,
      bytes: this.#bytes,
      appends: this.#entering.length + this.#incoming.length,
      oldestAt: events === 0 ? null : (batch?.oldestAt ?? this.#oldestAt),
      sending: batch === null || stop !== null ? 0 : batch.texts.length,
      lastError,
      nextAttemptAt,
      stopped: stop,
      cutBytes: this.#cutBytes,
    };
  }

  /**
   * Resolves when every event that was given before has left the queue. Throws QueueError: `queue_stopped` where the queue stops before that,
   * `queue_closed`.
   */
  async flush(): Promise<void> {
    const newest = this.#incoming.at(-1) ?? this.#entering.at(-1);
    const position = newest === undefined ? this.#last : (await newest.promise).position;
    const { promise, resolve, reject } = settleable<void>();
    const look = () => {
      const { done, stop } = this.#outbox;
      if (done >= position) resolve();
      else if (stop !== null)
        reject(new QueueError("queue_stopped", `The queue stopped: ${stop.code}: ${stop.message}`, stop.cause));
      else if (this.#closed !== null) reject(closed());
      else return;
      this.#flushes.delete(look);
    };
    this.#flushes.add(look);
    look();
    return promise;
  }

  /**
   * Goes on after a stop, with the same events. `anew` sends them under a new key: only where it is known that they were not recorded, or they
   * stand in the stream twice. Does nothing where the queue has not stopped.
   */
  resume({ anew = false }: { readonly anew?: boolean } = {}): void {
    this.#outbox.resume(anew);
  }

  /** Takes the events that the queue stopped at out of it, answers with them, and goes on behind them. Throws TypeError where it has not stopped. */
  discard(): Promise<readonly EventInput[]> {
    return this.#outbox.discard();
  }

  /** Takes no more events, breaks off what is on its way, and closes the spool: what waits in it waits for the next process. `flush` sends it before. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    // Set before anything is waited for, since `close` is checked for by it.
    await Promise.resolve();
    for (const { reject } of this.#incoming.splice(0)) reject(closed());
    await this.#outbox.close();
    await this.#filling;
    this.#due.settleAll(closed());
    this.#lookAtFlushes();
    await this.#inTurn(() => this.#spool.close());
  }

  #fill(): void {
    if (this.#filling !== null || this.#roomFor() === 0) return;
    this.#filling = this.#fillSpool().finally(() => {
      this.#filling = null;
      this.#fill();
    });
  }

  /** How many of the appends that wait may be put into the spool now. */
  #roomFor(): number {
    let [count, bytes] = [0, 0];
    for (const { event } of this.#incoming) {
      bytes += event.bytes;
      // One that is larger than the whole spool goes into an empty one.
      if (this.#bytes + bytes > this.#spool.maxBytes && this.#bytes + count > 0) break;
      if (count > 0 && bytes > MAX_GROUP_BYTES) break;
      count += 1;
    }
    return count;
  }

  async #fillSpool(): Promise<void> {
    // Whatever is given in the same turn of the program shares the wait for the disk.
    await Promise.resolve();
    const group = this.#incoming.splice(0, this.#roomFor());
    if (group.length === 0) return;
    const events = group.map(({ event }) => event);
    this.#entering = group;
    try {
      await this.#inTurn(() => this.#spool.add(events));
    } catch (error) {
      for (const { reject } of group) reject(error);
      return;
    } finally {
      this.#entering = [];
    }
    const first = this.#last + 1;
    if (this.#last === this.#outbox.done) this.#oldestAt = events[0]?.at ?? null;
    this.#last += group.length;
    for (const { bytes } of events) this.#bytes += bytes;
    this.#keys.note(events);
    const tickets = this.#due.issue(first, this.#last);
    for (const [index, { resolve }] of group.entries()) resolve(tickets[index] as QueuedEvent);
    this.#outbox.wake(this.#last);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const own = this.#turn.then(work);
    this.#turn = own.catch(() => undefined);
    return own;
  }

  #lookAtFlushes(): void {
    for (const look of this.#flushes) look();
  }
}

function closed(): QueueError {
  return new QueueError("queue_closed", "The queue was closed. What waits is in its spool.");
}
