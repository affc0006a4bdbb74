/** Rows of the result: their verdicts, and what the table says about them. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { median, row } from "../measure.ts";
import { tableOf } from "../table.ts";

const lineOf = (...given: Parameters<typeof row>) => tableOf([row(...given)], "-").split("\n")[1] ?? "";

describe("rows of a bench", () => {
  test("a target holds from its very number on", () => {
    const met = (target: Parameters<typeof row>[5]) => row("", "ms", 2, 1, "", target).met;
    assert.equal(met({ at_least: 2 }), true);
    assert.equal(met({ at_least: 2.01 }), false);
    assert.equal(met({ at_most: 2 }), true);
    assert.equal(met({ at_most: 1.99 }), false);
    assert.equal(met(null), null);
  });

  test("a target is not met where its yardstick was not measured", () => {
    const missing = (target: Parameters<typeof row>[5]) => {
      const { yardstick, ratio, met } = row("", "ms", 2, null, "", target);
      return [yardstick, ratio, met];
    };
    assert.deepEqual(missing({ at_least: 1 }), [null, null, false]);
    assert.deepEqual(missing({ at_most: 1 }), [null, null, false]);
    assert.deepEqual(missing(null), [null, null, null]);
  });

  test("the table says of each row whether its target is met, and whether it was measured", () => {
    assert.match(lineOf("work", "ms", 2, 1, "limit", { at_most: 2 }), /^work .* limit +2\.00 +<= 2 +met$/);
    assert.match(lineOf("work", "ms", 2, 1, "limit", { at_most: 1 }), /^work .* limit +2\.00 +<= 1 +MISSED$/);
    assert.match(lineOf("work", "ms", 2, 1, "limit", null), /^work .* limit +2\.00 +-$/);
    for (const target of [{ at_least: 1 }, null])
      assert.match(lineOf("work", "ms", 2, null, "none: no Go", target), /^work .* - +none: no Go +- .* NOT MEASURED$/);
  });

  test("the median is the middle, or the mean of the two there", () => {
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([10, 2, 1, 3]), 2.5);
  });
});
