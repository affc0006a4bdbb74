/** Random numbers by seed: the same ones each time, for mutants and never for secrets. */

/** A source of numbers. */
export interface Random {
  /** Returns an integer from 0 up to `below`, without it. */
  below(below: number): number;
  /** Returns one of some values. */
  pick<Value>(values: readonly Value[]): Value;
}

/** Returns the source of a seed: mulberry32, over 32 bits. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return (word ^ (word >>> 14)) >>> 0;
  };
  const below = (limit: number) => Math.floor((next() / 2 ** 32) * limit);
  return {
    below,
    pick: (values) => {
      if (values.length === 0) throw new RangeError("nothing to pick from");
      return values[below(values.length)] as (typeof values)[number];
    },
  };
}

/** Returns the source of the n-th mutant of a seed, which does not depend on those before. */
export function randomOfMutant(seed: number, number: number): Random {
  return randomOf(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
}
