/**
 * The marks of a database that is being moved, or was (moving/): a table that is there only then. A database that has
 * them is never served: it is not whole, or the deployment is elsewhere now, and both would go on from one history. All
 * SQL about the marks.
 */
import { type Reader, schemaVersion, type Writer } from "@svc/host/store";
import { DataFolderError } from "../data-folder/data-folder.ts";

/** The table of the mark, and that of the progress. */
export const STORE_MIGRATION_TABLES = ["store_migration", "store_migration_tables"] as const;
const [MARK] = STORE_MIGRATION_TABLES;

/** The state of a marked database: rows are coming, all are there and checked, or the deployment is elsewhere. */
export type StoreMigrationState = "filling" | "checked" | "left";

/** The mark of a database. */
export interface StoreMigration {
  readonly state: StoreMigrationState;
  /** The same in both databases of a move. */
  readonly move_id: string;
  readonly evidence_origin: string;
  readonly pepper_mac: string;
  /** The process that writes rows now. */
  readonly holder: string;
  readonly begun_at: string;
  /** The other database of the move, in words. */
  readonly other: string;
}

/** Resolves to the mark; null for a database without one. */
export async function findStoreMigration(reader: Reader): Promise<StoreMigration | null> {
  if (!(await reader.tables()).includes(MARK)) return null;
  return reader.first<StoreMigration>(
    "SELECT state, move_id, evidence_origin, pepper_mac, holder, begun_at, other FROM store_migration",
  );
}

/** Makes the mark of a database without one. */
export async function insertStoreMigration(writer: Writer, mark: StoreMigration): Promise<void> {
  await writer.script(`CREATE TABLE store_migration (
      mark_no BIGINT PRIMARY KEY CHECK (mark_no = 1),
      state TEXT NOT NULL CHECK (state IN ('filling', 'checked', 'left')),
      move_id TEXT NOT NULL,
      evidence_origin TEXT NOT NULL,
      pepper_mac TEXT NOT NULL,
      holder TEXT NOT NULL,
      begun_at TEXT NOT NULL,
      other TEXT NOT NULL
    );
    -- How far each table has been filled: the key of its last row, as JSON.
    CREATE TABLE store_migration_tables (
      table_name TEXT PRIMARY KEY,
      last_key TEXT NOT NULL
    )`);
  const { state, move_id, evidence_origin, pepper_mac, holder, begun_at, other } = mark;
  await writer.run(
    `INSERT INTO store_migration (mark_no, state, move_id, evidence_origin, pepper_mac, holder, begun_at, other)
     VALUES (1, $1, $2, $3, $4, $5, $6, $7)`,
    ...[state, move_id, evidence_origin, pepper_mac, holder, begun_at, other],
  );
}

/** Notes the process that writes rows from now on: one before it, if it is still there, writes none any more. */
export async function takeOver(writer: Writer, holder: string): Promise<void> {
  await writer.run("UPDATE store_migration SET holder = $1", holder);
}

/** Resolves to whether a process is the one that writes rows, and stays it until the transaction ends. */
export async function holds(writer: Writer, holder: string): Promise<boolean> {
  const row = await writer.first<{ holder: string }>(`SELECT holder FROM store_migration ${writer.locking(MARK)}`);
  return row?.holder === holder;
}

/** Notes that rows are coming, or that all are there and checked. */
export async function noteState(writer: Writer, state: StoreMigrationState): Promise<void> {
  await writer.run("UPDATE store_migration SET state = $1", state);
}

/** Removes the mark: from the end of the transaction on the database may be served. */
export async function removeStoreMigration(writer: Writer): Promise<void> {
  for (const table of STORE_MIGRATION_TABLES) await writer.script(`DROP TABLE ${table}`);
}

/** How far a table has been filled. */
export interface Filled {
  readonly table_name: string;
  readonly last_key: string;
}

/** Resolves to how far each table has been filled; without those that have no row yet. */
export function filledTables(reader: Reader): Promise<Filled[]> {
  return reader.all<Filled>("SELECT table_name, last_key FROM store_migration_tables");
}

/** Notes how far a table has been filled. */
export async function noteFilled(writer: Writer, { table_name, last_key }: Filled): Promise<void> {
  await writer.run(
    `INSERT INTO store_migration_tables (table_name, last_key) VALUES ($1, $2)
     ON CONFLICT (table_name) DO UPDATE SET last_key = excluded.last_key`,
    ...[table_name, last_key],
  );
}

/** Notes that no table has a row. */
export async function forgetFilled(writer: Writer): Promise<void> {
  await writer.run("DELETE FROM store_migration_tables");
}

/** Rejects with DataFolderError for a database that is being filled, or that the deployment has left. */
export async function requireNoStoreMigration(reader: Reader): Promise<void> {
  // A move that is about to end keeps others from this table: what is read behind it is as that move has left it.
  await schemaVersion(reader);
  const mark = await findStoreMigration(reader);
  if (mark !== null) throw new DataFolderError(refusalOf(mark));
}

/** Returns why a marked database is not served, and what to do. */
export function refusalOf({ state, evidence_origin, begun_at, other }: StoreMigration): string {
  if (state === "left")
    return (
      `This database of ${evidence_origin} is not served any more: migrate-store, begun ${begun_at}, moved it to ` +
      `${other}. Serve that one. If migrate-store was cut off, run it again as before; it goes on.`
    );
  return (
    `This database of ${evidence_origin} is not whole: migrate-store, begun ${begun_at}, is moving it here from ` +
    `${other}, or was cut off. Run it again as before; it goes on.`
  );
}
