/** A whole run that was cut off is taken up again, and forgets no failure. */
import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { nameOf, type Unit } from "../plan.ts";
import { addEnded, escapesOf, failedBefore, readRecord, secondsOfAll, unitsLeft } from "../record.ts";
import { judge } from "../verdict.ts";

const A: Unit = { file: "a.test.ts", form: "plain" };
const B: Unit = { file: "b.slow.test.ts", form: "plain" };
const PROPERTY: Unit = { file: "c.prop.test.ts", form: "full" };
const ended = (unit: Unit, passed = true, seconds = 2, failure = passed ? null : "it: is wrong") => ({
  unit,
  passed,
  seconds,
  failure,
  leftOut: [],
});
const pathOf = () => join(temporaryFolder(), "record.jsonl");

test("what has not ended, or has failed, is left", () => {
  const path = pathOf();
  assert.deepEqual(readRecord(path), []);
  assert.deepEqual(unitsLeft([A, B, PROPERTY], readRecord(path)), [A, B, PROPERTY]);
  addEnded(path, ended(A));
  addEnded(path, ended(B, false));
  assert.deepEqual(unitsLeft([A, B, PROPERTY], readRecord(path)), [B, PROPERTY]);
  addEnded(path, ended(B));
  assert.deepEqual(unitsLeft([A, B], readRecord(path)), []);
});

test("a unit in another form has not ended with the plain one", () => {
  const path = pathOf();
  addEnded(path, ended(A));
  const onPostgres: Unit = { file: A.file, form: "postgres" };
  assert.deepEqual(unitsLeft([A, onPostgres], readRecord(path)), [onPostgres]);
});

test("a line that was cut off is ignored, and harms no other", () => {
  const path = pathOf();
  addEnded(path, ended(A));
  appendFileSync(path, '{"name":"b.slow.te');
  addEnded(path, ended(PROPERTY));
  assert.deepEqual(unitsLeft([A, B, PROPERTY], readRecord(path)), [B]);
});

test("a failure before the cut is reported with its first reason, though the file has passed since", () => {
  const path = pathOf();
  addEnded(path, ended(A));
  addEnded(path, ended(B, false, 2, "the first"));
  addEnded(path, ended(B, false, 2, "the second"));
  addEnded(path, ended(B));
  const failed = failedBefore(readRecord(path));
  assert.deepEqual(failed, [{ unit: B, failure: "the first", passedAlone: true }]);
  assert.deepEqual(judge(failed, { entries: [], faults: [] }).lines, ["FLAKY b.slow.test.ts: the first"]);
});

test("the costs have each unit, and a tenth of a property in full for the quick tests; none while one is left", () => {
  const path = pathOf();
  addEnded(path, ended(A, true, 3));
  addEnded(path, ended(PROPERTY, true, 50));
  addEnded(path, ended(B, false));
  assert.equal(secondsOfAll([A, B, PROPERTY], readRecord(path)), null);
  // A file that is gone from the repository is no cost.
  assert.deepEqual(secondsOfAll([A, PROPERTY], readRecord(path)), {
    "a.test.ts": 3,
    "c.prop.test.ts (full)": 50,
    "c.prop.test.ts": 5,
  });
});

test("a failed unit that the choice leaves out is an escape, unless it passed alone", () => {
  const path = pathOf();
  addEnded(path, ended(A, false));
  addEnded(path, ended(B, false));
  addEnded(path, ended(B));
  assert.deepEqual(escapesOf([A, B, PROPERTY], readRecord(path)), [nameOf(A)]);
  assert.deepEqual(escapesOf([B, PROPERTY], readRecord(path)), []);
});
