/** Changes a cell of a database by hand, for tests of the checks that notice it. */
import assert from "node:assert/strict";
import type { Cell } from "./filled-database.ts";

/** Values far from their neighbours come first, because identifiers of one batch follow each other. */
const SHIFTS = [8, 9, 10, 11, 12, 13, 14, 15, 1, 2, 3, 4, 5, 6, 7];

/**
 * Returns another value of the same form: a digit, a letter or a number changed. `column`: all values of the column.
 * The result differs from these, so no UNIQUE constraint refuses it, for any identifiers of a run.
 */
export function changedCell(value: Cell, column: readonly Cell[]): Cell {
  const changed = candidates(value).find((candidate) => !column.includes(candidate));
  assert.ok(changed !== undefined, `each change of ${value} is in its column already`);
  return changed;
}

function candidates(value: Cell): Cell[] {
  if (value === null) return ["2026-01-01T00:00:00.000Z"];
  if (typeof value === "number") return SHIFTS.map((shift) => value + 1000 * shift);
  const at = value.search(/[0-9a-f](?=[^0-9a-f]*$)/);
  if (at < 0) return SHIFTS.map((shift) => value + "x".repeat(shift));
  const digit = Number.parseInt(value.charAt(at), 16);
  return SHIFTS.map((shift) => value.slice(0, at) + ((digit + shift) % 16).toString(16) + value.slice(at + 1));
}
