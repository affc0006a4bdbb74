/**
 * How much of strangers' bodies is in memory at a time. Bytes count once they have come, and a body acquires a permit of its owner's only when
 * enough of it has come: connections that send nothing keep nobody out. Where all bodies together are too much, the owner who has most
 * loses the largest of his.
 */
import type { ServiceError } from "../errors.ts";
import { Semaphore } from "../semaphore.ts";

export interface BodyMemoryRules {
  /** Bytes of all bodies together. */
  readonly maxBytes: number;
  /** Bytes of a body that needs no permit. */
  readonly smallBytes: number;
  /** Larger bodies of one owner at a time, and how long others of his wait for a permit. */
  readonly permits: number;
  readonly waitMs: number;
  /** The refusal of a body that has lost its memory, or has waited in vain. */
  readonly refusal: () => ServiceError;
}

/** A body on its way, or in memory. */
export interface HeldBody {
  /** Aborted, with the refusal, where the body has to give way. */
  readonly signal: AbortSignal;
  /** Counts bytes that have come. Where it returns a promise, no more may be read before that resolves. */
  grow(bytes: number): Promise<void> | undefined;
  /** Aborts the signal: nobody waits for what would be made of the body. */
  abort(reason: unknown): void;
  /** Counts its bytes no longer; may be called more than once. */
  release(): void;
}

interface Body {
  readonly owner: string;
  readonly controller: AbortController;
  bytes: number;
  /** Releases its permit; null where it has none. */
  release: (() => void) | null;
}

export class BodyMemory {
  readonly #rules: BodyMemoryRules;
  readonly #bodies = new Set<Body>();
  readonly #semaphore: Semaphore;
  #bytes = 0;

  constructor(rules: BodyMemoryRules) {
    this.#rules = rules;
    this.#semaphore = new Semaphore({ permits: rules.permits, waitMs: rules.waitMs, refusal: rules.refusal });
  }

  /** Bytes in memory now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Begins a body of an owner's. */
  hold(owner: string): HeldBody {
    const body: Body = { owner, controller: new AbortController(), bytes: 0, release: null };
    this.#bodies.add(body);
    return {
      signal: body.controller.signal,
      grow: (bytes) => this.#grow(body, bytes),
      abort: (reason) => body.controller.abort(reason),
      release: () => this.#release(body),
    };
  }

  #grow(body: Body, bytes: number): Promise<void> | undefined {
    if (!this.#bodies.has(body)) return undefined;
    const wasSmall = body.bytes <= this.#rules.smallBytes;
    body.bytes += bytes;
    this.#bytes += bytes;
    while (this.#bytes > this.#rules.maxBytes && this.#giveWay());
    // What has just given way itself waits for no permit.
    if (!this.#bodies.has(body)) return undefined;
    return wasSmall && body.bytes > this.#rules.smallBytes ? this.#enter(body) : undefined;
  }

  async #enter(body: Body): Promise<void> {
    const release = await this.#semaphore.acquire(body.owner);
    if (this.#bodies.has(body)) body.release = release;
    else release();
  }

  #release(body: Body): void {
    if (!this.#bodies.delete(body)) return;
    this.#bytes -= body.bytes;
    body.release?.();
  }

  /** Ends the largest body of the owner who has most. Returns false where there is none. */
  #giveWay(): boolean {
    const ofOwner = new Map<string, number>();
    for (const { owner, bytes } of this.#bodies) ofOwner.set(owner, (ofOwner.get(owner) ?? 0) + bytes);
    let last: Body | null = null;
    const rank = ({ owner }: Body) => ofOwner.get(owner) ?? 0;
    for (const body of this.#bodies)
      if (last === null || rank(body) > rank(last) || (rank(body) === rank(last) && body.bytes > last.bytes))
        last = body;
    if (last === null) return false;
    this.#release(last);
    last.controller.abort(this.#rules.refusal());
    return true;
  }
}
