/**
 * Token buckets: each key holds a number of requests, and gains more with each second. A request that costs more takes
 * more of them, and may leave the bucket in debt: the next requests wait until that is paid. The buckets are in memory,
 * for each process by itself: a limit keeps a server usable, and is no accounting.
 */
import { ServiceError } from "../errors.ts";

/**
 * The most keys that are remembered. Beyond it, the key with the longest pause starts anew, which errs on the side of
 * serving.
 */
const MAX_KEYS = 10_000;

/** The longest wait that the cost of one request can cause. */
const MAX_DEBT_SECONDS = 300;

interface Bucket {
  /** Negative if the key is in debt. */
  tokens: number;
  /** Milliseconds of the clock. */
  at: number;
}

/** The buckets of all keys. */
export class RateLimit {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /**
   * `perSecond`: 0 for no limit; twice as many may come at once. `now`: milliseconds of a clock that never goes back.
   */
  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#burst = 2 * perSecond;
    this.#now = now;
  }

  /**
   * Counts a request of a given cost. Throws `rate_limited`, with the seconds to wait, if the key has no request left.
   */
  count(key: string, cost = 1): void {
    if (this.#perSecond === 0) return;
    const held = this.#held(key);
    if (held >= 1) {
      this.#keep(key, held - cost);
      return;
    }
    const seconds = Math.max(1, Math.ceil((1 - held) / this.#perSecond));
    throw new ServiceError(
      "rate_limited",
      `More than ${this.#perSecond} requests a second came from here. Nothing was done; send the same request ` +
        `again in ${seconds} s.`,
      { retry_after_s: seconds },
    );
  }

  /** Takes the cost of work that is already done, even if that leaves the key in debt. */
  charge(key: string, cost: number): void {
    if (this.#perSecond > 0) this.#keep(key, this.#held(key) - cost);
  }

  #held(key: string): number {
    const { tokens, at } = this.#buckets.get(key) ?? { tokens: this.#burst, at: 0 };
    return Math.min(this.#burst, tokens + ((this.#now() - at) / 1000) * this.#perSecond);
  }

  #keep(key: string, tokens: number): void {
    // A key moves to the end of the map: the first one is the one with the longest pause.
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: Math.max(tokens, -MAX_DEBT_SECONDS * this.#perSecond), at: this.#now() });
    if (this.#buckets.size > MAX_KEYS) this.#buckets.delete(this.#buckets.keys().next().value ?? "");
  }
}
