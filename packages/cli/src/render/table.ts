/** Rows in columns, at most as wide as a terminal. */
import { COLUMNS, wrap } from "./text.ts";

/** If less room than this is left for the last column, it gets separate lines. */
const LEAST_ROOM = 20;

/** The cells of a row; their text is escaped already. */
export type Row = readonly string[];

/** Returns lines of at most 80 columns: every column as wide as its widest cell, the last one wrapped. */
export function table(rows: readonly Row[], indent = "  "): string[] {
  const columns = Math.max(0, ...rows.map(({ length }) => length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...rows.map((row) => [...(row[column] ?? "")].length)),
  );
  return rows.flatMap((row) => {
    const cells = row.slice(0, -1).map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - [...cell].length));
    const first = indent + cells.map((cell) => `${cell}  `).join("");
    const used = [...first].length;
    const last = row.at(-1) ?? "";
    if (COLUMNS - used >= LEAST_ROOM) return wrap(last, { first, rest: " ".repeat(used) });
    const below = `${indent}    `;
    return [...wrap(cells.join(" "), { first: indent, rest: below }), ...wrap(last, { first: below, rest: below })];
  });
}
