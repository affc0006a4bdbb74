/**
 * The answers of a PostgreSQL server about itself and its log, for a backup: all SQL about them. An ordinary user may
 * not ask everything on every server: a refused question has no answer, and is no fault.
 */
import { type Database, type Reader, StatementRefused } from "@svc/host/store";
import type { ServerManifest } from "./manifest.ts";

/** The answers. */
export type ServerFigures = ServerManifest["postgresql"];

/** The digits of a log file's name that are its timeline, in base 16. */
const TIMELINE_DIGITS = 8;

/**
 * Resolves to the answers. Each question is a separate transaction, because a refusal ends one. `before` reads in the
 * transaction that asks for the position of the log, before it does: all that it finds is before that position.
 */
export async function serverFigures(
  database: Pick<Database, "read">,
  before: (reader: Reader) => Promise<void>,
): Promise<ServerFigures> {
  const own = await database.read((reader) => reader.first<Own>(OWN));
  const control = await answered(database, (reader) => reader.first<{ id: string }>(CONTROL));
  const position = await answered(database, async (reader) => {
    await before(reader);
    return reader.first<{ wal_position: string }>(POSITION);
  });
  const wal_position = position?.wal_position ?? null;
  const named = wal_position === null ? null : await answered(database, (reader) => fileOf(reader, wal_position));
  const wal_file = named?.wal_file ?? null;
  return {
    database: own?.database ?? "",
    version: own?.version ?? "",
    system_identifier: control?.id ?? null,
    timeline: wal_file === null ? null : Number.parseInt(wal_file.slice(0, TIMELINE_DIGITS), 16),
    wal_position,
    wal_file,
  };
}

type Own = Pick<ServerFigures, "database" | "version">;

const OWN = "SELECT current_database()::text AS database, current_setting('server_version') AS version";
const CONTROL = "SELECT system_identifier::text AS id FROM pg_control_system()";
/** The end of all that was written into the log by now. A commit that a reader sees is before it. */
const POSITION = "SELECT pg_current_wal_insert_lsn()::text AS wal_position";

function fileOf(reader: Reader, position: string): Promise<{ readonly wal_file: string } | null> {
  return reader.first("SELECT pg_walfile_name($1::pg_lsn) AS wal_file", position);
}

/** Resolves to the answer; null where the server refuses the question. */
async function answered<Answer>(
  database: Pick<Database, "read">,
  ask: (reader: Reader) => Promise<Answer>,
): Promise<Answer | null> {
  try {
    return await database.read(ask);
  } catch (error) {
    if (error instanceof StatementRefused) return null;
    throw error;
  }
}
