/** A batch that is being sent: its request, its possible receipts, and the meaning of an error. */
import type { EventInput } from "@svc/core";
import { SvcError, VerificationError } from "../error.ts";
import { loadVerifier } from "../verifier/load-verifier.ts";
import { QueueError } from "./queue-error.ts";
import type { QueuedReceipt } from "./receipts-due.ts";
import type { SpooledBatch, SpooledEvent } from "./spool.ts";

const DAY_MS = 86_400_000;
/** The share of the service's days for a key that counts as safe: its clock is not ours. */
const SAFE_SHARE = 0.9;

/** The events of a batch. */
export interface Members {
  /** The events as they were given, and as they are sent. */
  readonly texts: readonly string[];
  readonly bytes: number;
  /** When the first event was put into the spool; null without an event. */
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
  /**
   * Whether the service may have recorded it without telling us: an attempt had no clear answer, or another process
   * made it.
   */
  maybeRecorded: boolean;
  /** Whether the last attempt was answered as recorded: a later failure says nothing about the recording. */
  isAnswered = false;

  constructor(kept: SpooledBatch, { texts, bytes, oldestAt }: Members, maybeRecorded: boolean) {
    this.kept = kept;
    this.texts = texts;
    this.bytes = bytes;
    this.oldestAt = oldestAt ?? kept.madeAt;
    this.maybeRecorded = maybeRecorded;
  }

  /** Resolves to its events as values. */
  async events(): Promise<readonly EventInput[]> {
    // V8 13 and 14's JSON.parse can take an escaped member name for another one; it is the fallback if the verifier
    // cannot be loaded.
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

  /**
   * Throws QueueError `batch_too_old` if the service may have forgotten the key of a batch that it may have recorded.
   */
  requireKnownKey(now: number, keyDays: number): void {
    // A clock that was set back since tells nothing of its age; a clock that was far ahead must not keep it young for
    // ever.
    if (!this.maybeRecorded || Math.abs(now - this.kept.madeAt) <= keyDays * DAY_MS * SAFE_SHARE) return;
    throw new QueueError(
      "batch_too_old",
      `A batch of ${this.texts.length} events was made on ${new Date(this.kept.madeAt).toISOString()}, may have ` +
        `been recorded, and its Idempotency-Key may be forgotten by now. Look for its first event in the stream: ` +
        `discard the batch where it is there, and resume anew where it is not.`,
    );
  }

  /**
   * Throws QueueError `answer_mismatch` unless the receipts of this batch follow each other in the stream, behind the
   * last receipt before them: an answer to another request must not take events out of the queue.
   */
  requireOwn(receipts: readonly QueuedReceipt[], streamId: string, doneSeqNo: number): void {
    const first = receipts[0]?.seq_no ?? 0;
    const isOwn = (receipt: QueuedReceipt, index: number) =>
      receipt.stream_id === streamId && receipt.seq_no === first + index;
    if (receipts.length === this.texts.length && first > doneSeqNo && receipts.every(isOwn)) return;
    throw new QueueError("answer_mismatch", "The answer has the receipts of another request. It is asked for again.");
  }

  /**
   * Notes a failed attempt. Returns whether the service refused it for its content, so that no attempt can have
   * recorded it.
   */
  noteFailure(error: unknown): boolean {
    const isNew = error instanceof SvcError && error.attempts === 1 && !this.maybeRecorded;
    const isRefused = !this.isAnswered && (isContentRefusal(error) || (isNew && isTooLargeBetween(error)));
    this.maybeRecorded = !isRefused;
    return isRefused;
  }

  /**
   * Returns how many of its events to send next after a refusal for its content: those before the event that the
   * service names, or half of them. Null if it is one event and cannot be split.
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
 * Says whether the same batch may be sent again by itself, under the same key. Receipts that do not hold may belong to
 * another request, mixed up on the way; a service that lies keeps lying, and the outbox counts that.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof QueueError) return error.code === "answer_mismatch";
  if (!(error instanceof SvcError)) return false;
  // Evidence of two histories must not be lost behind a better answer.
  if (error instanceof VerificationError) return error.code !== "fork_detected";
  if (isTooLargeBetween(error)) return false;
  // A batch sent in its turn names no predecessor: this is the answer to a batch that was sent ahead.
  if (error.code === "predecessor_missing") return true;
  // An answer that is not the service's JSON comes from something else: a proxy, or a maintenance page.
  return error.retryable || error.status === 408 || error.code === "unexpected_answer";
}

/**
 * Says whether the service refused a batch for its content. No attempt recorded it then: the same events would have
 * been refused each time. Other errors do not tell, because a call may stand for several attempts, and the first ones
 * may have had no answer.
 */
function isContentRefusal(error: unknown): error is SvcError {
  if (!(error instanceof SvcError) || !error.namesKey) return false;
  return error.status === 400 || error.status === 413 || error.status === 422;
}

/** Says whether an answer, or its claim, belongs to another request. */
export function isLie(error: unknown): boolean {
  return error instanceof VerificationError || (error instanceof QueueError && error.code === "answer_mismatch");
}

/**
 * Says whether something in front of the service refused the size. It does not know what earlier attempts have
 * recorded.
 */
function isTooLargeBetween({ status, code }: SvcError): boolean {
  return status === 413 && code === "unexpected_answer";
}

/** Returns the index of the event that a refusal names: `index`, or `/events/<index>` in the path of a problem. */
function namedIndex({ index, problems }: Readonly<Record<string, unknown>>): number | null {
  if (typeof index === "number") return index;
  if (!Array.isArray(problems)) return null;
  const places = problems.flatMap((problem: unknown) => {
    const [, digits] = /^\/events\/(\d{1,4})(?:\/|$)/.exec(String((problem as { path?: unknown } | null)?.path)) ?? [];
    return digits === undefined ? [] : [Number(digits)];
  });
  return places.length === 0 ? null : Math.min(...places);
}
