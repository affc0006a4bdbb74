/** Rows as a table for people: aligned columns, one line for each row. */
import type { Row, Target } from "./measure.ts";

const HEAD = ["work", "unit", "wasm", "reference", "native", "yardstick", "", "ratio", "target", ""];
/** Columns of text; all others are numbers, and are aligned on the right. */
const LEFT = new Set([0, 1, 6, 9]);

/** Returns the table. `nativeMissing` is the text in the native column for a missing figure. */
export function tableOf(rows: readonly Row[], nativeMissing: string): string {
  const lines = [HEAD, ...rows.map((row) => cells(row, nativeMissing))];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          LEFT.has(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function cells(row: Row, nativeMissing: string): string[] {
  const isLimit = row.yardstick_name === "limit";
  return [
    row.work,
    row.unit,
    figure(row.wasm),
    figure(row.reference),
    row.native !== null ? figure(row.native) : isLimit ? "-" : nativeMissing,
    figure(row.yardstick),
    row.yardstick_name,
    row.ratio === null ? "-" : row.ratio.toFixed(2),
    row.target === null ? "-" : targetText(row.target),
    verdictOf(row),
  ];
}

function verdictOf({ ratio, met }: Row): string {
  if (ratio === null) return "NOT MEASURED";
  return met === null ? "" : met ? "met" : "MISSED";
}

function targetText(target: Target): string {
  return "at_least" in target ? `>= ${target.at_least}` : `<= ${target.at_most}`;
}

/** Returns a number with three significant digits, and grouped thousands; a dash for a missing one. */
function figure(value: number | null): string {
  if (value === null) return "-";
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
