/** What is wrong with a row of the database. */

export interface Fault {
  readonly table: string;
  /** What names the row, by the columns that do. */
  readonly row: Readonly<Record<string, string | number | null>>;
  /** In words: what is there, and what was expected. */
  readonly fault: string;
}

/** A row as it stands in the database. */
export type RawRow = Readonly<Record<string, string | number | null>>;

/** The columns of a row that differ from what they must be, as one fault; null where none does. Columns that are not expected are not looked at. */
export function difference(table: string, key: Fault["row"], actual: object, expected: object): Fault | null {
  const columns = new Map<string, unknown>(Object.entries(actual));
  const wrong = Object.entries(expected).filter(([column, value]) => columns.get(column) !== value);
  if (wrong.length === 0) return null;
  const words = wrong.map(
    ([column, value]) => `${column} is ${shown(columns.get(column))} and must be ${shown(value)}`,
  );
  return { table, row: key, fault: words.join("; ") };
}

/** A value in at most 120 characters. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "missing";
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
