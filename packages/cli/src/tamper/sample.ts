/** Chooses some of very many mutants, so that every class occurs, and every part of the object. */
import type { Mutant, MutantClass, Select } from "@svc/core/tamper";

/** Makes the mutants that `select` selects, in the same order each time. */
export type Make = (select: Select) => Iterable<Mutant>;

/**
 * Yields at most `limit` mutants: as many of each class as of any other, if it has so many, evenly spread over the
 * class. It first counts all, which makes none.
 */
export function* sample(limit: number, make: Make): Generator<Mutant> {
  const counts = new Map<MutantClass, number>();
  const count: Select = (own) => {
    counts.set(own, (counts.get(own) ?? 0) + 1);
    return false;
  };
  for (const _none of make(count));
  const shares = sharesOf(limit, counts);
  const seen = new Map<MutantClass, number>();
  yield* make((own) => {
    const index = seen.get(own) ?? 0;
    seen.set(own, index + 1);
    const [share, all] = [shares.get(own) ?? 0, counts.get(own) ?? 0];
    return Math.floor(((index + 1) * share) / all) > Math.floor((index * share) / all);
  });
}

/** Returns the small classes whole, and divides the rest among the large ones; a remainder goes to the largest. */
function sharesOf(limit: number, counts: ReadonlyMap<MutantClass, number>): Map<MutantClass, number> {
  const shares = new Map<MutantClass, number>();
  const ascending = [...counts].sort(([, a], [, b]) => a - b);
  let left = limit;
  ascending.forEach(([own, all], index) => {
    const share = Math.min(all, Math.floor(left / (ascending.length - index)));
    shares.set(own, share);
    left -= share;
  });
  return shares;
}
