/**
 * The same as progress.json once more, where `SVC_PROGRESS_FILE` says: on another disk, or a mount of the host, so that what rolls the whole folder back
 * does not roll this back. progress.json names it from then on, and its absence is not taken for a reason to trust: only where it was never kept is it
 * made without being asked for. Two copies of one folder that share it are noticed too; two that each have their own are NOT.
 */
import { existsSync } from "node:fs";
import type { Database } from "@svc/host/store";
import { DataFolderError } from "../data-folder/data-folder.ts";
import { type Loss, lossOf, readMark, refuseLoss } from "./mark-file.ts";

/** Where the two are: that of the folder, and what the setting names, null for nothing. */
export interface MarkPlaces {
  readonly first: string;
  readonly configured: string | null;
}

/** What a start found. */
export interface SecondFile {
  /** Where it is kept from now on; null for nowhere. */
  readonly path: string | null;
  /** What the operator should know; null for nothing. */
  readonly notice: string | null;
}

/** What the database lacks of what either file names, or may lack because the second one is gone; null where nothing is missing. */
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
 * Refuses a database that lacks what either file names, and a second file that was kept and is gone. `renew`: somebody has said that it is lost for
 * good, and that the folder is the newest.
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
      `${missing} is not there, and progress.json says that it is kept there: without it nobody can tell whether this whole folder was rolled back, or is a copy. Put it back, or mount its disk, and set SVC_PROGRESS_FILE to where it is. If it is lost for good, and you know that this folder is the newest: start --renew-progress-file.`,
    );
  const { configured } = places;
  if (configured === null) {
    const recorded = await recordedPath(places.first);
    if (recorded === null || missing !== null) return { path: null, notice: null };
    return {
      path: recorded,
      notice: `SVC_PROGRESS_FILE is not set, and ${recorded} is kept on, as progress.json says. Set it; or, to keep it no longer, take the file away and start --renew-progress-file.`,
    };
  }
  const isNew = !existsSync(configured) && (await readMark(places.first)) !== null;
  return { path: configured, notice: isNew ? `${configured} was not there, and is made now.` : null };
}

/** The second files that are there: that of the setting, and that which progress.json names, where it is another. */
export async function secondPaths({ first, configured }: MarkPlaces): Promise<string[]> {
  const recorded = await recordedPath(first);
  const named = [configured, recorded].filter((path) => path !== null);
  return [...new Set(named)].filter((path) => existsSync(path));
}

/**
 * The second file that was kept, where it is gone from its place, and the one that is set does not go as far as progress.json; null where none is
 * missing.
 */
export async function missingFile({ first, configured }: MarkPlaces): Promise<string | null> {
  const recorded = await recordedPath(first);
  if (recorded === null || existsSync(recorded)) return null;
  const [inFolder, other] = [await readMark(first), configured === null ? null : await readMark(configured)];
  // An old copy that stood there says nothing of what was kept since.
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
