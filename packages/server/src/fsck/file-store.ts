/** What the embedded database says of its own file: all SQL about it. */
import type { Reader, Writer } from "@svc/host/store";

/** A table or an index, and the page at which its tree begins. */
export interface Tree {
  readonly kind: "table" | "index";
  readonly name: string;
  /** The table itself, or the one that the index is of. */
  readonly table: string;
  readonly rootpage: number;
}

/** All trees of the file, but that of the list of them. */
export function allTrees(reader: Reader): Promise<Tree[]> {
  return reader.all<Tree>(
    'SELECT type AS kind, name, tbl_name AS "table", rootpage FROM sqlite_schema WHERE rootpage > 0 ORDER BY rootpage',
  );
}

/**
 * The lines in which SQLite says what is wrong with its pages, its indexes and the constraints of columns, at most so many; none where nothing is. Reads
 * the whole file, or, where a table is named, that one and its indexes. Throws what SQLite throws where it cannot go on.
 */
export async function integrityLines(reader: Reader, most: number, table: string | null = null): Promise<string[]> {
  const of = table === null ? `${most}` : `"${table.replaceAll('"', '""')}"`;
  const rows = await reader.all<{ integrity_check: string }>(`PRAGMA integrity_check(${of})`);
  const lines = rows.flatMap(({ integrity_check }) => integrity_check.split("\n"));
  return lines.filter((line) => line !== "ok" && !line.startsWith("***")).slice(0, most);
}

/** Rows that name another which is not there, at most so many: the table, the row by its number there, and the table of the other. */
export function danglingRows(
  reader: Reader,
  most: number,
): Promise<{ readonly table: string; readonly rowid: number | null; readonly parent: string }[]> {
  return reader.all('SELECT "table", rowid, parent FROM pragma_foreign_key_check LIMIT $1', most);
}

/** Makes all indexes anew, from the rows of their tables. Throws what SQLite throws where two rows claim one place in an index that allows only one. */
export function rebuildIndexes(writer: Writer): Promise<void> {
  return writer.script("REINDEX");
}
