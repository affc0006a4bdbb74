/** The idle time near the end of a run is a share of one processor. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { idleShare } from "../idle.ts";

/** Samples each ten ms, of two processors that are idle for so many of them. */
function samples(idle: readonly number[]) {
  const until = (end: number) => idle.slice(0, end).reduce((sum, ms) => sum + ms, 0);
  return [0, ...idle].map((_, index) => ({ at: index * 10, idle: until(index) }));
}

test("only the last fifth counts", () => {
  assert.equal(idleShare(samples([20, 20, 20, 20, 0])), 0);
  assert.equal(idleShare(samples([0, 0, 0, 0, 10])), 1);
  assert.equal(idleShare(samples([0, 0, 0, 0, 0, 0, 0, 0, 5, 0])), 0.25);
});

test("without time nothing is idle", () => {
  assert.equal(idleShare([]), 0);
  assert.equal(idleShare([{ at: 1, idle: 5 }]), 0);
});
