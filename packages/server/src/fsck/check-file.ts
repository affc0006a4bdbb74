/**
 * The file of the database by itself: that its pages hang together, and that each index has the rows of its table and no others,
 * and that no row names another which is not there. A row that an index hides is there and is not found, so that a request is recorded a second time,
 * or an event is said not to exist. Whether the rows are those that
 * were written is NOT looked at here: the evidence says that.
 */

import type { Fault } from "@svc/host/checks";
import type { Database, Reader } from "@svc/host/store";
import { allTrees, danglingRows, integrityLines, type Tree } from "./file-store.ts";

/** Faults that are told of the file; those behind them are mostly of the same page. */
const MOST = 100;
/** SQLite's result codes for a file that it cannot read. */
const UNREADABLE: readonly number[] = [11, 26];

/**
 * Yields what is wrong, each with the table, and the index where it is one. Beside a running server it reads one snapshot: nobody waits for it, and the
 * write-ahead log keeps what is written meanwhile.
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

/** Where a page stops the look at the whole file, the tables are looked at one by one. */
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

/** The words of SQLite for a file that it cannot read; throws every other error. */
function unreadable(error: unknown): string {
  const { errcode, message } = error as Error & { readonly errcode?: unknown };
  if (typeof errcode === "number" && UNREADABLE.includes(errcode & 0xff)) return message;
  throw error;
}

/** A line with the tree that it names: an index by its name, a table by its name and a column, any by the page at which it begins. */
function faultOf(line: string, trees: readonly Tree[]): Fault {
  const [, index] = /\bindex (\S+)$/.exec(line) ?? [];
  const [, table] = /\bin (\w+)(?:\.\w*)?$/.exec(line) ?? [];
  const [, rootpage] = /^(?:Tree|On tree page) (\d+)\b/.exec(line) ?? [];
  const tree = trees.find(({ name, rootpage: page }) => [index, table].includes(name) || page === Number(rootpage));
  if (tree === undefined) return { table: table ?? "sqlite_schema", row: {}, fault: line };
  return { table: tree.table, row: tree.kind === "index" ? { index: tree.name } : {}, fault: line };
}
