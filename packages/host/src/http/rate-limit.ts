/**
 * Token buckets: each key holds so many requests, and so many more with each second. A request that costs more than others takes more of them, and
 * may leave the bucket owing: the next ones wait until that is paid. Kept in memory, by each process for itself: a limit keeps a
 * server usable, and is no accounting.
 */
import { ServiceError } from "../errors.ts";

/** At most this many keys are remembered; past it those that have waited longest start anew, which errs on the side of answering. */
const MAX_KEYS = 10_000;

/** Nobody waits longer than this for what one request has cost. */
const MAX_DEBT_SECONDS = 300;

interface Bucket {
  /** Less than nothing where some are owed. */
  tokens: number;
  /** Milliseconds of the clock. */
  at: number;
}

export class RateLimit {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /** `perSecond`: 0 for no limit; twice as many may come at once. `now`: milliseconds of a clock that never goes back. */
  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#burst = 2 * perSecond;
    this.#now = now;
  }

  /** Counts a request that costs so many. Throws `rate_limited`, with the seconds to wait, where there have been too many. */
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
      `More than ${this.#perSecond} requests a second came from here. Nothing was done; send the same request again in ${seconds} s.`,
      { retry_after_s: seconds },
    );
  }

  /** Takes for work that has been done already, whatever the key holds. */
  charge(key: string, cost: number): void {
    if (this.#perSecond > 0) this.#keep(key, this.#held(key) - cost);
  }

  #held(key: string): number {
    const { tokens, at } = this.#buckets.get(key) ?? { tokens: this.#burst, at: 0 };
    return Math.min(this.#burst, tokens + ((this.#now() - at) / 1000) * this.#perSecond);
  }

  #keep(key: string, tokens: number): void {
    // Last in the order of the map: the first is the one that has waited longest.
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: Math.max(tokens, -MAX_DEBT_SECONDS * this.#perSecond), at: this.#now() });
    if (this.#buckets.size > MAX_KEYS) this.#buckets.delete(this.#buckets.keys().next().value ?? "");
  }
}
