/** Work that several takers take: results in the order of the list, a bounded number begun, the first error thrown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inOrder, type Taker } from "../src/verify/many/in-order.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Returns a taker that takes so many turns of the event loop for each work. */
function slow(turns: (work: number) => number, done: number[] = []): Taker<number, number> {
  return async (work) => {
    for (let left = turns(work); left > 0; left--) await turn();
    done.push(work);
    return work;
  };
}

async function all(works: readonly number[], takers: readonly Taker<number, number>[]): Promise<number[]> {
  const results: number[] = [];
  for await (const result of inOrder(works, takers)) results.push(result);
  return results;
}

test("results come in the order of the list, whichever taker is slow", async () => {
  const works = Array.from({ length: 300 }, (_, index) => index);
  const done: number[] = [];
  const takers = [slow((work) => (work * 7) % 5, done), slow(() => 3, done), slow(() => 0, done)];
  assert.deepEqual(await all(works, takers), works);
  assert.notDeepEqual(done, works, "they are not done in that order");
  assert.deepEqual(await all([], takers), []);
});

test("nobody has two works at once, and only so many are ahead of what is fetched", async () => {
  const open = [0, 0];
  let begun = 0;
  const takers = open.map(
    (_, index): Taker<number, number> =>
      async (work) => {
        begun++;
        open[index] = (open[index] ?? 0) + 1;
        assert.equal(open[index], 1);
        if (work === 0) for (let turns = 0; turns < 500; turns++) await turn();
        open[index] = 0;
        return work;
      },
  );
  const results = inOrder(
    Array.from({ length: 500 }, (_, index) => index),
    takers,
  );
  await results.next();
  assert.ok(begun <= 17, `${begun} were begun`);
  for await (const _ of results);
  assert.equal(begun, 500);
});

test("an error of a taker is thrown where its result is due, after those before it", async () => {
  const failing: Taker<number, number> = async (work) => {
    await turn();
    throw new Error(`no ${work}`);
  };
  const results = inOrder([0, 1, 2, 3], [slow(() => 20), failing]);
  assert.deepEqual(await results.next(), { value: 0, done: false });
  await assert.rejects(results.next(), /no 1/);
});

test("where every taker fails, nothing is waited for", async () => {
  const failing: Taker<number, number> = () => Promise.reject(new Error("gone"));
  await assert.rejects(all([0, 1, 2, 3], [failing, failing]), /gone/);
});
