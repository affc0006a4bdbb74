/**
 * A second copy of progress.json, at the path of `SVC_PROGRESS_FILE`: on another disk, or a mount of the host, so that
 * a rollback of the whole folder does not take it along. progress.json names it from then on, and a missing file is no
 * reason to trust: it is made without being asked for only if none was ever kept. Two copies of one folder that share
 * it are noticed too; two that each have their own are NOT.
 */
import { existsSync } from "node:fs";
import type { Database } from "@svc/host/store";
import { DataFolderError } from "../data-folder/data-folder.ts";
import { type Loss, lossOf, readMark, refuseLoss } from "./mark-file.ts";

/** The paths of the two files: the one in the folder, and the configured one; null if none is configured. */
export interface MarkPlaces {
  readonly first: string;
  readonly configured: string | null;
}

/** The finding of a start. */
export interface SecondFile {
  /** The path of the file from now on; null for none. */
  readonly path: string | null;
  /** A sentence for the operator; null for none. */
  readonly notice: string | null;
}

/**
 * Resolves to the loss of the database against either file, or to the loss that may be behind a missing second file;
 * null if nothing is missing. Rejects with the errors of `lossOf`.
 */
export async function lossOfEither(places: MarkPlaces, database: Pick<Database, "read">): Promise<Loss | null> {
  const inFolder = await lossOf(places.first, database);
  if (inFolder !== null) return inFolder;
  for (const path of await secondPaths(places)) {
    const loss = await lossOf(path, database);
    if (loss !== null) return loss;
  }
  return missingLoss(await missingFile(places));
}

/**
 * Rejects with DataFolderError for a database that lacks an event of either file, and for a second file that was kept
 * and is gone. `renew`: the operator has said that the second file is lost for good, and that the folder is the newest.
 * Resolves to the second file that is kept from now on.
 */
export async function requireBoth(
  places: MarkPlaces,
  database: Pick<Database, "read">,
  { renew }: { readonly renew: boolean },
): Promise<SecondFile> {
  refuseLoss(await lossOf(places.first, database));
  for (const path of await secondPaths(places)) refuseLoss(await lossOf(path, database));
  const missing = await missingFile(places);
  if (missing !== null && !renew)
    throw new DataFolderError(
      `${missing} is not there, and progress.json says that it is kept there: without it nobody can tell whether ` +
        `this whole folder was rolled back, or is a copy. Put it back, or mount its disk, and set ` +
        `SVC_PROGRESS_FILE to where it is. If it is lost for good, and you know that this folder is the newest: ` +
        `start --renew-progress-file.`,
    );
  const { configured } = places;
  if (configured === null) {
    const recorded = await recordedPath(places.first);
    if (recorded === null || missing !== null) return { path: null, notice: null };
    return {
      path: recorded,
      notice:
        `SVC_PROGRESS_FILE is not set, and ${recorded} is kept on, as progress.json says. Set it; or, to keep it ` +
        `no longer, take the file away and start --renew-progress-file.`,
    };
  }
  const isNew = !existsSync(configured) && (await readMark(places.first)) !== null;
  return { path: configured, notice: isNew ? `${configured} was not there, and is made now.` : null };
}

/**
 * Resolves to the paths of the second files that exist: the configured one, and the one that progress.json names, if it
 * is another.
 */
export async function secondPaths({ first, configured }: MarkPlaces): Promise<string[]> {
  const recorded = await recordedPath(first);
  const named = [configured, recorded].filter((path) => path !== null);
  return [...new Set(named)].filter((path) => existsSync(path));
}

/**
 * Resolves to the path of the second file that was kept but is gone; null if none is missing. A configured file makes
 * up for it if it is as new as progress.json.
 */
export async function missingFile({ first, configured }: MarkPlaces): Promise<string | null> {
  const recorded = await recordedPath(first);
  if (recorded === null || existsSync(recorded)) return null;
  const [inFolder, other] = [await readMark(first), configured === null ? null : await readMark(configured)];
  // An old copy in the configured place says nothing about later events.
  return other !== null && !isOlder(other, inFolder) ? null : recorded;
}

type Read = Awaited<ReturnType<typeof readMark>>;

function isOlder(other: NonNullable<Read>, than: Read): boolean {
  if (than === null || !("received_at" in than)) return false;
  return !("received_at" in other) || other.received_at < than.received_at;
}

async function recordedPath(first: string): Promise<string | null> {
  const seen = await readMark(first);
  return seen === null || "restored_backup_of" in seen ? null : seen.second_file;
}

function missingLoss(path: string | null): Loss | null {
  if (path === null) return null;
  return {
    words: `${path}, which is kept beside progress.json, is not there, so that nobody can tell what is missing.`,
    detail: { missing_progress_file: path },
  };
}
