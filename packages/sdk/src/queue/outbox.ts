/**
 * The sending side of an append queue: one batch at a time, in order, each kept in the spool under its key before it is sent, and sent again
 * under it until an answer comes. What the service refuses for good stops the queue.
 */
import type { EventInput } from "@svc/core";
import { SvcError, VerificationError } from "../error.ts";
import type { WriteOptions } from "../transport.ts";
import { Batch, isContentRefusal, isTransient, type Members, membersOf } from "./batch.ts";
import { Pause } from "./pause.ts";
import { QueueError } from "./queue-error.ts";
import type { QueuedReceipt } from "./receipts-due.ts";
import type { Spool, SpooledBatch, SpoolState } from "./spool.ts";

/** What one request of the service takes. */
const MAX_BATCH_EVENTS = 1000;
/** Well below what the service takes: the answer is larger, and both are in memory. */
const MAX_BATCH_BYTES = 4 * 2 ** 20;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 60_000;
/** Answers whose receipts do not hold, one after the other, until the queue stops: it is the service then. */
const MAX_LIES = 8;

/** Why a queue stopped, and at what. */
export interface QueueStop {
  /** The service's code, or that of a QueueError. */
  readonly code: string;
  /** The HTTP status; null where no answer of the service is the reason. */
  readonly status: number | null;
  readonly message: string;
  /** Positions of the events that it stopped at: one, where the service refused what is in it. */
  readonly first: number;
  readonly last: number;
  readonly events: readonly EventInput[];
  /** Whether an earlier attempt may have recorded them all the same. */
  readonly maybeRecorded: boolean;
  readonly cause: unknown;
}

/** Why the last attempt failed. */
export interface LastError {
  readonly code: string;
  readonly message: string;
  /** Unix milliseconds. */
  readonly at: number;
}

export interface OutboxOptions {
  readonly streamId: string;
  readonly spool: Spool;
  readonly state: SpoolState;
  readonly keyDays: number;
  readonly now: () => number;
  readonly send: (events: readonly EventInput[], options: WriteOptions) => Promise<readonly QueuedReceipt[]>;
  /** One call to the spool after the other. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  readonly onReceipts: (receipts: readonly QueuedReceipt[]) => void | Promise<void>;
  /** Events left the queue, with receipts or with what is to be said in place of them. */
  readonly onSettled: (batch: Batch, outcomeOf: (index: number) => QueuedReceipt | QueueError) => void;
  readonly onStopped: (stop: QueueStop) => void;
}

export class Outbox {
  readonly #options: OutboxOptions;
  readonly #closing = new AbortController();
  #last: number;
  #done: number;
  #doneSeqNo: number;
  #kept: SpooledBatch | null;
  #batch: Batch | null = null;
  /** The next batch's events, read while the one before is on its way. */
  #ahead: Promise<{ readonly first: number; readonly members: Members } | null> | null = null;
  #most = MAX_BATCH_EVENTS;
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
    const { last, done, doneSeqNo, batch } = options.state;
    this.#last = last;
    this.#done = done;
    this.#doneSeqNo = doneSeqNo;
    this.#kept = batch;
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

  /** Sends what is in the spool up to a position, if it does not do so already. */
  wake(last: number): void {
    this.#last = last;
    if (this.#running !== null || this.stop !== null || this.#closing.signal.aborted || this.#done >= last) return;
    this.#running = this.#run().finally(() => {
      this.#running = null;
      this.wake(this.#last);
    });
  }

  /** Goes on after a stop: with the same batch under its key, or `anew`, under a new one. */
  resume(anew: boolean): void {
    // What is being discarded must not be sent meanwhile: the queue goes on by itself behind it.
    if (this.stop === null || this.#isDiscarding) return;
    this.stop = null;
    if (anew) this.#forgetBatch();
    this.#attempts = 0;
    this.#lies = 0;
    this.wake(this.#last);
  }

  /** Takes the events that it stopped at out of the queue, and answers with them. Throws TypeError where it has not stopped. */
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
    return batch.events;
  }

  /** Breaks off what is on its way: it is sent again under its key when the spool is opened again. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#pause?.end();
    await this.#running;
    await this.#takeAhead();
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

  async #nextBatch(): Promise<Batch> {
    const { spool, inTurn, now } = this.#options;
    const first = this.#done + 1;
    const kept = this.#kept;
    if (kept !== null) {
      const limits = { events: kept.last - first + 1, bytes: Number.POSITIVE_INFINITY };
      return new Batch(kept, membersOf(await spool.read(first, limits)), true);
    }
    const ahead = await this.#takeAhead();
    const members = ahead?.first === first && this.#most === MAX_BATCH_EVENTS ? ahead.members : await this.#read(first);
    const last = this.#done + members.events.length;
    const made = { key: globalThis.crypto.randomUUID(), first, last, madeAt: now() };
    await inTurn(() => spool.keepBatch(made));
    this.#kept = made;
    return new Batch(made, members, false);
  }

  async #read(first: number): Promise<Members> {
    const limits = { events: Math.min(this.#most, this.#last - first + 1), bytes: MAX_BATCH_BYTES };
    return membersOf(await this.#options.spool.read(first, limits));
  }

  /** Reads what comes behind a batch, where it will fill the next one. */
  #readAhead({ kept }: Batch): void {
    const first = kept.last + 1;
    if (this.#ahead !== null || this.#last - kept.last < MAX_BATCH_EVENTS || this.#most < MAX_BATCH_EVENTS) return;
    // Where it cannot be read, it is read again when its turn comes, and whoever asks then is told.
    this.#ahead = this.#read(first).then(
      (members) => ({ first, members }),
      () => null,
    );
  }

  /** Waited for even where it is not used: a spool is read by one at a time. */
  async #takeAhead() {
    const ahead = await this.#ahead;
    this.#ahead = null;
    return ahead;
  }

  async #sendBatch(batch: Batch): Promise<void> {
    const { send, streamId, onReceipts, onSettled, keyDays, now } = this.#options;
    batch.requireKnownKey(now(), keyDays);
    const options = { idempotencyKey: batch.kept.key, signal: this.#closing.signal };
    const sent = send(batch.events, options);
    this.#readAhead(batch);
    const receipts = await sent;
    batch.requireOwn(receipts, streamId, this.#doneSeqNo);
    try {
      await onReceipts(receipts);
    } catch (cause) {
      // Whatever it is, it is no answer to the batch.
      throw new QueueError("receipts_not_taken", `The program did not take the receipts: ${String(cause)}`, cause);
    }
    await this.#settle(batch, receipts.at(-1)?.seq_no ?? this.#doneSeqNo);
    this.#most = Math.min(this.#most * 2, MAX_BATCH_EVENTS);
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
    this.#forgetBatch();
  }

  #forgetBatch(): void {
    this.#batch = null;
    this.#kept = null;
  }

  async #afterError(error: unknown): Promise<void> {
    const batch = this.#batch;
    const { code, message } = named(error);
    this.lastError = { code, message, at: this.#options.now() };
    if (batch !== null) batch.maybeRecorded = !isContentRefusal(error);
    this.#lies = error instanceof VerificationError ? this.#lies + 1 : 0;
    if (isTransient(error) && this.#lies < MAX_LIES) {
      this.#attempts += 1;
      const full = Math.min(FIRST_PAUSE_MS * 2 ** (this.#attempts - 1), MAX_PAUSE_MS);
      this.#pause = new Pause(full * (0.5 + Math.random() / 2), this.#options.now());
      await this.#pause.ended;
      this.#pause = null;
      return;
    }
    const most = batch?.narrowed(error) ?? null;
    if (most !== null) {
      this.#most = most;
      this.#forgetBatch();
      return;
    }
    this.#stopAt(error);
  }

  #stopAt(error: unknown): void {
    const { code, message, status } = named(error);
    const { kept, events = [], maybeRecorded = false } = this.#batch ?? {};
    const [first, last] = [kept?.first ?? this.#done + 1, kept?.last ?? this.#last];
    this.stop = { code, status, message, first, last, events, maybeRecorded, cause: error };
    this.#options.onStopped(this.stop);
  }
}

function named(error: unknown): { readonly code: string; readonly message: string; readonly status: number | null } {
  // Whatever else is thrown comes from the spool, with the system's own codes.
  const isKnown = error instanceof SvcError || error instanceof QueueError;
  return {
    code: isKnown ? error.code : "spool_failed",
    message: error instanceof Error ? error.message : String(error),
    status: error instanceof SvcError ? error.status : null,
  };
}
