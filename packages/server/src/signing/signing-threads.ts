/**
 * Signatures by keys in the memory of this process, made on threads beside the one that answers requests. Messages of
 * one turn go to a thread together: to send each by itself takes half as long as to sign it.
 */
import { type KeyObject, sign } from "node:crypto";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** Fewer messages than this are not worth a message to a thread. */
const MIN_PART = 8;
const SIGNATURE_BYTES = 64;
/** The program is beside this file; in a built server, beside the program. */
const THREAD = new URL(`./signing-thread.${import.meta.url.endsWith(".ts") ? "ts" : "mjs"}`, import.meta.url);

/** Messages, one after another, and the length of each. */
export interface ToBeSigned {
  /** The key from now on; null for the key of the earlier messages. */
  readonly key: KeyObject | null;
  readonly lengths: readonly number[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A caller that waits for the signature of a message. */
interface Asked {
  readonly key: KeyObject;
  readonly message: Uint8Array;
  readonly resolve: (signature: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

let asked: Asked[] = [];
let threads: readonly SigningThread[] | null = null;

/** Resolves to the 64-byte signature of a message (RFC 8032). */
export function signOnThread(key: KeyObject, message: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    // Other requests of the same turn come before the microtask.
    if (asked.length === 0) queueMicrotask(signAll);
    asked.push({ key, message, resolve, reject });
  });
}

/**
 * Resolves to the signatures of messages, in their order, made together. The calling thread would only wait for the
 * others: it signs the first part itself, and one thread fewer has to be woken.
 */
export async function signListOnThreads(key: KeyObject, messages: readonly Uint8Array[]): Promise<Uint8Array[]> {
  const share = Math.ceil(messages.length / availableParallelism());
  const own = messages.length < MIN_PART ? messages.length : share;
  const others = partsOf(messages.slice(own)).map(([thread, part]) => thread.sign(key, part));
  const here = async () => messages.slice(0, own).map((message) => sign(null, message, key));
  return (await Promise.all([here(), ...others])).flat();
}

function signAll(): void {
  const all = asked;
  asked = [];
  for (const ofKey of Map.groupBy(all, ({ key }) => key).values()) {
    if (ofKey.length < MIN_PART) ofKey.forEach(signAlone);
    else signTogether(ofKey);
  }
}

/** Signs on a thread of the runtime's own pool, which takes one message at a time. */
function signAlone({ key, message, resolve, reject }: Asked): void {
  sign(null, message, key, (error, signature) => {
    if (error === null) resolve(signature);
    else reject(error);
  });
}

/**
 * Signs parts of the list on the threads. The callers of a part depend on its thread alone: if one thread fails, the
 * others still get their signatures.
 */
function signTogether(all: readonly Asked[]): void {
  const { key } = all[0] as Asked;
  for (const [thread, part] of partsOf(all))
    thread
      .sign(
        key,
        part.map(({ message }) => message),
      )
      .then(
        (signatures) => {
          for (const [index, { resolve }] of part.entries()) resolve(signatures[index] as Uint8Array);
        },
        (error: unknown) => {
          for (const { reject } of part) reject(error);
        },
      );
}

/** Divides a list among the threads, in order. */
function partsOf<Item>(all: readonly Item[]): [SigningThread, readonly Item[]][] {
  // One core is left for the thread that asks.
  threads ??= Array.from({ length: Math.max(1, availableParallelism() - 1) }, () => new SigningThread());
  const size = Math.max(MIN_PART, Math.ceil(all.length / threads.length));
  return threads
    .map((thread, index): [SigningThread, readonly Item[]] => [thread, all.slice(index * size, (index + 1) * size)])
    .filter(([, part]) => part.length > 0);
}

/** A list of messages that a thread is signing. */
interface Part {
  readonly resolve: (signatures: Uint8Array[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A thread that is started when there is something to sign, and started again after a failure. It keeps no process
 * alive.
 */
class SigningThread {
  #worker: Worker | null = null;
  /** The parts in the order in which they were sent, which is the order of the answers. */
  #parts: Part[] = [];
  /** The key that the thread has: to send a key takes longer than to send the messages. */
  #key: KeyObject | null = null;

  /** Resolves to the signatures of the messages, in their order. */
  sign(key: KeyObject, messages: readonly Uint8Array[]): Promise<Uint8Array[]> {
    const bytes = new Uint8Array(messages.reduce((length, message) => length + message.length, 0));
    let at = 0;
    for (const message of messages) {
      bytes.set(message, at);
      at += message.length;
    }
    this.#worker ??= this.#start();
    const lengths = messages.map((message) => message.length);
    const toBeSigned: ToBeSigned = { key: key === this.#key ? null : key, lengths, bytes };
    this.#key = key;
    this.#worker.ref();
    this.#worker.postMessage(toBeSigned, [bytes.buffer]);
    return new Promise((resolve, reject) => this.#parts.push({ resolve, reject }));
  }

  #start(): Worker {
    // The runtime erases types itself: a loader would only cost memory there.
    const worker = new Worker(THREAD, { execArgv: [] });
    worker.on("message", (signatures: Uint8Array) => {
      const part = this.#parts.shift();
      if (this.#parts.length === 0) worker.unref();
      const count = signatures.length / SIGNATURE_BYTES;
      part?.resolve(
        Array.from({ length: count }, (_, index) =>
          signatures.subarray(SIGNATURE_BYTES * index, SIGNATURE_BYTES * (index + 1)),
        ),
      );
    });
    worker.on("error", (error) => this.#fail(worker, error));
    worker.on("exit", () => this.#fail(worker, new Error("a thread that signs has ended")));
    return worker;
  }

  #fail(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#key = null;
    for (const { reject } of this.#parts.splice(0)) reject(error);
  }
}
