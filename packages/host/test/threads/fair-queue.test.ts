/** The order of turns among waiting owners. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FairQueue } from "../../src/threads/fair-queue.ts";

test("owners take turns, each with its oldest item", () => {
  const queue = new FairQueue<string>();
  for (const item of ["a1", "a2", "a3", "a4"]) queue.push("a", item);
  queue.push("b", "b1");
  queue.push("c", "c1");
  queue.push("c", "c2");
  assert.deepEqual([queue.sizeOf("a"), queue.sizeOf("b"), queue.sizeOf("d")], [4, 1, 0]);
  assert.equal(queue.remove("a", "a2"), true);
  assert.equal(queue.remove("a", "a2"), false);
  assert.equal(queue.remove("d", "d1"), false);
  assert.deepEqual(
    Array.from({ length: 7 }, () => queue.shift()),
    ["a1", "b1", "c1", "a3", "c2", "a4", undefined],
  );
  queue.push("b", "b2");
  assert.equal(queue.remove("b", "b2"), true);
  assert.equal(queue.shift(), undefined);
});
