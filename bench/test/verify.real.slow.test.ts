/** The bench of verifying: our verdicts and those of the yardsticks are right, and its rows have the promised form. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { expectRows, quickly } from "./run-bench.ts";

const UNITS = ["ms", "bytes", "verifies/s", "leaves/s", "MB/s", "records/s", "receipts/s", "MiB"];

test("our verdicts and those of the yardsticks are right", () => {
  const { rows } = quickly("verify");
  const yardsticks = new Set(rows.map((row) => row.yardstick_name));
  assert.ok(yardsticks.has("plain-verify.mjs") && yardsticks.has("limit"));
  expectRows(rows, rows.length, UNITS);
});
