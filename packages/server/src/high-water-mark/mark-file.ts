/**
 * The high-water mark: the server's memory outside of its database, the last event that got a receipt. A database
 * without that event has been rolled back; going on with it would give the same numbers to other events, which is a
 * fork. The mark is written a moment after the commit, so it may lack the very last receipts before a crash. It does
 * NOT notice a rollback that took the mark with it: second-file.ts may.
 */
import { readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { replaceFile } from "@svc/host/durable-file";
import type { Database } from "@svc/host/store";
import { DataFolderError } from "../data-folder/data-folder.ts";
import { serviceRow } from "../signing/service-store.ts";
import type { EventRow } from "../streams/events-store.ts";
import { findEventHash } from "./mark-store.ts";

/** An event whose receipt somebody has. */
export interface SeenEvent extends Pick<EventRow, "stream_event_id" | "event_hash" | "received_at"> {
  /** The origin of the deployment that recorded the event; null in a file of an earlier release. */
  readonly origin: string | null;
  /** The path of the second file with the same note, out of reach of a rollback of the folder; null for none. */
  readonly second_file: string | null;
}

/** The note after a restore, in place of an event: nobody knows which events were recorded after the backup. */
export interface RestoredBackup {
  /** When the backup was made. */
  readonly restored_backup_of: string;
}

/** Evidence that the database lacks, or may lack. */
export interface Loss {
  /** The loss in words, as a sentence. */
  readonly words: string;
  /** The loss for the access log. */
  readonly detail:
    | { readonly lost_event_id: string; readonly lost_event_hash: string }
    | RestoredBackup
    | { readonly missing_progress_file: string }
    | { readonly lost_checkpoint_of: string; readonly lost_window_count: number }
    | { readonly lost_epoch_of_size: number };
}

/**
 * Reads the file. Resolves to null if it does not exist, because nothing has been recorded yet. Rejects with
 * DataFolderError for a file that the server cannot have written.
 */
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
    // The error below says it.
  }
  throw new DataFolderError(
    `${path} is damaged, so whether the database has lost events is unknown. Put the file back; if that cannot ` +
      `be done and you know that the database is the newest one, delete it.`,
  );
}

/** Throws DataFolderError for the mark of another deployment: to this one it would always look like a loss. */
export function requireOwnMark(path: string, seen: SeenEvent, origin: string): void {
  if (seen.origin === null || seen.origin === origin) return;
  throw new DataFolderError(
    `${path} is of another deployment, ${seen.origin}, and this one is ${origin}. Put this one's own in its place.`,
  );
}

/** Notes that the database was restored from a backup of this time, and that nobody knows what it lacks. */
export function noteRestored(path: string, backupCreatedAt: string): void {
  replaceFile(path, `${JSON.stringify({ restored_backup_of: backupCreatedAt } satisfies RestoredBackup)}\n`);
}

/**
 * Resolves to the loss of the database against the file; null if nothing is missing. Rejects with DataFolderError for a
 * damaged file, for that of another deployment, and for a copy out of a backup that was not restored by `restore`.
 */
export async function lossOf(path: string, database: Pick<Database, "read">): Promise<Loss | null> {
  if (await database.read((reader) => reader.isCopy()))
    throw new DataFolderError(
      `svc.db in ${dirname(path)} was copied by hand out of a backup, which does not know what was recorded ` +
        `after it. Run "restore --from <the backup> --keys ${dirname(path)} --data <another folder>".`,
    );
  const seen = await readMark(path);
  if (seen === null) return null;
  if ("restored_backup_of" in seen)
    return {
      words:
        `The database was put back from a backup of ${seen.restored_backup_of}, and whether receipts were given ` +
        `after that, nobody can tell. If progress.json of the folder that it stands in for is at hand, restore ` +
        `again with --progress.`,
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
    words:
      `The database is older than what this server has given receipts for: event ${seen.stream_event_id}, recorded ` +
      `${seen.received_at} and noted in ${path}, ${found}. It was rolled back, copied or restored from a backup. ` +
      `Put the newer database back.`,
    detail: { lost_event_id: seen.stream_event_id, lost_event_hash: seen.event_hash },
  };
}

/** Returns the text of the file that notes an event. */
export function markText({ second_file, ...seen }: SeenEvent): string {
  return `${JSON.stringify(second_file === null ? seen : { ...seen, second_file })}\n`;
}

/** Throws DataFolderError for a loss. */
export function refuseLoss(loss: Loss | null): void {
  if (loss === null) return;
  throw new DataFolderError(
    `${loss.words} Going on would give numbers out a second time, which every verifier shows as a fork. If what ` +
      `is missing is lost for good, run "accept-loss": it closes the streams, so that evidence goes on in new ones.`,
  );
}

/** Deletes the file, after an operator has accepted the loss. */
export async function forgetMark(path: string): Promise<void> {
  await rm(path, { force: true });
}
