/**
 * Checks the file of the database by itself: its pages hang together, each index has the rows of its table and no
 * others, and no row names a missing one. A row that an index hides is not found, so that a request would be recorded a
 * second time, or an event said not to exist. It does NOT check whether the rows are those that were written: the
 * evidence shows that.
 */

import type { Fault } from "@svc/host/checks";
import type { Database, Reader } from "@svc/host/store";
import { allTrees, danglingRows, integrityLines, type Tree } from "./file-store.ts";

/** The most faults of the file that are reported; further ones mostly have the same cause. */
const MOST = 100;
/** SQLite's result codes for a file that it cannot read. */
const UNREADABLE: readonly number[] = [11, 26];

/**
 * Yields the faults, each with its table, and the index if it is in one. Beside a running server it reads one snapshot:
 * nobody waits for it, and the write-ahead log holds later writes meanwhile.
 */
export async function* checkFile(database: Pick<Database, "read">): AsyncGenerator<Fault> {
  yield* await database.read(async (reader) => {
    try {
      const trees = await allTrees(reader);
      const faults = (await linesOf(reader, trees)).map((line) => faultOf(line, trees));
      return faults.length > 0 ? faults : (await danglingRows(reader, MOST)).map(danglingFault);
    } catch (error) {
      return [{ table: "sqlite_schema", row: {}, fault: unreadable(error) }];
    }
  });
}

function danglingFault({ table, rowid, parent }: Awaited<ReturnType<typeof danglingRows>>[number]): Fault {
  return { table, row: { rowid }, fault: `it names a row of ${parent} that is not there` };
}

/**
 * Resolves to SQLite's lines about the whole file. If a page stops the check of the whole file, the tables are checked
 * one by one.
 */
async function linesOf(reader: Reader, trees: readonly Tree[]): Promise<string[]> {
  try {
    return await integrityLines(reader, MOST);
  } catch (error) {
    unreadable(error);
  }
  const lines: string[] = [];
  for (const table of ["sqlite_schema", ...trees.filter(({ kind }) => kind === "table").map(({ name }) => name)])
    try {
      lines.push(...(await integrityLines(reader, MOST, table)));
    } catch (error) {
      lines.push(`${unreadable(error)} in ${table}.`);
    }
  return lines.slice(0, MOST);
}

/** Returns SQLite's words for a file that it cannot read; throws every other error. */
function unreadable(error: unknown): string {
  const { errcode, message } = error as Error & { readonly errcode?: unknown };
  if (typeof errcode === "number" && UNREADABLE.includes(errcode & 0xff)) return message;
  throw error;
}

/**
 * Returns a line with the tree that it names: an index by its name, a table by its name and a column, either by the
 * page at which it begins.
 */
function faultOf(line: string, trees: readonly Tree[]): Fault {
  const [, index] = /\bindex (\S+)$/.exec(line) ?? [];
  const [, table] = /\bin (\w+)(?:\.\w*)?$/.exec(line) ?? [];
  const [, rootpage] = /^(?:Tree|On tree page) (\d+)\b/.exec(line) ?? [];
  const tree = trees.find(({ name, rootpage: page }) => [index, table].includes(name) || page === Number(rootpage));
  if (tree === undefined) return { table: table ?? "sqlite_schema", row: {}, fault: line };
  return { table: tree.table, row: tree.kind === "index" ? { index: tree.name } : {}, fault: line };
}
