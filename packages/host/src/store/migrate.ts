/**
 * Brings a database to a release's schema: numbered migrations in order, each in a transaction of its own and recorded
 * in a table. The program hands in the list. A released migration is never edited; it does NOT go backwards.
 */
import type { Database, Reader, Writer } from "./database.ts";

export interface Migration {
  /** From 1, without gap. */
  readonly version: number;
  readonly name: string;
  /** Statements of portable SQL. */
  readonly sql: string;
  /** What SQL cannot compute, done after it in the same transaction. */
  readonly rewrite?: (writer: Writer) => Promise<void>;
}

/** The schema version to which migrations bring a database. */
export function newestSchema(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

/** The version of a database; 0 where it has none. */
export async function schemaVersion(reader: Reader): Promise<number> {
  const table = await reader.first("SELECT name FROM sqlite_master WHERE name = 'schema_migrations'");
  if (table === null) return 0;
  const row = await reader.first<{ version: number | null }>("SELECT MAX(version) AS version FROM schema_migrations");
  return row?.version ?? 0;
}

/**
 * Throws RangeError for a database that a newer release than that of these migrations has written, and where `orOlder`
 * is not said, for one of an older release.
 */
export function requireSchema(version: number, migrations: readonly Migration[], { orOlder = false } = {}): void {
  const newest = newestSchema(migrations);
  if (version > newest) throw newerSchema(version, newest);
  if (version < newest && !orOlder)
    throw new RangeError(
      `The database has schema version ${version}, and this release works with ${newest}. Make a backup, then start: the start brings it there.`,
    );
}

function newerSchema(version: number, newest: number): RangeError {
  return new RangeError(
    `The database has schema version ${version}, and this release knows ${newest}. Start the release that wrote it, or a newer one.`,
  );
}

/** Applies what is missing. Throws RangeError for a database that a newer release has written. */
export async function migrate(database: Database, now: () => string, migrations: readonly Migration[]): Promise<void> {
  await database.write((writer) =>
    writer.script(
      "CREATE TABLE IF NOT EXISTS schema_migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL)",
    ),
  );
  const newest = newestSchema(migrations);
  for (const migration of migrations) {
    await database.write(async (writer) => {
      const applied = await schemaVersion(writer);
      if (applied > newest) throw newerSchema(applied, newest);
      if (migration.version <= applied) return;
      await writer.script(migration.sql);
      await migration.rewrite?.(writer);
      await writer.run(
        "INSERT INTO schema_migrations (version, name, applied_at) VALUES ($1, $2, $3)",
        migration.version,
        migration.name,
        now(),
      );
    });
  }
}
