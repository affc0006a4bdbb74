/**
 * Brings a database to a release's schema: numbered migrations in order, each recorded in a table, and each in its own
 * transaction, but for those of a new database. The program passes the list. A released migration is never edited; it
 * does NOT go backwards.
 */
import type { Database, Reader, Writer } from "./database.ts";

/** One step of the schema. */
export interface Migration {
  /** From 1, without a gap. */
  readonly version: number;
  readonly name: string;
  /** Statements of portable SQL. */
  readonly sql: string;
  /** The same for a database on a server, where that has other words for it. */
  readonly onServer?: string;
  /** The work that SQL cannot express; done after the statements, in the same transaction. */
  readonly rewrite?: (writer: Writer) => Promise<void>;
}

/** Returns the schema version to which migrations bring a database; 0 for no migrations. */
export function newestSchema(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

/** Resolves to the schema version of a database; 0 if it has none. */
export async function schemaVersion(reader: Reader): Promise<number> {
  if (!(await reader.tables()).includes("schema_migrations")) return 0;
  const row = await reader.first<{ version: number | null }>("SELECT MAX(version) AS version FROM schema_migrations");
  return row?.version ?? 0;
}

/**
 * Throws RangeError for a database written by a newer release than that of these migrations, and, without `orOlder`,
 * for one of an older release.
 */
export function requireSchema(version: number, migrations: readonly Migration[], { orOlder = false } = {}): void {
  const newest = newestSchema(migrations);
  if (version > newest) throw newerSchema(version, newest);
  if (version < newest && !orOlder)
    throw new RangeError(
      `The database has schema version ${version}, and this release works with ${newest}. Make a backup, then ` +
        `start: the start brings it there.`,
    );
}

function newerSchema(version: number, newest: number): RangeError {
  return new RangeError(
    `The database has schema version ${version}, and this release knows ${newest}. Start the release that wrote ` +
      `it, or a newer one.`,
  );
}

/**
 * Applies the missing migrations. Rejects with RangeError for a database written by a newer release. `now` returns a
 * service time.
 */
export async function migrate(database: Database, now: () => string, migrations: readonly Migration[]): Promise<void> {
  await makeTable(database);
  const newest = newestSchema(migrations);
  // One transaction makes all of a new database; a database with rows in it holds each lock for one step alone.
  const isNew = (await database.read(schemaVersion)) === 0;
  for (const steps of isNew ? [migrations] : migrations.map((migration) => [migration])) {
    await database.write(
      async (writer) => {
        // Two programs may start at a time: one waits here until the other is done with a migration.
        await writer.lockTable("schema_migrations");
        const applied = await schemaVersion(writer);
        if (applied > newest) throw newerSchema(applied, newest);
        for (const step of steps) if (step.version > applied) await apply(writer, step, now());
      },
      { isLocking: true },
    );
  }
}

async function apply(writer: Writer, migration: Migration, now: string): Promise<void> {
  await writer.script(migration.sql, migration.onServer);
  await migration.rewrite?.(writer);
  await writer.run(
    "INSERT INTO schema_migrations (version, name, applied_at) VALUES ($1, $2, $3)",
    migration.version,
    migration.name,
    now,
  );
}

/** Makes the table of migrations, unless it is there. Two programs may do so at a time: one fails, and looks. */
async function makeTable(database: Database): Promise<void> {
  const isThere = async () => (await database.read((reader) => reader.tables())).includes("schema_migrations");
  if (await isThere()) return;
  try {
    await database.write((writer) =>
      writer.script(
        "CREATE TABLE IF NOT EXISTS schema_migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL, " +
          "applied_at TEXT NOT NULL)",
      ),
    );
  } catch (error) {
    if (!(await isThere())) throw error;
  }
}
