/**
 * Brings a database to this release's schema: numbered migrations in order, each in a transaction of its own and recorded in a table.
 * A released migration is never edited; it does NOT go backwards.
 */
import type { Database, Reader, Writer } from "./database.ts";
import { initial } from "./migrations/0001-initial.ts";
import { idempotentWrites } from "./migrations/0002-idempotent-writes.ts";
import { erasure } from "./migrations/0003-erasure.ts";
import { closedStreams } from "./migrations/0004-closed-streams.ts";
import { policies } from "./migrations/0005-policies.ts";
import { forks } from "./migrations/0006-forks.ts";
import { requestScopes } from "./migrations/0007-request-scopes.ts";
import { sealingOnDemand } from "./migrations/0008-sealing-on-demand.ts";
import { eventLog } from "./migrations/0009-event-log.ts";
import { exports } from "./migrations/0010-exports.ts";
import { recordsByTime } from "./migrations/0011-records-by-time.ts";
import { sealedTimes } from "./migrations/0012-sealed-times.ts";
import { lists } from "./migrations/0013-lists.ts";
import { packageChallenges } from "./migrations/0014-package-challenges.ts";
import { policiesOfTenants } from "./migrations/0015-policies-of-tenants.ts";

export interface Migration {
  /** From 1, without gap. */
  readonly version: number;
  readonly name: string;
  /** Statements of portable SQL. */
  readonly sql: string;
  /** What SQL cannot compute, done after it in the same transaction. */
  readonly rewrite?: (writer: Writer) => Promise<void>;
}

/** Of this release, in order. */
export const MIGRATIONS: readonly Migration[] = [
  initial,
  idempotentWrites,
  erasure,
  closedStreams,
  policies,
  forks,
  requestScopes,
  sealingOnDemand,
  eventLog,
  exports,
  recordsByTime,
  sealedTimes,
  lists,
  packageChallenges,
  policiesOfTenants,
];

/** The schema version of this release. */
export const NEWEST_SCHEMA = MIGRATIONS.at(-1)?.version ?? 0;

/** The version of a database; 0 where it has none. */
export async function schemaVersion(reader: Reader): Promise<number> {
  const table = await reader.first("SELECT name FROM sqlite_master WHERE name = 'schema_migrations'");
  if (table === null) return 0;
  const row = await reader.first<{ version: number | null }>("SELECT MAX(version) AS version FROM schema_migrations");
  return row?.version ?? 0;
}

/** Throws RangeError for a database that a newer release has written, and where `orOlder` is not said, for one of an older release. */
export function requireSchema(version: number, { orOlder = false } = {}): void {
  if (version > NEWEST_SCHEMA) throw newerSchema(version, NEWEST_SCHEMA);
  if (version < NEWEST_SCHEMA && !orOlder)
    throw new RangeError(
      `The database has schema version ${version}, and this release works with ${NEWEST_SCHEMA}. Make a backup, then start: the start brings it there.`,
    );
}

function newerSchema(version: number, newest: number): RangeError {
  return new RangeError(
    `The database has schema version ${version}, and this release knows ${newest}. Start the release that wrote it, or a newer one.`,
  );
}

/** Applies what is missing. Throws RangeError for a database that a newer release has written. */
export async function migrate(
  database: Database,
  now: () => string,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  await database.write((writer) =>
    writer.script(
      "CREATE TABLE IF NOT EXISTS schema_migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL)",
    ),
  );
  const newest = migrations.at(-1)?.version ?? 0;
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
