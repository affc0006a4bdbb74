/**
 * Objects that are too large for the thread that answers requests. Few of their bodies are in memory at a time, and one of them is
 * verified at a time, on a thread of its own that ends with it. What JSON can swell to in memory is bounded by counting its values before
 * anything is made of them: a runtime heeds no limit of its own while it parses.
 */
import { Worker } from "node:worker_threads";
import { ServiceError } from "../errors.ts";
import { Places } from "../http/places.ts";
import {
  MAX_LARGE_BODIES,
  MAX_LARGE_BODY_WAIT_MS,
  MAX_VERIFY_HEAP_MIB,
  MAX_VERIFY_MS,
  MAX_VERIFY_VALUES,
} from "../limits.ts";
import type { Examined, Question } from "./examine.ts";

/** Beside this file, or beside the built program. */
const THREAD = new URL(import.meta.url.endsWith(".ts") ? "./thread.ts" : "./thread.mjs", import.meta.url);
const RETRY_AFTER_S = 10;
const [COMMA, BRACKET, BRACE] = [0x2c, 0x5b, 0x7b];

/** How long a body waits for a place, and what its thread may take. */
export interface LargeObjectBounds {
  readonly waitMs: number;
  readonly verifyMs: number;
  readonly heapMib: number;
}

const BOUNDS = { waitMs: MAX_LARGE_BODY_WAIT_MS, verifyMs: MAX_VERIFY_MS, heapMib: MAX_VERIFY_HEAP_MIB };

export class LargeObjects {
  readonly #bounds: LargeObjectBounds;
  readonly #places: Places;
  #lastVerified: Promise<unknown> = Promise.resolve();

  constructor(bounds: LargeObjectBounds = BOUNDS) {
    this.#bounds = bounds;
    this.#places = new Places({ most: MAX_LARGE_BODIES, waitMs: bounds.waitMs, refusal: busy });
  }

  /** Waits until a body may be read, and answers with what gives its place back. Throws `verifier_busy`. */
  admit(): Promise<() => void> {
    return this.#places.take("anybody");
  }

  /** What core says of an object. Throws `object_too_complex`. */
  examine(question: Question): Promise<Examined> {
    requireFewValues(question.bytes);
    const examined = this.#lastVerified.then(() => onThread(question, this.#bounds));
    this.#lastVerified = examined.catch(() => undefined);
    return examined;
  }
}

/** Counts what can begin a value, in strings too: evidence has a value for each 40 bytes or so. */
function requireFewValues(bytes: Uint8Array): void {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === COMMA || byte === BRACKET || byte === BRACE) count += 1;
  }
  if (count > MAX_VERIFY_VALUES) throw tooComplex(`has more than ${MAX_VERIFY_VALUES} values`);
}

function onThread(question: Question, { verifyMs, heapMib }: LargeObjectBounds): Promise<Examined> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(THREAD, {
      workerData: question,
      resourceLimits: { maxOldGenerationSizeMb: heapMib },
    });
    const timer = setTimeout(() => {
      reject(tooComplex("takes too long to verify"));
      void worker.terminate();
    }, verifyMs);
    worker.on("message", resolve);
    worker.on("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooComplex("takes too much memory to verify") : error),
    );
    worker.on("exit", () => {
      clearTimeout(timer);
      reject(new Error("the thread that verifies has ended without an answer"));
    });
  });
}

function busy(): ServiceError {
  const message = `Other large objects are being verified. Send it again in ${RETRY_AFTER_S} seconds, or use svc verify.`;
  return new ServiceError("verifier_busy", message, { retry_after_s: RETRY_AFTER_S });
}

function tooComplex(why: string): ServiceError {
  return new ServiceError(
    "object_too_complex",
    `The object ${why}. Verify it with svc verify, which has no such bound.`,
  );
}
