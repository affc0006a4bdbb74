/**
 * The threads that verify objects of senders. Small objects share lasting threads. A large one has a thread for itself,
 * one at a time, which ends with all of its memory, and for which no small object waits.
 */
import { availableParallelism } from "node:os";
import { MAX_VERIFY_WAIT_MS, MAX_VERIFY_WAITING } from "@svc/api/limits";
import { ServiceError } from "@svc/host/errors";
import { TaskRefused, ThreadPool } from "@svc/host/threads";
import type { HeadOf } from "../forks/latest.ts";
import {
  MAX_LARGE_VERIFY_HEAP_MIB,
  MAX_LARGE_VERIFY_MS,
  MAX_SMALL_VERIFY_BYTES,
  MAX_VERIFY_HEAP_MIB,
  MAX_VERIFY_MS,
  MAX_VERIFY_THREADS,
} from "../limits.ts";
import type { Examined, Question } from "./examine.ts";

/** The program is beside this file, or beside the built program. */
const PROGRAM = new URL(`./thread.${import.meta.url.endsWith(".ts") ? "ts" : "mjs"}`, import.meta.url);
const RETRY_AFTER_S = 10;

/** The limits of one object. */
export interface VerifyingBounds {
  readonly taskMs: number;
  readonly heapMib: number;
}

/** A question, and its sender. */
export interface Asked {
  readonly question: Question;
  /** The address whose objects wait for each other. */
  readonly owner: string;
  /** Ends the wait for a turn. */
  readonly signal: AbortSignal;
  /** Called with the milliseconds that a thread has worked for the object, also if it failed. */
  readonly used: (milliseconds: number) => void;
  /** As `latestOf` takes it. */
  readonly headOf: HeadOf;
}

/** The limits of small and large objects, and the longest wait for a turn. */
export interface VerifyingRules {
  readonly small: VerifyingBounds;
  readonly large: VerifyingBounds;
  readonly waitMs: number;
}

const RULES: VerifyingRules = {
  small: { taskMs: MAX_VERIFY_MS, heapMib: MAX_VERIFY_HEAP_MIB },
  large: { taskMs: MAX_LARGE_VERIFY_MS, heapMib: MAX_LARGE_VERIFY_HEAP_MIB },
  waitMs: MAX_VERIFY_WAIT_MS,
};

/**
 * Returns the number of verifying threads for a number of processors. One processor is left for recording; and each
 * thread has a separate heap.
 */
export function threadsOn(processors: number): number {
  return Math.min(MAX_VERIFY_THREADS, Math.max(1, processors - 1));
}

/** The verifying threads of a server. */
export class VerifyingThreads {
  readonly #small: ThreadPool<Question, Examined, string | null, number | null>;
  readonly #large: ThreadPool<Question, Examined, string | null, number | null>;

  constructor({ small, large, waitMs }: VerifyingRules = RULES) {
    const shared = { program: PROGRAM, waitMs, maxWaiting: MAX_VERIFY_WAITING };
    const threads = threadsOn(availableParallelism());
    this.#small = new ThreadPool({ ...shared, ...small, threads, lasting: true });
    this.#large = new ThreadPool({ ...shared, ...large, threads: 1, lasting: false });
  }

  /**
   * Resolves to the report on an object, whose bytes may move to the thread: the caller must not use them again.
   * Rejects with `verifier_busy`, `object_too_complex`, or the reason of the signal.
   */
  async examine({ question, owner, signal, used, headOf }: Asked): Promise<Examined> {
    const { bytes } = question;
    const isLarge = bytes.length > MAX_SMALL_VERIFY_BYTES;
    const pool = isLarge ? this.#large : this.#small;
    // Bytes that share their buffer with others are copied; only small objects do.
    const whole = bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
    const transfer = [whole.buffer as ArrayBuffer];
    try {
      const task = { owner, question: { ...question, bytes: whole }, transfer, signal, reply: headOf };
      const { answer, ms } = await pool.run(task);
      used(ms);
      return answer;
    } catch (error) {
      if (!(error instanceof TaskRefused)) throw error;
      used(error.ms);
      throw refusalOf(error);
    }
  }

  /** Ends all threads. */
  async close(): Promise<void> {
    await Promise.all([this.#small.close(), this.#large.close()]);
  }
}

function refusalOf({ why }: TaskRefused): ServiceError {
  if (why === "busy") return verifierBusy();
  return tooComplex(why === "time" ? "takes too long to verify" : "takes too much memory to verify");
}

/** Returns the refusal of an object for which no thread is free. */
export function verifierBusy(): ServiceError {
  const message = `Other objects are being verified. Send it again in ${RETRY_AFTER_S} seconds, or use svc verify.`;
  return new ServiceError("verifier_busy", message, { retry_after_s: RETRY_AFTER_S });
}

/** Returns the refusal of an object that exceeds a limit of the server. `why`: the predicate of the sentence. */
export function tooComplex(why: string): ServiceError {
  return new ServiceError(
    "object_too_complex",
    `The object ${why}. Verify it with svc verify, which has no such bound.`,
  );
}
