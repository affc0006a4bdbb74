/** The bench of the witness: every cosignature verifies, and its rows have the promised form. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hasGo, quickly, type Row, WITHOUT_PROGRAMS } from "./run-bench.ts";

/** Returns what was not measured, after a check of the rest. */
function missingIn(rows: readonly Row[]): string[] {
  assert.equal(rows.length, 4);
  for (const { ratio, wasm, yardstick } of rows) if (ratio !== null) assert.equal(ratio, wasm / (yardstick ?? 0));
  return [...new Set(rows.filter(({ ratio }) => ratio === null).map((row) => row.yardstick_name))];
}

const NO_GO = ["litewitness, not measured: no Go"];

test("every cosignature verifies, and so do those of litewitness", () => {
  assert.deepEqual(missingIn(quickly("witness").rows), hasGo ? [] : NO_GO);
});

test("without Go, its rows say that litewitness was not measured", () => {
  assert.deepEqual(missingIn(quickly("witness", [], WITHOUT_PROGRAMS).rows), NO_GO);
});
