/**
 * Bounds the memory for strangers' bodies. Bytes count once they have arrived, and a body acquires a permit of its
 * owner only when enough of it has arrived: connections that send nothing keep nobody out. If all bodies together are
 * too large, the owner with the most bytes loses its largest body.
 */
import type { ServiceError } from "../errors.ts";
import { Semaphore } from "../semaphore.ts";

/** The limits of a BodyMemory. */
export interface BodyMemoryRules {
  /** The most bytes of all bodies together. */
  readonly maxBytes: number;
  /** A body of at most this many bytes needs no permit. */
  readonly smallBytes: number;
  /** How many larger bodies one owner may send at a time, and how long its others wait for a permit. */
  readonly permits: number;
  readonly waitMs: number;
  /** Returns the refusal of a body that has lost its memory, or has waited in vain. */
  readonly refusal: () => ServiceError;
}

/** A body that is arriving, or is in memory. */
export interface HeldBody {
  /** Aborted, with the refusal, if the body has to give way. */
  readonly signal: AbortSignal;
  /** Counts bytes that have arrived. If it returns a promise, the caller must read no more before that resolves. */
  grow(bytes: number): Promise<void> | undefined;
  /** Aborts the signal: nobody waits for the result of the body any more. */
  abort(reason: unknown): void;
  /** Stops counting its bytes; may be called more than once. */
  release(): void;
}

interface Body {
  readonly owner: string;
  readonly controller: AbortController;
  bytes: number;
  /** Releases its permit; null if it has none. */
  release: (() => void) | null;
}

/** The bodies of one route or program that are in memory. */
export class BodyMemory {
  readonly #rules: BodyMemoryRules;
  readonly #bodies = new Set<Body>();
  readonly #semaphore: Semaphore;
  #bytes = 0;

  constructor(rules: BodyMemoryRules) {
    this.#rules = rules;
    this.#semaphore = new Semaphore({ permits: rules.permits, waitMs: rules.waitMs, refusal: rules.refusal });
  }

  /** The bytes in memory now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Begins a body of an owner. */
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
    // A body that has just given way itself waits for no permit.
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

  /** Ends the largest body of the owner with the most bytes. Returns false without a body to end. */
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
