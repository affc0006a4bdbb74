/** Work that several takers take from one list, with the results in the order of the list. */

/** At most so many works are begun before the first result that nobody has fetched, so that memory stays bounded. */
const AHEAD = 16;

/** Does one work at a time. */
export type Taker<Work, Result> = (work: Work) => Promise<Result>;

/** Yields the results of all works; the first free taker takes the next one. Throws the first error of a taker. */
export async function* inOrder<Work, Result>(
  works: readonly Work[],
  takers: readonly Taker<Work, Result>[],
): AsyncGenerator<Result> {
  const free = [...takers];
  const waiting: ((taker: Taker<Work, Result>) => void)[] = [];
  const run = async (work: Work): Promise<Result> => {
    const taker = free.shift() ?? (await new Promise<Taker<Work, Result>>((resolve) => waiting.push(resolve)));
    const result = await taker(work);
    const next = waiting.shift();
    if (next === undefined) free.push(taker);
    else next(taker);
    return result;
  };
  const begun: Promise<Result>[] = [];
  for (const work of works) {
    const result = run(work);
    // The error is thrown when its result is fetched, which may be later.
    result.catch(() => {});
    begun.push(result);
    if (begun.length >= AHEAD) yield await (begun.shift() as Promise<Result>);
  }
  for (const result of begun) yield await result;
}
