/** The changed cells of fsck's tests: always another value, and never one that a UNIQUE constraint would refuse. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { changedCell } from "./changed-cell.ts";
import type { Cell } from "./filled-database.ts";

test("a changed cell is no value of its column", () => {
  const ids = [..."0123456789abcdef"].map((digit) => `sev_01k3000000000000000000000${digit}`);
  const columns: Cell[][] = [
    ids.slice(0, 15),
    ids.slice(1).map((id) => `${id}z`),
    [1, 1001, 8001, 9001],
    ["x", "xx", "xxxxxxxxx"],
    [null, "2026-02-02T00:00:00.000Z"],
  ];
  for (const column of columns)
    for (const value of column) {
      const changed = changedCell(value, column);
      assert.ok(!column.includes(changed), `${value} → ${changed}`);
    }
});

test("a column in which each change stands is said, not changed into itself", () => {
  const digits = [..."0123456789abcdef"];
  assert.throws(() => changedCell("0", digits), /is in its column already/);
});
