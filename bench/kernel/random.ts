/** Deterministic inputs: every run, on every machine, measures the same bytes. Nothing here is secret or secure. */

/** A stream of numbers from a seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns an integer from 0 up to below a limit of at most 2^32. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  /** Returns so many bytes. */
  bytes(length: number): Buffer {
    const bytes = Buffer.alloc(length);
    for (let at = 0; at < length; at++) bytes[at] = this.below(256);
    return bytes;
  }

  /** Returns so many bytes as lowercase hex. */
  hex(length: number): string {
    return this.bytes(length).toString("hex");
  }

  /** Returns one of some values. */
  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.below(values.length)] ?? values[0];
  }

  /** Returns the values in another order. */
  shuffle<T>(values: readonly T[]): T[] {
    const keyed = values.map((value): [number, T] => [this.below(2 ** 32), value]);
    return keyed.sort(([a], [b]) => a - b).map(([, value]) => value);
  }
}
