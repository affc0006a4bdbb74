/** The comparison of times finds a real difference, and no other, in spite of outliers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Seeded } from "../seeded.ts";
import { compare, median } from "../timing/statistics.ts";

const row = (random: Seeded, shift: number) =>
  // One in fifty is an outlier, as on a busy machine.
  Array.from(
    { length: 5_000 },
    () => 1 + shift + random.number() + (random.number() < 0.02 ? 50 * random.number() : 0),
  );

test("medians", () => {
  assert.deepEqual([median([3, 1, 2]), median([4, 1, 3, 2])], [2, 2.5]);
});

test("rows of one kind are not told apart, nor by their outliers", () => {
  let notable = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const random = new Seeded(seed);
    const { isNotable, longer } = compare(row(random, 0), row(random, 0));
    notable += isNotable ? 1 : 0;
    assert.ok(Math.abs(longer - 0.5) < 0.03, `${longer}`);
  }
  assert.equal(notable, 0);
});

test("a difference of a twentieth is found, in both directions", () => {
  const random = new Seeded(1);
  for (const shift of [0.05, -0.05]) {
    const { isNotable, differenceMs, errorMs, longer } = compare(row(random, shift), row(random, 0));
    assert.ok(isNotable);
    assert.ok(Math.abs(differenceMs - shift) < 3 * errorMs, `${differenceMs} with ${errorMs}`);
    assert.equal(longer > 0.5, shift > 0);
  }
});

test("ties share their ranks, and few times are not compared", () => {
  assert.equal(compare(Array(20).fill(1), Array(20).fill(1)).longer, 0.5);
  assert.equal(compare(Array(20).fill(2), Array(20).fill(1)).longer, 1);
  assert.throws(() => compare([1], [2]), RangeError);
});
