/**
 * Brings a database to a release's schemas: numbered migrations in order, each recorded in the table of its schema, and
 * each in its own transaction, but for those of a new database. The program passes the lists. A released migration is
 * never edited; it does NOT go backwards.
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

/** A list of migrations, and the table in which a database has those that were applied. */
export interface Schema {
  readonly table: string;
  /** The version of the schema in the middle of a sentence, before its number. */
  readonly versionWords: string;
  /** From version 1 on without a gap. */
  readonly migrations: readonly Migration[];
  /**
   * Whether the table has the names of the tables that each migration has made, for programs that do not know the
   * migrations (madeTables).
   */
  readonly namesTables: boolean;
}

const SCHEMA_MIGRATIONS = "schema_migrations";

/** Returns the schema of a program that has one. */
export function soleSchema(migrations: readonly Migration[]): Schema {
  return { table: SCHEMA_MIGRATIONS, versionWords: "schema version", migrations, namesTables: false };
}

/** Returns the version to which a schema brings a database; 0 for one without migrations. */
export function newestVersion({ migrations }: Pick<Schema, "migrations">): number {
  return migrations.at(-1)?.version ?? 0;
}

/** Resolves to a database's version of a schema; 0 if it has none of it. */
export async function schemaVersion(
  reader: Reader,
  { table }: Pick<Schema, "table"> = { table: SCHEMA_MIGRATIONS },
): Promise<number> {
  if (!(await reader.tables()).includes(table)) return 0;
  const row = await reader.first<{ version: number | null }>(`SELECT MAX(version) AS version FROM ${table}`);
  return row?.version ?? 0;
}

/**
 * Resolves to the names of the tables that the migrations of a schema have made, whether they are known here or not,
 * and that of its own table; none for a database without it.
 */
export async function madeTables(reader: Reader, table: string): Promise<string[]> {
  if (!(await reader.tables()).includes(table)) return [];
  const rows = await reader.all<{ tables: string }>(`SELECT tables FROM ${table} ORDER BY version`);
  return [table, ...rows.flatMap(({ tables }) => tables.split(" ").filter((name) => name !== ""))];
}

/**
 * Rejects with RangeError for a database written by a newer release than that of these schemas, and, without `orOlder`,
 * for one of an older release.
 */
export async function requireSchemas(
  reader: Reader,
  schemas: readonly Schema[],
  { orOlder = false } = {},
): Promise<void> {
  for (const schema of schemas) {
    const [version, newest] = [await schemaVersion(reader, schema), newestVersion(schema)];
    if (version > newest) throw newerSchema(schema, version);
    if (version < newest && !orOlder)
      throw new RangeError(
        `The database has ${schema.versionWords} ${version}, and this release works with ${newest}. Make a backup, ` +
          `then start: the start brings it there.`,
      );
  }
}

function newerSchema(schema: Schema, version: number): RangeError {
  return new RangeError(
    `The database has ${schema.versionWords} ${version}, and this release knows ${newestVersion(schema)}. Start the ` +
      `release that wrote it, or a newer one.`,
  );
}

/**
 * Applies the missing migrations of schemas, one schema after the other. Rejects with RangeError for a database written
 * by a newer release. `now` returns a service time.
 */
export async function migrate(database: Database, now: () => string, schemas: readonly Schema[]): Promise<void> {
  for (const schema of schemas) await migrateOne(database, now, schema, schemas[0] ?? schema);
}

/** Applies the missing migrations of a schema. `first`: the schema whose table is locked for all of them. */
async function migrateOne(database: Database, now: () => string, schema: Schema, first: Schema): Promise<void> {
  await makeTable(database, schema);
  const { migrations } = schema;
  const newest = newestVersion(schema);
  const versionOf = (reader: Reader) => schemaVersion(reader, schema);
  // One transaction makes all of a new database; a database with rows in it holds each lock for one step alone.
  const isNew = (await database.read(versionOf)) === 0;
  for (const steps of isNew ? [migrations] : migrations.map((migration) => [migration])) {
    await database.write(
      async (writer) => {
        // Two programs may start at a time: one waits here until the other is done with a migration.
        await writer.lockTable(first.table);
        const applied = await versionOf(writer);
        if (applied > newest) throw newerSchema(schema, applied);
        for (const step of steps) if (step.version > applied) await apply(writer, schema, step, now());
      },
      { isLocking: true },
    );
  }
}

async function apply(writer: Writer, schema: Schema, migration: Migration, now: string): Promise<void> {
  const before = schema.namesTables ? await writer.tables() : [];
  await writer.script(migration.sql, migration.onServer);
  await migration.rewrite?.(writer);
  const row = [migration.version, migration.name, now];
  if (!schema.namesTables) {
    await writer.run(`INSERT INTO ${schema.table} (version, name, applied_at) VALUES ($1, $2, $3)`, ...row);
    return;
  }
  const made = (await writer.tables()).filter((name) => !before.includes(name)).join(" ");
  await writer.run(
    `INSERT INTO ${schema.table} (version, name, applied_at, tables) VALUES ($1, $2, $3, $4)`,
    ...row,
    made,
  );
}

/** Makes the table of a schema, unless it is there. Two programs may do so at a time: one fails, and looks. */
async function makeTable(database: Database, { table, namesTables }: Schema): Promise<void> {
  const isThere = async () => (await database.read((reader) => reader.tables())).includes(table);
  if (await isThere()) return;
  try {
    await database.write((writer) =>
      writer.script(
        `CREATE TABLE IF NOT EXISTS ${table} (version BIGINT PRIMARY KEY, name TEXT NOT NULL, ` +
          `applied_at TEXT NOT NULL${namesTables ? ", tables TEXT NOT NULL" : ""})`,
      ),
    );
  } catch (error) {
    if (!(await isThere())) throw error;
  }
}
