/**
 * A database on a server that PostgreSQL's own tools have brought back: whether it has all that the manifest of a
 * backup says. It may have more, since a base backup and the log go on after the manifest. Nothing in it is changed
 * here.
 */
import { latest } from "@svc/host/clock";
import { requireSchemas, type ServerLocation, schemaVersion } from "@svc/host/store";
import { DataFolderError } from "../data-folder/data-folder.ts";
import { openDatabaseAt } from "../deployment/database.ts";
import { requireNobody } from "../deployment/exclusive-use.ts";
import { requireNoStoreMigration } from "../deployment/store-migration.ts";
import { checkServerDatabase } from "../fsck/check-server.ts";
import { findEventHash } from "../high-water-mark/mark-store.ts";
import type { Program } from "../program/program.ts";
import { serviceRow } from "../signing/service-store.ts";
import { type ServerContents, serverContents } from "./describe-server.ts";
import type { ServerManifest } from "./manifest.ts";
import type { RestoredDatabase } from "./restored-database.ts";

/**
 * Opens the database. Rejects with DataFolderError for one that lacks anything of the manifest, is of another
 * deployment, was left by migrate-store or is in use; with RangeError for one of a newer release.
 */
export async function openRestoredServer(
  { schemas }: Pick<Program, "schemas">,
  place: ServerLocation,
  manifest: ServerManifest,
): Promise<RestoredDatabase> {
  const { database } = await openDatabaseAt(place);
  try {
    // This is the first connection: others of this command would look like those of a server.
    await database.read((reader) => requireNobody(reader));
    await database.read(async (reader) => {
      await requireNoStoreMigration(reader);
      const version = await schemaVersion(reader);
      requireOrigin(version === 0 ? null : ((await serviceRow(reader))?.evidence_origin ?? null), manifest);
      await requireSchemas(reader, schemas, { orOlder: true });
    });
    const contents = await serverContents(database);
    const { last_event: last } = manifest;
    const hash = last === null ? null : await database.read((reader) => findEventHash(reader, last.stream_event_id));
    requireAllOf(manifest, contents, hash);
    return {
      database,
      contents,
      asOf: latest(manifest.created_at, contents.last_event?.received_at),
      name: "the database",
      faults: checkServerDatabase,
      advice: "Bring another base backup back; keep this database as evidence.",
      // The packages of exports are in a separate folder, which may be there as ever: the next start looks.
      settle: async () => undefined,
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function requireOrigin(origin: string | null, manifest: ServerManifest): void {
  if (origin === null)
    throw new DataFolderError(
      `The database of SVC_DATABASE_URL holds no deployment. Bring the base backup of ${manifest.origin} back ` +
        `first, and name that database.`,
    );
  if (origin !== manifest.origin)
    throw new DataFolderError(
      `The database of SVC_DATABASE_URL is that of another deployment, ${origin}, and this backup is of ` +
        `${manifest.origin}. Name the right database, or another backup.`,
    );
}

/** Throws DataFolderError unless a database has all that a manifest says. `hash`: that of the manifest's last event. */
function requireAllOf(manifest: ServerManifest, contents: ServerContents, hash: string | null): void {
  const { last_event: last } = manifest;
  const keys = new Map(contents.signing_keys.map((key) => [key.kid, key.public_key_hex]));
  const missing = manifest.signing_keys.filter((key) => keys.get(key.kid) !== key.public_key_hex);
  if (missing.length === manifest.signing_keys.length)
    throw new DataFolderError(
      `The database of SVC_DATABASE_URL is that of another deployment of ${manifest.origin}: it has none of the ` +
        `keys that this backup names. Name the right database, or another backup.`,
    );
  if (last !== null && hash !== null && hash !== last.event_hash) throw anotherHistory(last.stream_event_id);
  if (last !== null && hash === null)
    throw tooOld(manifest, `it lacks event ${last.stream_event_id}, recorded ${last.received_at}`);
  if (missing.length > 0) throw tooOld(manifest, `it lacks the key ${missing[0]?.kid}`);
  for (const member of ["schema_version", "streams", "events", "erasures"] as const)
    if (contents[member] < manifest[member])
      throw tooOld(manifest, `its ${member.replace("_", " ")}: ${contents[member]}, and ${manifest[member]} by then`);
  // Heads only move forward: with the same numbers each stream must end as it did.
  const isSame = contents.streams === manifest.streams && contents.events === manifest.events;
  if (isSame && contents.heads_sha256 !== manifest.heads_sha256) throw anotherHistory("its streams");
}

function tooOld({ created_at, postgresql }: ServerManifest, what: string): DataFolderError {
  const { wal_position, wal_file } = postgresql;
  const position = wal_position === null ? "" : `, to ${wal_position}${wal_file === null ? "" : ` in ${wal_file}`}`;
  return new DataFolderError(
    `The database of SVC_DATABASE_URL is older than this backup of ${created_at}: ${what}. Bring a base backup ` +
      `back that ended after it, or recover the archived log further${position} at least.`,
  );
}

function anotherHistory(what: string): DataFolderError {
  return new DataFolderError(
    `The database of SVC_DATABASE_URL goes on from another history than this backup: it has ${what} with another ` +
      `hash. Name the database that was served; keep this one as evidence.`,
  );
}
