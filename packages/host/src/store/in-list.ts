/**
 * Statements about many values or rows. A database prepares a statement for each text, so the number of values or rows
 * is a power of two: the last one is repeated.
 */
import type { SqlValue } from "./database.ts";

/** Returns the values, the last one repeated until their number is a power of two; none for none. */
export function padded<Value>(values: readonly Value[]): readonly Value[] {
  const last = values.at(-1);
  if (last === undefined) return [];
  const count = 2 ** Math.ceil(Math.log2(values.length));
  return [...values, ...Array<Value>(count - values.length).fill(last)];
}

/**
 * Returns the condition in SQL that a column has one of the values. `place` returns the placeholder of a value. No
 * value at all is never met.
 */
export function inList(column: string, values: readonly SqlValue[]): (place: (value: SqlValue) => string) => string {
  return (place) => (values.length === 0 ? "1 = 0" : `${column} IN (${padded(values).map(place).join(", ")})`);
}

/**
 * Returns rows, at least one, as a subquery in SQL with the columns `column1`, `column2` ... of these types; without
 * types PostgreSQL would take numbers for texts. `place` returns the placeholder of a value. The last row may be
 * repeated.
 */
export function rowsOf(
  types: readonly ("TEXT" | "BIGINT")[],
  rows: readonly (readonly SqlValue[])[],
): (place: (value: SqlValue) => string) => string {
  return (place) => {
    const written = (row: readonly SqlValue[]) => types.map((type, at) => `CAST(${place(row[at] ?? null)} AS ${type})`);
    return `(VALUES ${padded(rows)
      .map((row) => `(${written(row).join(", ")})`)
      .join(", ")})`;
  };
}
