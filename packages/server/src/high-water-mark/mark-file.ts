/**
 * The high-water mark: what the server remembers outside of its database, the last event that it gave a receipt for. A database that does not hold that event has
 * been rolled back, and going on with it would give the same numbers to other events, which is a fork. Written a moment after the commit,
 * so the very last receipts before a crash may be missing from it; it does NOT notice a loss where it was rolled back as well: second-file.ts may.
 */
import { readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { replaceFile } from "@svc/host/durable-file";
import { type Database, isCopy } from "@svc/host/store";
import { DataFolderError } from "../data-folder/data-folder.ts";
import type { EventRow } from "../streams/events-store.ts";
import { serviceRow } from "../tenancy/service-store.ts";
import { findEventHash } from "./mark-store.ts";

/** An event that somebody has the receipt of. */
export interface SeenEvent extends Pick<EventRow, "stream_event_id" | "event_hash" | "received_at"> {
  /** The origin of the deployment that recorded it; null in a file that an earlier release has written. */
  readonly origin: string | null;
  /** Where the same is noted once more, out of reach of what may roll the folder back; null: nowhere. */
  readonly second_file: string | null;
}

/** In the place of the event after a restore: nobody knows what was recorded after the backup. */
export interface RestoredBackup {
  /** When the backup was made. */
  readonly restored_backup_of: string;
}

/** Something that the database lacks, or may lack. */
export interface Loss {
  /** In words, as a sentence. */
  readonly words: string;
  /** For the access log. */
  readonly detail:
    | { readonly lost_event_id: string; readonly lost_event_hash: string }
    | RestoredBackup
    | { readonly missing_progress_file: string };
}

/** Reads the file; null where nothing has been recorded yet. Throws DataFolderError for one that cannot be what was written. */
export async function readMark(path: string): Promise<SeenEvent | RestoredBackup | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  try {
    const parsed = JSON.parse(text) as SeenEvent | RestoredBackup;
    if ("restored_backup_of" in parsed && typeof parsed.restored_backup_of === "string")
      return { restored_backup_of: parsed.restored_backup_of };
    const { stream_event_id, event_hash, received_at, origin = null, second_file = null } = parsed as SeenEvent;
    const texts = [stream_event_id, event_hash, received_at, origin ?? "", second_file ?? ""];
    if (texts.every((member) => typeof member === "string"))
      return { stream_event_id, event_hash, received_at, origin, second_file };
  } catch {
    // Said below.
  }
  throw new DataFolderError(
    `${path} is damaged, so it cannot be told whether the database has lost events. Put the file back; if that cannot be done and you know that the database is the newest one, delete it.`,
  );
}

/** Throws DataFolderError for what another deployment has seen: to this one it would always look like a loss. */
export function requireOwnMark(path: string, seen: SeenEvent, origin: string): void {
  if (seen.origin === null || seen.origin === origin) return;
  throw new DataFolderError(
    `${path} is of another deployment, ${seen.origin}, and this one is ${origin}. Put this one's own in its place.`,
  );
}

/** Notes that a database was put back from a backup of this time, and that nobody knows what it lacks. */
export function noteRestored(path: string, backupCreatedAt: string): void {
  replaceFile(path, `${JSON.stringify({ restored_backup_of: backupCreatedAt } satisfies RestoredBackup)}\n`);
}

/**
 * What the database lacks of what the file names, or may lack; null where nothing is missing. Throws DataFolderError for the copy of a backup, whose
 * restoring was left out.
 */
export async function lossOf(path: string, database: Pick<Database, "read">): Promise<Loss | null> {
  if (await database.read(isCopy))
    throw new DataFolderError(
      `svc.db in ${dirname(path)} was copied by hand out of a backup, which does not know what was recorded after it. Run "restore --from <the backup> --keys ${dirname(path)} --data <another folder>".`,
    );
  const seen = await readMark(path);
  if (seen === null) return null;
  if ("restored_backup_of" in seen)
    return {
      words: `The database was put back from a backup of ${seen.restored_backup_of}, and whether receipts were given after that, nobody can tell. If progress.json of the folder that it stands in for is at hand, restore again with --progress.`,
      detail: seen,
    };
  const { hash, service } = await database.read(async (reader) => ({
    hash: await findEventHash(reader, seen.stream_event_id),
    service: await serviceRow(reader),
  }));
  requireOwnMark(path, seen, service?.evidence_origin ?? "");
  if (hash === seen.event_hash) return null;
  const found = hash === null ? "is not in it" : "is in it with another hash, so that it goes on from another history";
  return {
    words: `The database is older than what this server has given receipts for: event ${seen.stream_event_id}, recorded ${seen.received_at} and noted in ${path}, ${found}. It was rolled back, copied or restored from a backup. Put the newer database back.`,
    detail: { lost_event_id: seen.stream_event_id, lost_event_hash: seen.event_hash },
  };
}

/** The text that notes an event. */
export function markText({ second_file, ...seen }: SeenEvent): string {
  return `${JSON.stringify(second_file === null ? seen : { ...seen, second_file })}\n`;
}

/** Refuses a database that lacks, or may lack, something. */
export function refuseLoss(loss: Loss | null): void {
  if (loss === null) return;
  throw new DataFolderError(
    `${loss.words} Going on would give numbers out a second time, which every verifier shows as a fork. If what is missing is lost for good, run "accept-loss": it closes the streams, so that evidence goes on in new ones.`,
  );
}

/** Forgets the event, after somebody has accepted that it is lost. */
export async function forgetMark(path: string): Promise<void> {
  await rm(path, { force: true });
}
