/** Rows that do not fit other rows, most of them because they name a row that is missing: all SQL about it. */
import type { Database } from "../store/database.ts";
import type { Fault } from "./fault.ts";

/**
 * The rule by which rows of a table are stray. The texts become SQL unescaped, so they must come from the program
 * alone.
 */
export interface StrayRule {
  readonly table: string;
  /** The column that names a row. */
  readonly id: string;
  /** The fault of such a row, in words. */
  readonly fault: string;
  /** The condition on a row, named `e`. */
  readonly where: string;
}

const MOST = 20;

/** Yields the stray rows of each rule, at most 20 for each. */
export async function* strayRows(
  { database }: { readonly database: Pick<Database, "read"> },
  rules: readonly StrayRule[],
): AsyncGenerator<Fault> {
  for (const { table, id, fault, where } of rules) {
    const sql = `SELECT e.${id} AS id FROM ${table} e WHERE ${where} ORDER BY 1 LIMIT ${MOST}`;
    for (const row of await database.read((reader) => reader.all<{ id: string }>(sql)))
      yield { table, row: { id: `${row.id}` }, fault };
  }
}
