/**
 * A backup: a folder with a consistent copy of the database and a manifest, made beside the running server. It has its name only once all of it
 * is on disk. Private keys are in it only where a passphrase is given, and then sealed.
 */
import { existsSync, lstatSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { type Kernel, VERSION } from "@svc/core";
import { type Clock, serviceTime } from "@svc/host/clock";
import { makeFolderDurably, renameDurably, replaceFile, syncPath } from "@svc/host/durable-file";
import { failpoint } from "@svc/host/failpoint";
import { Connection, type EmbeddedDatabase } from "@svc/host/store";
import { DATABASE, type DataFolder, DataFolderError } from "../data-folder/data-folder.ts";
import { lockFile } from "../data-folder/folder-lock.ts";
import { type Contents, contentsOf } from "./contents-store.ts";
import { type BackupManifest, fileEntry, MANIFEST, SEALED_KEYS } from "./manifest.ts";
import { readKeyFiles, sealKeys } from "./sealed-keys.ts";

/** Held while it is made, by the one process that makes it. */
const LOCK = "backup.lock";

export interface BackupOptions {
  /** What the backup is to be called: a folder that is not there yet. */
  readonly to: string;
  /** With it the private keys go along, sealed; null: they stay away. */
  readonly passphrase: string | null;
  readonly kernel: Kernel;
  readonly clock: Clock;
}

/** What a backup is made of. */
interface BackedUp {
  readonly folder: DataFolder;
  readonly database: Pick<EmbeddedDatabase, "copyTo">;
}

/** Makes it, and answers its manifest. Throws DataFolderError where the name is taken, or lies in the data folder. */
export async function makeBackup({ folder, database }: BackedUp, options: BackupOptions): Promise<BackupManifest> {
  const { to, clock } = options;
  requireFree(to, clock);
  requireOutside(to, folder.path);
  const unfinished = `${to}.unfinished`;
  makeFolderDurably(unfinished);
  requireOurs(unfinished);
  const unlock = lockFile(join(unfinished, LOCK), `${to} is just being made by another process.`);
  try {
    requireFree(to, clock);
    // What a backup that was cut off has left.
    for (const name of readdirSync(unfinished)) if (name !== LOCK) rmSync(join(unfinished, name));
    failpoint("backup: begun");
    const manifest = await fill(unfinished, { folder, database }, options);
    renameDurably(unfinished, to);
    failpoint("backup: named");
    // Not before: whoever takes it from then on finds the name taken.
    rmSync(join(to, LOCK));
    return manifest;
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  } finally {
    unlock();
  }
}

function requireFree(to: string, clock: Clock): void {
  if (!isTaken(to)) return;
  // Beside it, never in it: a backup is not a place for another.
  const today = join(dirname(to), serviceTime(clock()).slice(0, "2026-03-01".length));
  let free = today;
  for (let number = 2; isTaken(free); number += 1) free = `${today}-${number}`;
  throw new DataFolderError(`${to} is there already. Name a folder that is not, such as ${free}.`);
}

/** A link that leads nowhere takes a name as well. */
function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Refuses a place in the data folder, also by way of links. */
function requireOutside(to: string, dataFolder: string): void {
  let parent = dirname(to);
  while (!existsSync(parent)) parent = dirname(parent);
  const place = join(realpathSync(parent), sep);
  if (place.startsWith(join(realpathSync(dataFolder), sep)))
    throw new DataFolderError(
      `${to} lies in the data folder, and would be lost with it. Name a folder outside, best on another disk.`,
    );
}

/** Refuses a folder that holds what no backup has left there. */
function requireOurs(unfinished: string): void {
  const ours = [DATABASE, MANIFEST, SEALED_KEYS, LOCK];
  const other = readdirSync(unfinished).find((name) => !ours.some((own) => name.startsWith(own)));
  if (other !== undefined) throw new DataFolderError(`${unfinished} holds ${other}, which no backup has left there.`);
}

async function fill(
  into: string,
  { folder, database }: BackedUp,
  { passphrase, clock }: BackupOptions,
): Promise<BackupManifest> {
  const created_at = serviceTime(clock());
  database.copyTo(join(into, DATABASE));
  failpoint("backup: database copied");
  const said = await describe(join(into, DATABASE));
  // After the database: keys that are newer than it lead on, older ones do not.
  if (passphrase !== null) replaceFile(join(into, SEALED_KEYS), sealKeys(readKeyFiles(folder.path), passphrase));
  failpoint("backup: keys sealed");
  const manifest: BackupManifest = {
    format: "svc-server-backup",
    version: 1,
    created_at,
    server_version: VERSION,
    ...said,
    files: {
      "svc.db": await fileEntry(join(into, DATABASE)),
      ...(passphrase === null ? {} : { "keys.sealed": await fileEntry(join(into, SEALED_KEYS)) }),
    },
  };
  replaceFile(join(into, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  syncPath(into);
  failpoint("backup: manifest written");
  return manifest;
}

/** What the copy holds, not what the database holds by now. */
async function describe(databasePath: string): Promise<Contents> {
  const reader = new Connection(databasePath, { timeout: 0, readOnly: true });
  try {
    return await contentsOf(reader);
  } finally {
    reader.close();
  }
}
