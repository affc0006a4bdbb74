/**
 * The sending side of an append queue: batches in order. Each is kept in the spool under its key before it is sent, and
 * sent again under the same key until an answer comes. Full next batches are sent ahead, and the service records each
 * only behind the one before; its answer counts when its turn comes. A final refusal of the service stops the queue.
 */
import type { EventInput } from "@svc/core";
import { SvcError } from "../error.ts";
import type { WriteOptions } from "../transport.ts";
import { Batch, isLie, isTransient, membersOf } from "./batch.ts";
import { Pause } from "./pause.ts";
import { QueueError } from "./queue-error.ts";
import { type LastError, named, type QueueStop } from "./queue-stop.ts";
import type { QueuedReceipt } from "./receipts-due.ts";
import { batchesBehind, batchesWith, type Spool, type SpooledBatch, type SpoolState } from "./spool.ts";

/** Well below the limit of the service: the answer is larger, and both are in memory. */
const MAX_BATCH_BYTES = 4 * 2 ** 20;
/**
 * So many batches are sent ahead: the service has one to record and one to read while the receipts of a third are
 * checked here.
 */
const MAX_AHEAD = 2;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 60_000;
/** After so many answers in a row whose receipts do not hold, the queue stops: the service is at fault then. */
const MAX_LIES = 8;

/** How a batch is sent. */
export interface SendOptions extends WriteOptions {
  /**
   * The Idempotency-Key of the batch behind which it must be recorded, or not at all; undefined if that one is recorded
   * already.
   */
  readonly after_key: string | undefined;
}

/** Checks the receipts of an answer, and resolves to them. */
type Check = () => Promise<readonly QueuedReceipt[]>;

/** Sends events, each as JSON text. Resolves when the answer has come. */
export type Send = (texts: readonly string[], options: SendOptions) => Promise<Check>;

/** A batch that was sent before its turn. */
interface Ahead {
  readonly batch: Batch;
  /** Resolves to its answer; to null if it has to be sent again in its turn. */
  readonly answered: Promise<Check | null>;
  /** Whether it is known that it has to be sent again. */
  isLost: boolean;
}

export interface OutboxOptions {
  readonly streamId: string;
  readonly spool: Spool;
  readonly state: SpoolState;
  readonly keyDays: number;
  readonly maxBatchEvents: number;
  readonly now: () => number;
  readonly send: Send;
  /** Makes one call to the spool after the other. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  readonly onReceipts: (receipts: readonly QueuedReceipt[]) => void | Promise<void>;
  /** Called when events leave the queue, with receipts or with the reason why they have none. */
  readonly onSettled: (batch: Batch, outcomeOf: (index: number) => QueuedReceipt | QueueError) => void;
  readonly onStopped: (stop: QueueStop) => void;
}

export class Outbox {
  readonly #options: OutboxOptions;
  readonly #closing = new AbortController();
  #last: number;
  #done: number;
  #doneSeqNo: number;
  /** The batches behind `#done`. */
  #kept: readonly SpooledBatch[];
  /** The batch whose turn it is, and its answer if it was sent ahead. */
  #batch: Batch | null = null;
  #answered: Ahead["answered"] | null = null;
  /** The batches that are sent ahead, in order. */
  readonly #ahead: Ahead[] = [];
  /** Runs while batches are made that are sent ahead. */
  #making: Promise<void> | null = null;
  /** The most events in the next batch: fewer for a while after a batch was split. */
  #most: number;
  #attempts = 0;
  /** How many answers in a row had receipts that do not hold. */
  #lies = 0;
  #pause: Pause | null = null;
  #isDiscarding = false;
  #running: Promise<void> | null = null;
  lastError: LastError | null = null;
  stop: QueueStop | null = null;

  constructor(options: OutboxOptions) {
    this.#options = options;
    const { last, done, doneSeqNo, batches } = options.state;
    this.#last = last;
    this.#done = done;
    this.#doneSeqNo = doneSeqNo;
    this.#kept = batches;
    this.#most = options.maxBatchEvents;
  }

  get done(): number {
    return this.#done;
  }

  get batch(): Batch | null {
    return this.#batch;
  }

  get nextAttemptAt(): number | null {
    return this.#pause?.endsAt ?? null;
  }

  /** Sends the events in the spool up to a position, unless it is sending already. */
  wake(last: number): void {
    this.#last = last;
    if (this.#running !== null || this.stop !== null || this.#closing.signal.aborted || this.#done >= last) return;
    this.#running = this.#run().finally(() => {
      this.#running = null;
      this.wake(this.#last);
    });
  }

  /** Continues after a stop: with the same batch under its key, or with `anew` under a new one. */
  resume(anew: boolean): void {
    // Events that are being discarded must not be sent: the queue continues behind them by itself.
    if (this.stop === null || this.#isDiscarding) return;
    this.stop = null;
    if (anew) this.#forgetBatch();
    this.#attempts = 0;
    this.#lies = 0;
    this.wake(this.#last);
  }

  /**
   * Removes the events at which it stopped from the queue, and resolves to them. Throws TypeError if it has not
   * stopped.
   */
  async discard(): Promise<readonly EventInput[]> {
    const [stop, batch] = [this.stop, this.#batch];
    if (stop === null || batch === null || this.#isDiscarding)
      throw new TypeError("only what the queue stopped at can be discarded, and once");
    const error = new QueueError("event_discarded", `It was discarded after ${stop.code}: ${stop.message}`, stop.cause);
    this.#isDiscarding = true;
    try {
      await this.#settle(batch, this.#doneSeqNo);
    } finally {
      this.#isDiscarding = false;
    }
    this.#options.onSettled(batch, () => error);
    this.resume(false);
    return stop.events;
  }

  /** Aborts the request: its batch is sent again under its key when the spool is opened again. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#pause?.end();
    await this.#running;
    await this.#making;
    await Promise.all(this.#ahead.map(({ answered }) => answered));
  }

  async #run(): Promise<void> {
    while (this.#done < this.#last && this.stop === null && !this.#closing.signal.aborted) {
      try {
        this.#batch ??= await this.#nextBatch();
        await this.#sendBatch(this.#batch);
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        await this.#afterError(error);
      }
    }
  }

  /** Resolves to the batch whose turn it is. */
  async #nextBatch(): Promise<Batch> {
    const first = this.#done + 1;
    // A spool has one reader at a time.
    await this.#making;
    const [ahead] = this.#ahead;
    if (ahead?.batch.kept.first === first) {
      this.#ahead.shift();
      this.#answered = ahead.isLost ? null : ahead.answered;
      return ahead.batch;
    }
    const kept = this.#kept.find((batch) => batch.first === first);
    if (kept === undefined) return this.#makeBatch(first);
    const limits = { events: kept.last - first + 1, bytes: Number.POSITIVE_INFINITY };
    return new Batch(kept, membersOf(await this.#options.spool.read(first, limits)), true);
  }

  /** Makes a batch of the events from a position on, up to the next kept batch. */
  async #makeBatch(first: number): Promise<Batch> {
    const { spool, inTurn, now } = this.#options;
    const next = this.#kept.find((batch) => batch.first > first)?.first ?? this.#last + 1;
    const members = membersOf(
      await spool.read(first, { events: Math.min(this.#most, next - first), bytes: MAX_BATCH_BYTES }),
    );
    const last = first + members.texts.length - 1;
    const made = { key: globalThis.crypto.randomUUID(), first, last, madeAt: now() };
    await inTurn(() => spool.keepBatch(made));
    this.#kept = batchesWith(this.#kept, made);
    return new Batch(made, members, false);
  }

  /** Sends the next batches behind one that is sent for the first time, as far as they are full. */
  #sendAhead(batch: Batch): void {
    // If one cannot be made, its turn makes it again, and reports the failure.
    this.#making ??= this.#makeAhead(batch)
      .catch(() => undefined)
      .finally(() => {
        this.#making = null;
      });
  }

  async #makeAhead(batch: Batch): Promise<void> {
    const { maxBatchEvents } = this.#options;
    for (;;) {
      const { key, last } = (this.#ahead.at(-1)?.batch ?? batch).kept;
      const isFull = this.#last - last >= maxBatchEvents && this.#most === maxBatchEvents;
      const isHeldUp = this.#attempts > 0 || this.#closing.signal.aborted || this.#ahead.some(({ isLost }) => isLost);
      if (!isFull || isHeldUp || this.#ahead.length >= MAX_AHEAD || this.#kept.some(({ first }) => first > last))
        return;
      const next = await this.#makeBatch(last + 1);
      const answered = this.#send(next, key).catch((error: unknown) => {
        ahead.isLost = true;
        // Nothing is recorded behind a missing predecessor; but an earlier attempt may still be on its way.
        const isTooEarly = error instanceof SvcError && error.code === "predecessor_missing" && error.attempts === 1;
        if (!isTooEarly) next.noteFailure(error);
        return null;
      });
      const ahead: Ahead = { batch: next, answered, isLost: false };
      this.#ahead.push(ahead);
    }
  }

  #send({ texts, kept }: Batch, after_key: string | undefined): Promise<Check> {
    return this.#options.send(texts, { idempotencyKey: kept.key, signal: this.#closing.signal, after_key });
  }

  async #sendBatch(batch: Batch): Promise<void> {
    const { streamId, onReceipts, onSettled, keyDays, now } = this.#options;
    const early = this.#answered;
    this.#answered = null;
    let check: Check | null = null;
    if (early !== null) {
      this.#sendAhead(batch);
      check = await early;
    }
    if (check === null) {
      batch.requireKnownKey(now(), keyDays);
      batch.isAnswered = false;
      const answered = this.#send(batch, undefined);
      this.#sendAhead(batch);
      check = await answered;
    }
    batch.isAnswered = true;
    // The check keeps this thread busy: requests that can leave go first.
    await this.#making;
    await new Promise((resolve) => setTimeout(resolve));
    const receipts = await check();
    batch.requireOwn(receipts, streamId, this.#doneSeqNo);
    try {
      await onReceipts(receipts);
    } catch (cause) {
      // Any error of the program is no answer to the batch.
      throw new QueueError("receipts_not_taken", `The program did not take the receipts: ${String(cause)}`, cause);
    }
    await this.#settle(batch, receipts.at(-1)?.seq_no ?? this.#doneSeqNo);
    this.#most = Math.min(this.#most * 2, this.#options.maxBatchEvents);
    this.#attempts = 0;
    this.#lies = 0;
    this.lastError = null;
    onSettled(batch, (index) => receipts[index] ?? new QueueError("answer_mismatch", "no receipt"));
  }

  async #settle({ kept }: Batch, doneSeqNo: number): Promise<void> {
    const { spool, inTurn } = this.#options;
    await inTurn(() => spool.settle(kept.last, doneSeqNo));
    this.#done = kept.last;
    this.#doneSeqNo = doneSeqNo;
    this.#kept = batchesBehind(this.#kept, kept.last);
    this.#batch = null;
  }

  /** Makes another batch of its events, under another key. */
  #forgetBatch(): void {
    this.#kept = this.#kept.filter(({ first }) => first > this.#done + 1);
    this.#batch = null;
  }

  async #afterError(error: unknown): Promise<void> {
    const batch = this.#batch;
    const { code, message } = named(error);
    this.lastError = { code, message, at: this.#options.now() };
    const isRefused = batch?.noteFailure(error) ?? false;
    this.#lies = isLie(error) ? this.#lies + 1 : 0;
    if (isTransient(error) && this.#lies < MAX_LIES) {
      this.#attempts += 1;
      const full = Math.min(FIRST_PAUSE_MS * 2 ** (this.#attempts - 1), MAX_PAUSE_MS);
      this.#pause = new Pause(full * (0.5 + Math.random() / 2), this.#options.now());
      await this.#pause.ended;
      this.#pause = null;
      return;
    }
    const most = isRefused ? (batch?.narrowed(error) ?? null) : null;
    if (most !== null) {
      this.#most = most;
      this.#forgetBatch();
      return;
    }
    await this.#stopAt(error);
  }

  async #stopAt(error: unknown): Promise<void> {
    const { code, message, status } = named(error);
    // A batch that could not be read back comes from an earlier process.
    const kept = this.#batch?.kept ?? this.#kept.find((batch) => batch.first === this.#done + 1);
    const maybeRecorded = this.#batch?.maybeRecorded ?? kept !== undefined;
    const events = (await this.#batch?.events()) ?? [];
    const [first, last] = [kept?.first ?? this.#done + 1, kept?.last ?? this.#last];
    this.stop = { code, status, message, first, last, events, maybeRecorded, cause: error };
    this.#options.onStopped(this.stop);
  }
}
