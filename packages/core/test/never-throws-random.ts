/** Random choices that depend on a seed and an index alone, so that every input can be made again by itself. */

/** A source of random choices. */
export class Random {
  #state: number;

  /** `seed` and `index`: integers from 0. */
  constructor(seed: number, index: number) {
    this.#state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) | 0;
    // The first values of neighbouring seeds are alike.
    for (let turn = 0; turn < 4; turn++) this.below(2);
  }

  /** Returns an integer from 0 and below `limit`; 0 for a limit below 1. */
  below(limit: number): number {
    // mulberry32.
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let value = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return Math.floor((((value ^ (value >>> 14)) >>> 0) / 2 ** 32) * Math.max(limit, 1));
  }

  /** Returns true in `times` of `of` cases. */
  chance(times: number, of: number): boolean {
    return this.below(of) < times;
  }

  /** Returns one of the items; there must be one. */
  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }
}
