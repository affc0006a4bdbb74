/** A database with one counter, for tests of what happens to its transactions. */
import type { Database } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/locations.ts";
import type { Check } from "../../src/store/postgres.ts";
import { COMMITS } from "../../src/store/postgres-backend.ts";

/** Opens a database of a server, until the end of the test. */
export function opened(t: { after(work: () => unknown): void }, url: string, check?: Check): Database {
  const { database } = openDatabase({ url, risks: [] }, check === undefined ? {} : { check });
  t.after(() => database.close());
  return database;
}

/** Adds to the counter, which it locks. */
export const add = (database: Database, amount: number) =>
  database.write(async (writer) => {
    const row = await writer.first<{ value: number }>(`SELECT value FROM counters ${writer.locking("counters")}`);
    await writer.run("UPDATE counters SET value = $1", (row?.value ?? 0) + amount);
  });
/** Resolves to the value of the counter. */
export const value = (database: Database) =>
  database.read(async (reader) => (await reader.first<{ value: number }>("SELECT value FROM counters"))?.value);
/** Makes the counter, and on a server the table of commits. */
export const withCounter = (database: Database) => {
  const sql = "CREATE TABLE counters (value BIGINT); INSERT INTO counters VALUES (0)";
  return database.write((writer) =>
    writer.script(
      sql,
      `${sql}; CREATE TABLE IF NOT EXISTS ${COMMITS} (number BIGINT NOT NULL);
       CREATE INDEX IF NOT EXISTS commits_by_number ON ${COMMITS} (number)`,
    ),
  );
};
