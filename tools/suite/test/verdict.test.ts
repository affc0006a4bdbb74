/** A run is green if every failure is flaky or excused, and not too many are flaky. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Failed, judge } from "../verdict.ts";

const failed = (file: string, passedAlone: boolean | null): Failed => ({
  unit: { file, form: "plain" },
  failure: `${file} is wrong`,
  passedAlone,
});
const NO_QUARANTINE = { entries: [], faults: [] };
const entry = { name: "b", reason: "a port", until: "2026-03-12" };

test("without failures it is green, and nothing is said", () => {
  assert.deepEqual(judge([], NO_QUARANTINE), { isGreen: true, lines: [] });
});

test("a file that fails twice is red, with its first failure", () => {
  const judged = judge([failed("a", false)], NO_QUARANTINE);
  assert.deepEqual(judged, { isGreen: false, lines: ["FAILED a: a is wrong"] });
});

test("a file that failed and did not run again is red", () => {
  assert.equal(judge([failed("a", null)], NO_QUARANTINE).isGreen, false);
});

test("two flaky files are green and named, three are red", () => {
  const two = judge([failed("a", true), failed("b", true)], NO_QUARANTINE);
  assert.deepEqual(two, { isGreen: true, lines: ["FLAKY a: a is wrong", "FLAKY b: b is wrong"] });
  const three = judge([failed("a", true), failed("b", true), failed("c", true)], NO_QUARANTINE);
  assert.equal(three.isGreen, false);
  assert.equal(three.lines.at(-1), "3 files are flaky; more than 2 are red");
});

test("a failed file in quarantine is named and leaves the run green; any other makes it red", () => {
  const quarantine = { entries: [entry], faults: [] };
  const judged = judge([failed("b", null)], quarantine);
  assert.equal(judged.isGreen, true);
  assert.deepEqual(judged.lines, ["QUARANTINED b, until 2026-03-12, since a port: b is wrong"]);
  assert.equal(judge([failed("b", null), failed("a", false)], quarantine).isGreen, false);
});

test("a fault of the quarantine is red, whatever passed", () => {
  const judged = judge([], { entries: [], faults: ["b: its quarantine ended"] });
  assert.deepEqual(judged, { isGreen: false, lines: ["b: its quarantine ended"] });
});
