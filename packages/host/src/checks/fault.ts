/** A fault of a row in the database. */

/** A fault of one row. Rows and faults are shown to the operator. */
export interface Fault {
  readonly table: string;
  /** The columns that name the row. */
  readonly row: Readonly<Record<string, string | number | null>>;
  /** A description: the actual value and the expected one. */
  readonly fault: string;
  /** Evidence for others, as a value of JSON; only where the fault is one that can be proved. */
  readonly evidence?: unknown;
}

/** A row as the database stores it. */
export type RawRow = Readonly<Record<string, string | number | null>>;

/**
 * Returns one fault for all columns of a row that differ from `expected`; null if none does. Columns outside of
 * `expected` are not checked.
 */
export function difference(table: string, key: Fault["row"], actual: object, expected: object): Fault | null {
  const columns = new Map<string, unknown>(Object.entries(actual));
  const wrong = Object.entries(expected).filter(([column, value]) => columns.get(column) !== value);
  if (wrong.length === 0) return null;
  const words = wrong.map(
    ([column, value]) => `${column} is ${shown(columns.get(column))} and must be ${shown(value)}`,
  );
  return { table, row: key, fault: words.join("; ") };
}

/** Returns a value as text of at most 120 characters. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "missing";
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
