/**
 * The threads on which what anybody hands in is verified. Small objects share lasting threads; a large one has a thread for itself, one at a
 * time, which ends with all the memory that it took, and which no small object waits for.
 */
import { availableParallelism } from "node:os";
import { MAX_VERIFY_WAIT_MS, MAX_VERIFY_WAITING } from "@svc/api/limits";
import { ServiceError } from "@svc/host/errors";
import { TaskRefused, ThreadPool } from "@svc/host/threads";
import {
  MAX_LARGE_VERIFY_HEAP_MIB,
  MAX_LARGE_VERIFY_MS,
  MAX_SMALL_VERIFY_BYTES,
  MAX_VERIFY_HEAP_MIB,
  MAX_VERIFY_MS,
  MAX_VERIFY_THREADS,
} from "../limits.ts";
import type { Examined, Question } from "./examine.ts";

/** Beside this file, or beside the built program. */
const PROGRAM = new URL(`./thread.${import.meta.url.endsWith(".ts") ? "ts" : "mjs"}`, import.meta.url);
const RETRY_AFTER_S = 10;

/** What one object may take. */
export interface VerifyingBounds {
  readonly taskMs: number;
  readonly heapMib: number;
}

/** A question, and who waits for the answer. */
export interface Asked {
  readonly question: Question;
  /** Whose objects wait for each other: an address. */
  readonly owner: string;
  /** Ends the wait for a turn. */
  readonly signal: AbortSignal;
  /** Told how many milliseconds a thread has worked for it, also where that came to nothing. */
  readonly used: (milliseconds: number) => void;
  /** The number of the last event of a stream of the service's own; null for a stream that is not there. */
  readonly headOf: (streamId: string) => Promise<number | null>;
}

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

/** How many threads verify on so many processors. One is left to what records; and each thread has a heap of its own. */
export function threadsOn(processors: number): number {
  return Math.min(MAX_VERIFY_THREADS, Math.max(1, processors - 1));
}

export class VerifyingThreads {
  readonly #small: ThreadPool<Question, Examined, string, number | null>;
  readonly #large: ThreadPool<Question, Examined, string, number | null>;

  constructor({ small, large, waitMs }: VerifyingRules = RULES) {
    const shared = { program: PROGRAM, waitMs, maxWaiting: MAX_VERIFY_WAITING };
    const threads = threadsOn(availableParallelism());
    this.#small = new ThreadPool({ ...shared, ...small, threads, lasting: true });
    this.#large = new ThreadPool({ ...shared, ...large, threads: 1, lasting: false });
  }

  /** What is said of an object, whose bytes are handed over. Throws `verifier_busy`, `object_too_complex`, or the reason of the signal. */
  async examine({ question, owner, signal, used, headOf }: Asked): Promise<Examined> {
    const { bytes } = question;
    const isLarge = bytes.length > MAX_SMALL_VERIFY_BYTES;
    const pool = isLarge ? this.#large : this.#small;
    // Bytes that are a part of a buffer share it with others, and are copied: only small ones are.
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

  async close(): Promise<void> {
    await Promise.all([this.#small.close(), this.#large.close()]);
  }
}

function refusalOf({ why }: TaskRefused): ServiceError {
  if (why === "busy") return verifierBusy();
  return tooComplex(why === "time" ? "takes too long to verify" : "takes too much memory to verify");
}

/** The refusal of an object that others are in the way of. */
export function verifierBusy(): ServiceError {
  const message = `Other objects are being verified. Send it again in ${RETRY_AFTER_S} seconds, or use svc verify.`;
  return new ServiceError("verifier_busy", message, { retry_after_s: RETRY_AFTER_S });
}

/** The refusal of an object that takes more than the server gives to one. */
export function tooComplex(why: string): ServiceError {
  return new ServiceError(
    "object_too_complex",
    `The object ${why}. Verify it with svc verify, which has no such bound.`,
  );
}
