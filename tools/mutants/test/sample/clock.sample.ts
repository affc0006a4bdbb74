/** Tests with a gap: no test asks about noon. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hoursBetween, isMorning } from "./clock.ts";

test("nine is in the morning, and three in the afternoon is not", () => {
  assert.equal(isMorning(9), true);
  assert.equal(isMorning(15), false);
});

test("from ten at night to two there are four hours", () => {
  assert.equal(hoursBetween(22, 2), 4);
});
