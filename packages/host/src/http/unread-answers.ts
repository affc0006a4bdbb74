/**
 * Bounds the memory for answers that their clients do not take. An answer counts from when it was made until the system
 * has taken all of it. If all together are too large, the address with the most bytes loses its largest answer: its
 * connection is cut off.
 */
import type { ServerResponse } from "node:http";
import { askerOf } from "./asker.ts";

interface Held {
  readonly owner: string;
  readonly bytes: number;
}

/** The answers of one server that wait to be taken. */
export class UnreadAnswers {
  readonly #maxBytes: number;
  readonly #held = new Map<ServerResponse, Held>();
  readonly #ofOwner = new Map<string, number>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The bytes that wait now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts an answer that has been made, until it is taken. */
  hold(response: ServerResponse): void {
    const bytes = response.writableLength;
    if (bytes === 0) return;
    const owner = askerOf(response.socket?.remoteAddress ?? "");
    this.#held.set(response, { owner, bytes });
    this.#count(owner, bytes);
    const release = () => this.#release(response);
    response.once("finish", release);
    response.once("close", release);
    while (this.#bytes > this.#maxBytes && this.#giveWay());
  }

  #release(response: ServerResponse): void {
    const held = this.#held.get(response);
    if (held === undefined) return;
    this.#held.delete(response);
    this.#count(held.owner, -held.bytes);
  }

  #count(owner: string, bytes: number): void {
    this.#bytes += bytes;
    const sum = (this.#ofOwner.get(owner) ?? 0) + bytes;
    if (sum > 0) this.#ofOwner.set(owner, sum);
    else this.#ofOwner.delete(owner);
  }

  /** Cuts off the largest answer of the owner with the most bytes. Returns false without an answer to cut off. */
  #giveWay(): boolean {
    const [owner] = greatest(this.#ofOwner, (bytes) => bytes) ?? [];
    const [response] = greatest(this.#held, (held) => (held.owner === owner ? held.bytes : 0)) ?? [];
    if (response === undefined) return false;
    this.#release(response);
    response.socket?.destroy();
    return true;
  }
}

function greatest<Key, Value>(all: ReadonlyMap<Key, Value>, of: (value: Value) => number): [Key, Value] | null {
  let found: [Key, Value] | null = null;
  for (const one of all) if (found === null || of(one[1]) > of(found[1])) found = one;
  return found;
}
