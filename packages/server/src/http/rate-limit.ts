/**
 * Token buckets: each key holds so many requests, and so many more with each second. Kept in memory, by each process for itself: a limit keeps a
 * server usable, and is no accounting.
 */
import { ServiceError } from "../errors.ts";

/** At most this many keys are remembered; past it those that have waited longest start anew, which errs on the side of answering. */
const MAX_KEYS = 10_000;

interface Bucket {
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

  /** Counts a request. Throws `rate_limited`, with the seconds to wait, where there have been too many. */
  count(key: string): void {
    if (this.#perSecond === 0) return;
    const now = this.#now();
    const { tokens, at } = this.#buckets.get(key) ?? { tokens: this.#burst, at: now };
    const held = Math.min(this.#burst, tokens + ((now - at) / 1000) * this.#perSecond);
    // Last in the order of the map: the first is the one that has waited longest.
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: held < 1 ? held : held - 1, at: now });
    if (this.#buckets.size > MAX_KEYS) this.#buckets.delete(this.#buckets.keys().next().value ?? "");
    if (held >= 1) return;
    const seconds = Math.max(1, Math.ceil((1 - held) / this.#perSecond));
    throw new ServiceError(
      "rate_limited",
      `More than ${this.#perSecond} requests a second came from here. Nothing was done; send the same request again in ${seconds} s.`,
      { retry_after_s: seconds },
    );
  }
}
