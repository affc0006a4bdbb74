/** Work that several take from one list, with the results in the order of the list. */

/** How many works are begun before the first result that nobody has fetched: what is held meanwhile stays bounded. */
const AHEAD = 16;

/** Somebody who does one work at a time. */
export type Taker<Work, Result> = (work: Work) => Promise<Result>;

/** The results of all works, each done by whoever is free first. Throws the first error of a taker. */
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
    // It is thrown where it is fetched, which may be later.
    result.catch(() => {});
    begun.push(result);
    if (begun.length >= AHEAD) yield await (begun.shift() as Promise<Result>);
  }
  for (const result of begun) yield await result;
}
