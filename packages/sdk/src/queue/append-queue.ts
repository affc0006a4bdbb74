/**
 * An append queue: it records events of one stream later, in the order in which they were given. The events wait in a
 * spool and live as long as it does; an append waits while the spool is full, and memory holds a few batches at any
 * length of the queue.
 */
import type { EventInput } from "@svc/core";
import { jsonOf } from "../json-of.ts";
import { Outbox, type Send } from "./outbox.ts";
import { QueueError } from "./queue-error.ts";
import type { LastError, QueueStop } from "./queue-stop.ts";
import { type QueuedEvent, type QueuedReceipt, ReceiptsDue } from "./receipts-due.ts";
import { type Settleable, settleable } from "./settleable.ts";
import { type Spool, type SpooledEvent, utf8Length } from "./spool.ts";
import { type AppendLaterOptions, SuppliedKeys } from "./supplied-keys.ts";

/** How many days a service keeps Idempotency-Keys, unless it says otherwise. */
const DEFAULT_KEY_DAYS = 30;
/** The most events in one request of the service. */
const MAX_BATCH_EVENTS = 1000;
/**
 * The most UTF-8 bytes put into the spool together, so that one wait for the disk serves many events; always one event
 * at least.
 */
const MAX_GROUP_BYTES = 2 ** 20;

/** Options of an append queue. */
export interface AppendQueueOptions {
  /** The place where events wait. A queue closes its spool. */
  readonly spool: Spool;
  /**
   * Receives the receipts of each batch, in order, also for events of earlier processes. The events leave the spool
   * when it has resolved; a process that ends earlier gets the same receipts again in its next run. The queue stops if
   * it throws.
   */
  readonly onReceipts?: (receipts: readonly QueuedReceipt[]) => void | Promise<void>;
  /** Called when the queue stops: the queue continues after `resume` or `discard`. */
  readonly onStopped?: (stop: QueueStop) => void;
  /** How many days the service keeps Idempotency-Keys (its `SVC_IDEMPOTENCY_DAYS`); by default 30. */
  readonly keyDays?: number;
  /**
   * The most events in one batch, 1 to 1000; by default 1000. Up to three batches are on their way at a time if enough
   * events wait.
   */
  readonly maxBatchEvents?: number;
  /** The clock, in Unix milliseconds; by default the machine's. */
  readonly now?: () => number;
}

/** The state of a queue. */
export interface Waiting {
  /** Events in the spool. */
  readonly events: number;
  /** UTF-8 bytes of these events as JSON. */
  readonly bytes: number;
  /** Appends that wait for room in the spool. */
  readonly appends: number;
  /**
   * When the longest waiting event was put into the spool, in Unix milliseconds; null if none waits, or the time is not
   * known yet.
   */
  readonly oldestAt: number | null;
  /** Events in the batch whose receipts come next; 0 if no batch has been sent. */
  readonly sending: number;
  /** Why the last attempt failed; null after a success. */
  readonly lastError: LastError | null;
  /** When the batch is sent again, in Unix milliseconds; null if no pause is running. */
  readonly nextAttemptAt: number | null;
  /** Set while the queue is stopped and the program has to decide. */
  readonly stopped: QueueStop | null;
  /** Bytes of an incomplete write that were cut off the spool when it was opened. */
  readonly cutBytes: number;
}

/** An append that waits for room in the spool. */
interface Incoming extends Settleable<QueuedEvent> {
  readonly event: SpooledEvent;
}

/**
 * An append queue; `stream.openQueue` opens one. Positions, counts and times are those of this machine: none is
 * evidence.
 */
export class AppendQueue {
  readonly #spool: Spool;
  readonly #now: () => number;
  readonly #outbox: Outbox;
  readonly #due = new ReceiptsDue();
  readonly #flushes = new Set<() => void>();
  #incoming: Incoming[] = [];
  /** Appends that are being put into the spool. */
  #entering: readonly Incoming[] = [];
  #filling: Promise<void> | null = null;
  readonly #keys: SuppliedKeys;
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
    this.#keys = new SuppliedKeys(state.keys);
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
   * Opens a spool for a stream, and begins to send its events. Throws the errors of `Spool.open`, and RangeError for a
   * number out of its range.
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
   * Puts an event behind all earlier ones, and resolves when it is in the spool; waits while the spool is full. Without
   * `await`, events pile up in the program's own memory. `event`: as in `StreamClient.append`. `key`: your program's
   * name for the event; the queue takes each key once. Rejects with QueueError `not_an_event`, `key_taken`,
   * `spool_failed` or `queue_closed`, SvcError `payload_not_json`, and TypeError for a malformed key.
   *
   * @example
   * const queue = await stream.openQueue({ spool: new MemorySpool() });
   * const { position, receipt: recorded } = await queue.append(event, { key: "loan-1001" });
   * console.log(position, (await recorded).seq_no); // 1 4
   * await queue.close();
   */
  async append(event: EventInput, { key }: AppendLaterOptions = {}): Promise<QueuedEvent> {
    if (this.#closed !== null) throw closed();
    const text = jsonOf(event);
    if (!text.startsWith("{")) throw new QueueError("not_an_event", "What was given is no object, so it is no event.");
    // Events keep their order, except behind one of the same key that is being put into the spool and may fail.
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

  /** Whether the queue has been closed and takes no more events. */
  get isClosed(): boolean {
    return this.#closed !== null;
  }

  /**
   * Returns how many events wait, how long, and why. Asks nobody.
   *
   * @example
   * const queue = await stream.openQueue({ spool: new MemorySpool() });
   * console.log(queue.waiting().events, queue.waiting().stopped); // 0 null
   * await queue.close();
   */
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
   * Resolves when every event that was given before has left the queue. Rejects with QueueError `queue_stopped` if the
   * queue stops first, and `queue_closed` if it is closed first.
   *
   * @example
   * const queue = await stream.openQueue({ spool: new MemorySpool() });
   * await queue.append(event);
   * await queue.flush();
   * console.log((await stream.head()).seq_no); // 4
   * await queue.close();
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
   * Continues after a stop, with the same events. `anew`: sends them under a new key; use it only if you know that they
   * were not recorded, or the stream has them twice. Does nothing if the queue has not stopped.
   *
   * @example
   * const queue = await stream.openQueue({ spool: new MemorySpool() });
   * await queue.append({ ...event, occurred_at: "yesterday" });
   * await queue.flush().catch(() => queue.resume());
   * await queue.flush().catch(({ code }) => console.log(code)); // queue_stopped
   * await queue.close();
   */
  resume({ anew = false }: { readonly anew?: boolean } = {}): void {
    this.#outbox.resume(anew);
  }

  /**
   * Removes the events at which the queue stopped, resolves to them, and continues with the next ones. Rejects with
   * TypeError if the queue has not stopped.
   *
   * @example
   * const queue = await stream.openQueue({ spool: new MemorySpool() });
   * await queue.append({ ...event, occurred_at: "yesterday" });
   * await queue.flush().catch(() => undefined);
   * console.log((await queue.discard()).map(({ occurred_at }) => occurred_at).join()); // yesterday
   * await queue.close();
   */
  discard(): Promise<readonly EventInput[]> {
    return this.#outbox.discard();
  }

  /**
   * Takes no more events, aborts requests, and closes the spool: its events wait for the next process. Call `flush`
   * first to send them.
   *
   * @example
   * const queue = await stream.openQueue({ spool: new MemorySpool() });
   * await queue.close();
   * console.log(queue.isClosed); // true
   */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    // `#closed` must be set before the first wait, because it marks the queue as closed.
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

  /** Returns how many of the waiting appends fit into the spool now. */
  #roomFor(): number {
    let [count, bytes] = [0, 0];
    for (const { event } of this.#incoming) {
      bytes += event.bytes;
      // An event larger than the whole spool goes into an empty one.
      if (this.#bytes + bytes > this.#spool.maxBytes && this.#bytes + count > 0) break;
      if (count > 0 && bytes > MAX_GROUP_BYTES) break;
      count += 1;
    }
    return count;
  }

  async #fillSpool(): Promise<void> {
    // Appends of the same turn of the event loop share the wait for the disk.
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
