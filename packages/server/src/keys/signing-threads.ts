/**
 * Signatures by keys in the memory of this process, made on threads beside the one that answers requests. What is asked for at one time goes to
 * them together: to hand each message over by itself takes half as long as to sign it.
 */
import { type KeyObject, sign } from "node:crypto";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** A part is not worth a message of its own below this. */
const MIN_PART = 8;
const SIGNATURE_BYTES = 64;
/** Beside this file; in a built server, beside the program. */
const THREAD = new URL(`./signing-thread.${import.meta.url.endsWith(".ts") ? "ts" : "mjs"}`, import.meta.url);

/** Messages, one behind the other, and how long each is. */
export interface ToBeSigned {
  /** The key from here on; null for that of the messages before. */
  readonly key: KeyObject | null;
  readonly lengths: readonly number[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Who waits for the signature of a message. */
interface Asked {
  readonly key: KeyObject;
  readonly message: Uint8Array;
  readonly resolve: (signature: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

let asked: Asked[] = [];
let threads: readonly SigningThread[] | null = null;

/** The 64-byte signature of a message (RFC 8032). */
export function signOnThread(key: KeyObject, message: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    // What the same turn asks for besides comes before the microtask.
    if (asked.length === 0) queueMicrotask(signAll);
    asked.push({ key, message, resolve, reject });
  });
}

function signAll(): void {
  const all = asked;
  asked = [];
  for (const ofKey of Map.groupBy(all, ({ key }) => key).values()) {
    if (ofKey.length < MIN_PART) ofKey.forEach(signAlone);
    else share(ofKey);
  }
}

/** On a thread of the runtime's own pool, which takes one message at a time. */
function signAlone({ key, message, resolve, reject }: Asked): void {
  sign(null, message, key, (error, signature) => {
    if (error === null) resolve(signature);
    else reject(error);
  });
}

function share(all: readonly Asked[]): void {
  threads ??= Array.from({ length: availableParallelism() }, () => new SigningThread());
  const size = Math.max(MIN_PART, Math.ceil(all.length / threads.length));
  for (const [index, thread] of threads.entries()) {
    const part = all.slice(index * size, (index + 1) * size);
    if (part.length > 0) thread.sign(part);
  }
}

/** A thread that is started when there is something to sign, and started again after it has failed. Keeps no process alive. */
class SigningThread {
  #worker: Worker | null = null;
  /** In the order in which they were handed over, which is the order of the answers. */
  #parts: (readonly Asked[])[] = [];
  /** What the thread has: to hand a key over takes longer than the messages. */
  #key: KeyObject | null = null;

  sign(part: readonly Asked[]): void {
    const bytes = new Uint8Array(part.reduce((length, { message }) => length + message.length, 0));
    let at = 0;
    for (const { message } of part) {
      bytes.set(message, at);
      at += message.length;
    }
    const { key } = part[0] as Asked;
    this.#worker ??= this.#start();
    const lengths = part.map(({ message }) => message.length);
    const toBeSigned: ToBeSigned = { key: key === this.#key ? null : key, lengths, bytes };
    this.#key = key;
    this.#parts.push(part);
    this.#worker.ref();
    this.#worker.postMessage(toBeSigned, [bytes.buffer]);
  }

  #start(): Worker {
    // Types are erased by the runtime itself: a loader would only cost memory there.
    const worker = new Worker(THREAD, { execArgv: [] });
    worker.on("message", (signatures: Uint8Array) => {
      const part = this.#parts.shift() ?? [];
      if (this.#parts.length === 0) worker.unref();
      for (const [index, { resolve }] of part.entries())
        resolve(signatures.subarray(SIGNATURE_BYTES * index, SIGNATURE_BYTES * (index + 1)));
    });
    worker.on("error", (error) => this.#fail(worker, error));
    worker.on("exit", () => this.#fail(worker, new Error("a thread that signs has ended")));
    return worker;
  }

  #fail(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#key = null;
    for (const { reject } of this.#parts.splice(0).flat()) reject(error);
  }
}
