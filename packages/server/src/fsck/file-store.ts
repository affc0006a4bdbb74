/** The embedded database's checks of its file: all SQL about them. */
import type { Reader, Writer } from "@svc/host/store";

/** A table or an index, and the page at which its tree begins. */
export interface Tree {
  readonly kind: "table" | "index";
  readonly name: string;
  /** The table itself, or the table of the index. */
  readonly table: string;
  readonly rootpage: number;
}

/** Resolves to all trees of the file except the list of trees itself. */
export function allTrees(reader: Reader): Promise<Tree[]> {
  return reader.all<Tree>(
    'SELECT type AS kind, name, tbl_name AS "table", rootpage FROM sqlite_schema WHERE rootpage > 0 ORDER BY rootpage',
  );
}

/**
 * Resolves to SQLite's lines about faults of pages, indexes and column constraints, `most` at most; empty without
 * faults. Reads the whole file, or only `table` and its indexes. Rejects with SQLite's error if it cannot continue.
 */
export async function integrityLines(reader: Reader, most: number, table: string | null = null): Promise<string[]> {
  const of = table === null ? `${most}` : `"${table.replaceAll('"', '""')}"`;
  const rows = await reader.all<{ integrity_check: string }>(`PRAGMA integrity_check(${of})`);
  const lines = rows.flatMap(({ integrity_check }) => integrity_check.split("\n"));
  return lines.filter((line) => line !== "ok" && !line.startsWith("***")).slice(0, most);
}

/**
 * Resolves to rows that name a missing row, `most` at most: the table, the row's number there, and the table of the
 * missing row.
 */
export function danglingRows(
  reader: Reader,
  most: number,
): Promise<{ readonly table: string; readonly rowid: number | null; readonly parent: string }[]> {
  return reader.all('SELECT "table", rowid, parent FROM pragma_foreign_key_check LIMIT $1', most);
}

/**
 * Rebuilds all indexes from the rows of their tables. Rejects with SQLite's error if two rows claim one place in a
 * unique index.
 */
export function rebuildIndexes(writer: Writer): Promise<void> {
  return writer.script("REINDEX");
}
