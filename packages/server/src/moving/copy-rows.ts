/**
 * Copies the rows of all tables into a database that has the same tables, empty: portion by portion, each together
 * with the note of how far it goes, so that a copy that was cut off goes on there. In the end both sides are read
 * again, and must be the same.
 */
import { createHash } from "node:crypto";
import { failpoint } from "@svc/host/failpoint";
import { type Database, type Reader, StatementRefused, type Table } from "@svc/host/store";
import { DataFolderError } from "../data-folder/data-folder.ts";
import {
  filledTables,
  forgetFilled,
  holds,
  noteFilled,
  STORE_MIGRATION_TABLES,
  takeOver,
} from "../deployment/store-migration.ts";
import { tablesOfOthers } from "../program/platform-tables.ts";
import {
  type Batch,
  type Batched,
  batchAfter,
  clearTables,
  columnsOf,
  type Key,
  type Kind,
  numberOn,
  PORTION,
  type TablesOf,
  unknownTable,
} from "./rows-store.ts";

/** SQLite's result code for a row that a constraint forbids. */
const SQLITE_CONSTRAINT = 19;

/** One side of a move. */
export interface Side<Access extends Pick<Database, "read"> = Pick<Database, "read">> {
  readonly database: Access;
  readonly kind: Kind;
}

/** The sides of a copy, and the process that makes it. */
export interface Copying {
  /** The program whose tables are copied. */
  readonly program: TablesOf;
  readonly source: Side;
  readonly target: Side<Pick<Database, "read" | "write">>;
  /** The name of this process in the mark of the target: while another one has its own there, nothing is written. */
  readonly holder: string;
  readonly onStep: (words: string) => void;
  /** Smaller portions than usual. */
  readonly portion?: Batched;
}

/** A table with the columns that both sides have. */
interface Layout extends Table {
  readonly columns: readonly string[];
}

/**
 * Copies what the target lacks, and resolves to the number of all rows. The target has the mark of this move. Nobody
 * else may write the source meanwhile; what it has changed since a copy that was cut off makes that begin anew. Rejects
 * with DataFolderError if the tables differ, and if the rows do in the end.
 */
export async function copyRows(copying: Copying): Promise<number> {
  const { source, target, holder, onStep } = copying;
  await target.database.write((writer) => takeOver(writer, holder));
  const layouts = await layoutsOf(copying);
  if (!(await isSameSoFar(copying, layouts))) {
    onStep("the database has changed since the copy that was cut off: it begins anew");
    await target.database.write(async (writer) => {
      await requireHolder(await holds(writer, holder));
      await clearTables(writer, layouts);
      await forgetFilled(writer);
    });
  }
  for (const layout of layouts) await copyTable(copying, layout);
  failpoint("migrate-store: rows copied");
  let rows = 0;
  for (const layout of layouts) {
    onStep(`comparing ${layout.name}`);
    const [one, other] = [await digest(copying, source, layout, null), await digest(copying, target, layout, null)];
    if (one.sha256 !== other.sha256)
      throw new DataFolderError(
        `The table ${layout.name} is not the same on both sides, with ${one.rows} rows and ${other.rows}: ` +
          `something else writes there, or a disk is faulty. Nothing is served from the copy. Run it again: it ` +
          `begins anew.`,
      );
    rows += one.rows;
  }
  return rows;
}

/** Resolves to the tables with their columns. Rejects with DataFolderError if the two sides have others. */
async function layoutsOf({ program, source, target }: Copying): Promise<Layout[]> {
  const columns = (side: Side, name: string) => side.database.read((reader) => columnsOf(reader, side.kind, name));
  for (const { database } of [source, target]) {
    const unknown = await database.read((reader) => unknownTable(reader, program, STORE_MIGRATION_TABLES));
    if (unknown === null) continue;
    const others = await database.read((reader) => tablesOfOthers(reader, program.schemas));
    throw new DataFolderError(
      others.includes(unknown)
        ? `The table ${unknown} of the database belongs to svc-platform. Let svc-platform migrate-store move it.`
        : `There is a table ${unknown} in the database that this release does not know, and does not move. Take it ` +
            `away.`,
    );
  }
  const layouts: Layout[] = [];
  for (const table of program.tables.filter(({ stays }) => stays === null)) {
    const [one, other] = [await columns(source, table.name), await columns(target, table.name)];
    if (one.length === 0 || one.join() !== other.join())
      throw new DataFolderError(
        `The table ${table.name} has other columns in the database than this release makes. Nothing is moved.`,
      );
    layouts.push({ ...table, columns: one });
  }
  return layouts;
}

/** Resolves to whether the rows that the target has are the first ones of the source. */
async function isSameSoFar(copying: Copying, layouts: readonly Layout[]): Promise<boolean> {
  const { source, target, onStep } = copying;
  const filled = await target.database.read(filledTables);
  for (const { table_name, last_key } of filled) {
    const layout = layouts.find(({ name }) => name === table_name);
    if (layout === undefined) return false;
    onStep(`looking again at ${table_name}, which is copied`);
    const copied = await digest(copying, target, layout, null);
    const original = await digest(copying, source, layout, JSON.parse(last_key) as Key);
    if (copied.sha256 !== original.sha256) return false;
  }
  return true;
}

async function copyTable(copying: Copying, layout: Layout): Promise<void> {
  const { source, target, holder, onStep } = copying;
  const filled = await target.database.read(filledTables);
  const known = filled.find(({ table_name }) => table_name === layout.name);
  let copied = 0;
  const after = known === undefined ? null : (JSON.parse(known.last_key) as Key);
  for await (const { rows, last } of portions(copying, source, layout, { after, upTo: null })) {
    await target.database
      .write(
        async (writer) => {
          await requireHolder(await holds(writer, holder));
          await writer.insert({ table: layout.name, columns: layout.columns }, rows);
          await noteFilled(writer, { table_name: layout.name, last_key: JSON.stringify(last) });
        },
        { isLocking: true },
      )
      .catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
        throw new DataFolderError(`A row of the table ${layout.name} cannot be moved: ${error.message}.`);
      });
    copied += rows.length;
    onStep(`${layout.name}: ${copied} rows are copied`);
    failpoint("migrate-store: portion copied");
  }
  await target.database.write((writer) => numberOn(writer, layout));
}

/** Returns whether a database does not take a row as it is. */
function isRefusal(error: unknown): error is Error {
  const { errcode } = error as { readonly errcode?: number };
  return error instanceof StatementRefused || (errcode !== undefined && (errcode & 0xff) === SQLITE_CONSTRAINT);
}

function requireHolder(isHeld: boolean): void {
  if (!isHeld)
    throw new DataFolderError("Another migrate-store has begun to fill the same database. Let one of them end.");
}

/** Yields the rows of a table in the order of their keys. */
async function* portions(
  { portion = PORTION }: Copying,
  { database }: Side,
  layout: Layout,
  bounds: { readonly after: Key | null; readonly upTo: Key | null },
): AsyncGenerator<Batch> {
  let { after } = bounds;
  for (;;) {
    const read = (reader: Reader) => batchAfter(reader, layout, layout.columns, { ...bounds, after, most: portion });
    const next = await database.read(read);
    if (next === null) return;
    yield next;
    after = next.last;
  }
}

/** Resolves to the number of a table's rows up to a key, and SHA-256 over a line for each. */
async function digest(copying: Copying, side: Side, layout: Layout, upTo: Key | null) {
  const hash = createHash("sha256");
  let count = 0;
  for await (const { rows } of portions(copying, side, layout, { after: null, upTo })) {
    for (const row of rows) hash.update(`${JSON.stringify(row)}\n`);
    count += rows.length;
  }
  return { rows: count, sha256: hash.digest("hex") };
}
