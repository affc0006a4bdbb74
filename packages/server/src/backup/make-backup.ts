/**
 * Makes a backup: a folder with a consistent copy of the database and a manifest, made beside the running server. It
 * gets its name only once all of it is on disk. It holds private keys only if a passphrase is given, and then sealed.
 * A database on a server is only described: to copy it is for that server's own tools.
 */
import { existsSync, lstatSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { type Kernel, VERSION } from "@svc/core";
import { type Clock, serviceTime } from "@svc/host/clock";
import { makeFolderDurably, renameDurably, replaceFile, syncPath } from "@svc/host/durable-file";
import { failpoint } from "@svc/host/failpoint";
import { Connection, type OpenedDatabase } from "@svc/host/store";
import { type BelongingFiles, belongingFiles } from "../archive/belonging-files.ts";
import { DATABASE, type DataFolder, DataFolderError } from "../data-folder/data-folder.ts";
import { lockFile } from "../data-folder/folder-lock.ts";
import { type Contents, contentsOf } from "./contents-store.ts";
import { describeServer } from "./describe-server.ts";
import { type BackupManifest, fileEntry, MANIFEST, SEALED_KEYS } from "./manifest.ts";
import { readKeyFiles, sealKeys } from "./sealed-keys.ts";

/** The lock of the one process that makes the backup. */
const LOCK = "backup.lock";

/** The name and the keys of a backup. */
export interface BackupOptions {
  /** The folder of the backup, which must not exist yet. */
  readonly to: string;
  /** The passphrase under which the private keys are sealed into the backup; null: they are left out. */
  readonly passphrase: string | null;
  readonly kernel: Kernel;
  readonly clock: Clock;
}

/** The sources of a backup. */
interface BackedUp extends OpenedDatabase {
  readonly folder: DataFolder;
}

/**
 * Makes a backup, and resolves to its manifest. Rejects with DataFolderError if the name is taken or lies in the data
 * folder, or if another process is making it.
 */
export async function makeBackup(backedUp: BackedUp, options: BackupOptions): Promise<BackupManifest> {
  const { to, clock } = options;
  requireFree(to, clock);
  requireOutside(to, backedUp.folder.path);
  const unfinished = `${to}.unfinished`;
  makeFolderDurably(unfinished);
  failpoint("backup: folder made");
  const unlock = lockUnfinished(unfinished, `${to} is just being made by another process.`);
  try {
    requireFree(to, clock);
    // These files are left from an interrupted backup.
    for (const name of readdirSync(unfinished)) if (name !== LOCK) rmSync(join(unfinished, name));
    failpoint("backup: begun");
    const manifest = await fill(unfinished, backedUp, options);
    renameDurably(unfinished, to);
    failpoint("backup: named");
    // The lock is removed only now: from here on the name itself is taken.
    rmSync(join(to, LOCK));
    return manifest;
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  } finally {
    unlock();
  }
}

/**
 * Takes the lock of the unfinished backup, and returns a function that releases it. Throws DataFolderError if another
 * process makes it, or has just given it its name: then there is no such folder any more.
 */
function lockUnfinished(unfinished: string, refusal: string): () => void {
  try {
    requireOurs(unfinished);
    return lockFile(join(unfinished, LOCK), refusal);
  } catch (error) {
    // Without its folder the lock cannot be made, whatever reason the error gives.
    const isGone = (error as NodeJS.ErrnoException).code === "ENOENT" || !existsSync(unfinished);
    throw isGone ? new DataFolderError(refusal) : error;
  }
}

function requireFree(to: string, clock: Clock): void {
  if (!isTaken(to)) return;
  // The suggestion is beside the folder, never in it: a backup is no place for another one.
  const today = join(dirname(to), serviceTime(clock()).slice(0, "2026-03-01".length));
  let free = today;
  for (let number = 2; isTaken(free); number += 1) free = `${today}-${number}`;
  throw new DataFolderError(`${to} is there already. Name a folder that is not, such as ${free}.`);
}

/** Returns whether a name is taken; a link to nothing takes it too. */
function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Throws DataFolderError for a place in the data folder, also through links. */
function requireOutside(to: string, dataFolder: string): void {
  let parent = dirname(to);
  while (!existsSync(parent)) parent = dirname(parent);
  const place = join(realpathSync(parent), sep);
  if (place.startsWith(join(realpathSync(dataFolder), sep)))
    throw new DataFolderError(
      `${to} lies in the data folder, and would be lost with it. Name a folder outside, best on another disk.`,
    );
}

/** Throws DataFolderError for a folder with a file that no backup has left there. */
function requireOurs(unfinished: string): void {
  const ours = [DATABASE, MANIFEST, SEALED_KEYS, LOCK];
  const other = readdirSync(unfinished).find((name) => !ours.some((own) => name.startsWith(own)));
  if (other !== undefined) throw new DataFolderError(`${unfinished} holds ${other}, which no backup has left there.`);
}

async function fill(
  into: string,
  { folder, database, embedded }: BackedUp,
  { passphrase, clock }: BackupOptions,
): Promise<BackupManifest> {
  const head = {
    format: "svc-server-backup",
    version: 1,
    created_at: serviceTime(clock()),
    server_version: VERSION,
  } as const;
  const copy = join(into, DATABASE);
  embedded?.copyTo(copy);
  const onServer = embedded === null ? await describeServer(database) : null;
  failpoint("backup: database copied");
  // The keys are read after the database: keys that are newer than it can follow its evidence, older ones cannot.
  if (passphrase !== null) replaceFile(join(into, SEALED_KEYS), sealKeys(readKeyFiles(folder.path), passphrase));
  failpoint("backup: keys sealed");
  const sealed = passphrase === null ? {} : { "keys.sealed": await fileEntry(join(into, SEALED_KEYS)) };
  const manifest: BackupManifest =
    onServer === null
      ? { ...head, ...(await describe(copy)), files: { "svc.db": await fileEntry(copy), ...sealed } }
      : { ...head, ...onServer, files: sealed };
  replaceFile(join(into, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  syncPath(into);
  failpoint("backup: manifest written");
  return manifest;
}

/** Resolves to the content of the copy, which may differ from that of the database by now. */
function describe(databasePath: string): Promise<Contents> {
  return reading(databasePath, contentsOf);
}

/** Resolves to the files of the archive that the copy in a backup names: newer ones do not belong to it. */
export function archiveOfBackup(to: string, { archivePath }: DataFolder): Promise<BelongingFiles | null> {
  return reading(join(to, DATABASE), (reader) => belongingFiles(reader, archivePath));
}

async function reading<Value>(databasePath: string, read: (reader: Connection) => Promise<Value>): Promise<Value> {
  const reader = new Connection(databasePath, { timeout: 0, readOnly: true });
  try {
    return await read(reader);
  } finally {
    reader.close();
  }
}
