/** A batch on its way: what is sent, what may come back for it, and what an error means for it. */
import type { EventInput } from "@svc/core";
import { SvcError, VerificationError } from "../error.ts";
import { loadVerifier } from "../verifier/load-verifier.ts";
import { QueueError } from "./queue-error.ts";
import type { QueuedReceipt } from "./receipts-due.ts";
import type { SpooledBatch, SpooledEvent } from "./spool.ts";

const DAY_MS = 86_400_000;
/** Of the days that the service keeps a key: its clock is not ours. */
const SAFE_SHARE = 0.9;

/** The events of a batch. */
export interface Members {
  /** As they were given, and as they are sent. */
  readonly texts: readonly string[];
  readonly bytes: number;
  /** When the first one was put into the spool; null where there is none. */
  readonly oldestAt: number | null;
}

export function membersOf(spooled: readonly SpooledEvent[]): Members {
  return {
    texts: spooled.map(({ text }) => text),
    bytes: spooled.reduce((sum, { bytes }) => sum + bytes, 0),
    oldestAt: spooled[0]?.at ?? null,
  };
}

export class Batch {
  readonly kept: SpooledBatch;
  readonly texts: readonly string[];
  readonly bytes: number;
  /** When its first event was put into the spool. */
  readonly oldestAt: number;
  /** Whether it may have been recorded without our knowing: an attempt had no answer that tells, or another process made it. */
  maybeRecorded: boolean;
  /** Whether the last attempt was answered as one that was recorded: what fails afterwards says nothing of it. */
  isAnswered = false;

  constructor(kept: SpooledBatch, { texts, bytes, oldestAt }: Members, maybeRecorded: boolean) {
    this.kept = kept;
    this.texts = texts;
    this.bytes = bytes;
    this.oldestAt = oldestAt ?? kept.madeAt;
    this.maybeRecorded = maybeRecorded;
  }

  /** Its events as values. */
  async events(): Promise<readonly EventInput[]> {
    // Not by JSON.parse, which in V8 13 and 14 can take an escaped member name for another one; but where nothing else can be loaded.
    const parse = await loadVerifier().then(
      ({ parseJson }) => {
        return (text: string) => {
          const parsed = parseJson(new TextEncoder().encode(text));
          return parsed.ok ? parsed.value : JSON.parse(text);
        };
      },
      () => JSON.parse,
    );
    return this.texts.map((text) => parse(text) as EventInput);
  }

  /** Throws QueueError `batch_too_old` where the service may have forgotten the key of what it may have recorded. */
  requireKnownKey(now: number, keyDays: number): void {
    // A clock that was put back since tells nothing of its age; one that was far ahead must not make it young for ever.
    if (!this.maybeRecorded || Math.abs(now - this.kept.madeAt) <= keyDays * DAY_MS * SAFE_SHARE) return;
    throw new QueueError(
      "batch_too_old",
      `A batch of ${this.texts.length} events was made on ${new Date(this.kept.madeAt).toISOString()}, may have been recorded, and its Idempotency-Key may be forgotten by now. Look for its first event in the stream: discard the batch where it is there, and resume anew where it is not.`,
    );
  }

  /**
   * Throws QueueError `answer_mismatch` unless the receipts, which are those of what was sent, stand one behind the other in the stream, and behind the
   * last receipt before them: an answer that belongs to another request must not take events out of the queue.
   */
  requireOwn(receipts: readonly QueuedReceipt[], streamId: string, doneSeqNo: number): void {
    const first = receipts[0]?.seq_no ?? 0;
    const isOwn = (receipt: QueuedReceipt, index: number) =>
      receipt.stream_id === streamId && receipt.seq_no === first + index;
    if (receipts.length === this.texts.length && first > doneSeqNo && receipts.every(isOwn)) return;
    throw new QueueError("answer_mismatch", "The answer has the receipts of another request. It is asked for again.");
  }

  /** Notes what a failed attempt says: whether it was refused for what is in it, and so was recorded by no attempt. */
  noteFailure(error: unknown): boolean {
    const isNew = error instanceof SvcError && error.attempts === 1 && !this.maybeRecorded;
    const isRefused = !this.isAnswered && (isContentRefusal(error) || (isNew && isTooLargeBetween(error)));
    this.maybeRecorded = !isRefused;
    return isRefused;
  }

  /**
   * How many of its events to send next, where it was refused for what is in it: those before the one that the service names, or half of them. Null
   * where it cannot be taken apart: it is one event.
   */
  narrowed(error: unknown): number | null {
    const { length } = this.texts;
    if (length === 1) return null;
    const named = error instanceof SvcError ? namedIndex(error.detail) : null;
    if (named !== null && named < length) return Math.max(named, 1);
    return Math.ceil(length / 2);
  }
}

/**
 * Whether the same batch, under the same key, may be sent again by itself. Receipts that do not hold may be those of another request, by the fault of
 * what is between; a service that lies goes on lying, which the outbox counts.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof QueueError) return error.code === "answer_mismatch";
  if (!(error instanceof SvcError)) return false;
  // Of two histories there is evidence, which must not be lost behind a better answer.
  if (error instanceof VerificationError) return error.code !== "fork_detected";
  if (isTooLargeBetween(error)) return false;
  // In its turn no batch is sent behind another: it is the answer to one that was sent ahead.
  if (error.code === "predecessor_missing") return true;
  // What answers with something else than the service's JSON is not the service: a proxy, or a page that says that it is away.
  return error.retryable || error.status === 408 || error.code === "unexpected_answer";
}

/**
 * Whether the service refused a batch for what is in it. It was not recorded by any attempt then: the same events would have been refused each time. Of
 * any other error that cannot be said, since a call may stand for several attempts of which the first ones had no answer.
 */
function isContentRefusal(error: unknown): error is SvcError {
  if (!(error instanceof SvcError) || !error.namesKey) return false;
  return error.status === 400 || error.status === 413 || error.status === 422;
}

/** Whether an answer, or what it claims, is another than was asked for. */
export function isLie(error: unknown): boolean {
  return error instanceof VerificationError || (error instanceof QueueError && error.code === "answer_mismatch");
}

/** Whether something before the service refused the size. It knows nothing of what attempts before this one have recorded. */
function isTooLargeBetween({ status, code }: SvcError): boolean {
  return status === 413 && code === "unexpected_answer";
}

/** The place of the event that a refusal names: `index`, or `/events/<index>` in the path of a problem. */
function namedIndex({ index, problems }: Readonly<Record<string, unknown>>): number | null {
  if (typeof index === "number") return index;
  if (!Array.isArray(problems)) return null;
  const places = problems.flatMap((problem: unknown) => {
    const [, digits] = /^\/events\/(\d{1,4})(?:\/|$)/.exec(String((problem as { path?: unknown } | null)?.path)) ?? [];
    return digits === undefined ? [] : [Number(digits)];
  });
  return places.length === 0 ? null : Math.min(...places);
}
