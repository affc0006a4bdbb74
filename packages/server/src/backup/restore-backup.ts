/**
 * Restoring: a backup and its keys become a data folder, which is whole only once everything in it has been verified. A
 * backup does not know later events. Without the high-water mark (progress.json) of the folder that it replaces, the
 * server therefore does not start on it before an operator accepts the loss.
 */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, Kernel } from "@svc/core";
import { type Clock, serviceTime } from "@svc/host/clock";
import { OWNER_ONLY_FILE, renameDurably, replaceFile, syncPath } from "@svc/host/durable-file";
import { failpoint } from "@svc/host/failpoint";
import { becomeOriginal, type Database, migrate, openSqlite } from "@svc/host/store";
import { type BelongingFiles, belongingFiles } from "../archive/belonging-files.ts";
import {
  ARCHIVE,
  DATABASE,
  DataFolderError,
  makeOwnFolder,
  PEPPER,
  PROGRESS,
  RESTORING,
  WITNESS_KEY,
} from "../data-folder/data-folder.ts";
import { lockFolder, SERVER_LOCK } from "../data-folder/folder-lock.ts";
import { loseExport } from "../exports/delete-export.ts";
import { readyExports } from "../exports/exports-store.ts";
import { checkDatabase } from "../fsck/check-database.ts";
import type { Checked } from "../fsck/check-evidence.ts";
import { type Loss, lossOf, noteRestored, readMark, requireOwnMark } from "../high-water-mark/mark-file.ts";
import type { KeySettings } from "../keys/key-settings.ts";
import { openKeySource } from "../keys/key-source.ts";
import { keyedHashUnder } from "../keys/keyed-hash.ts";
import { catchUpRotations } from "../keys/rotate.ts";
import { SigningKey } from "../keys/signing-key.ts";
import { MIGRATIONS } from "../migrations/all.ts";
import { requireOwnDatabase } from "../own-database.ts";
import { serviceRow } from "../tenancy/service-store.ts";
import { type Contents, contentsOf } from "./contents-store.ts";
import { type BackupManifest, readManifest, requireWhole, SEALED_KEYS } from "./manifest.ts";
import { KEY_FILES, type KeyFiles, openKeys, readKeyFiles } from "./sealed-keys.ts";

const FAULTS_TOLD = 5;
/** How far the high-water mark (progress.json) of a killed server may lie behind its database. */
const PROGRESS_LAG_MS = 1_000;

/** The sources of a restore, and the folder to make. */
export interface RestoreOptions {
  /** The folder of the backup. */
  readonly from: string;
  /** The data folder to make: empty or missing. */
  readonly dataFolder: string;
  /** A folder with the private files; null: they are in the backup, under the passphrase. */
  readonly keysFolder: string | null;
  readonly passphrase: string | null;
  /** The high-water mark (progress.json) of the folder that this one replaces; null if it is lost. */
  readonly progressFile: string | null;
  /** The folder of the archive's files; null: in the data folder. */
  readonly archiveFolder: string | null;
  readonly keySettings: KeySettings;
  readonly kernel: Kernel;
  readonly clock: Clock;
  /** Called with a few words about the next step. */
  readonly onStep?: (words: string) => void;
}

/** The result of a restore. */
export interface Restored {
  readonly manifest: BackupManifest;
  /** The loss for which the server will refuse to start; null if nothing is missing. */
  readonly loss: Loss | null;
  /** The files of the archive that belong to the database; null if there are none. */
  readonly archive: BelongingFiles | null;
}

/**
 * Restores a backup, and resolves to the result. Rejects with DataFolderError, and leaves no data folder, if anything
 * differs from the original.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { from, dataFolder } = options;
  const manifest = readManifest(from);
  requireEmpty(dataFolder);
  makeOwnFolder(dataFolder);
  const unlock = lockFolder(dataFolder);
  try {
    return await restoreInto(options, manifest);
  } finally {
    unlock();
  }
}

async function restoreInto(options: RestoreOptions, manifest: BackupManifest): Promise<Restored> {
  const { from, dataFolder } = options;
  prepare(dataFolder);
  failpoint("restore: begun");
  try {
    const restoring = join(dataFolder, RESTORING);
    copyFileSync(join(from, DATABASE), restoring);
    syncPath(restoring);
    await requireWhole(restoring, DATABASE, manifest);
    failpoint("restore: database copied");
    await placeKeys(options, manifest);
    failpoint("restore: keys placed");
    const { loss, archive } = await checked(options, manifest, restoring);
    failpoint("restore: checked");
    renameDurably(restoring, join(dataFolder, DATABASE));
    failpoint("restore: named");
    return { manifest, loss, archive };
  } catch (error) {
    clear(dataFolder);
    throw error;
  }
}

/** Throws DataFolderError for a folder with anything except a lock, or the files of an interrupted restore. */
function requireEmpty(dataFolder: string): void {
  if (!existsSync(dataFolder) || isCutOff(dataFolder)) return;
  const there = readdirSync(dataFolder).find((name) => !name.startsWith(SERVER_LOCK));
  if (there !== undefined)
    throw new DataFolderError(
      `${dataFolder} is not empty: it holds ${there}. Name another folder with --data; a deployment is never restored over another.`,
    );
}

function isCutOff(dataFolder: string): boolean {
  return existsSync(join(dataFolder, RESTORING)) && !existsSync(join(dataFolder, DATABASE));
}

/** Gives a locked folder the name that marks it as being restored. */
function prepare(dataFolder: string): void {
  if (isCutOff(dataFolder)) clear(dataFolder);
  requireEmpty(dataFolder);
  writeFileSync(join(dataFolder, RESTORING), "", { flag: "wx", mode: OWNER_ONLY_FILE });
  syncPath(dataFolder);
}

/** Removes the files of a restore; the name that marks it last. */
function clear(dataFolder: string): void {
  const names = [...KEY_FILES, PROGRESS].flatMap((name) => [name, `${name}.unfinished`]);
  for (const name of [...names, `${RESTORING}-wal`, `${RESTORING}-shm`, RESTORING])
    rmSync(join(dataFolder, name), { force: true });
}

async function placeKeys(options: RestoreOptions, manifest: BackupManifest): Promise<void> {
  const { dataFolder } = options;
  const files = await keyFiles(options, manifest);
  const missing = [WITNESS_KEY, PEPPER].filter((name) => !files.has(name));
  if (missing.length > 0)
    throw new DataFolderError(
      `${missing.join(" and ")} must be there too: without them nothing is witnessed, and no API key is known.`,
    );
  for (const [name, bytes] of files) replaceFile(join(dataFolder, name), bytes);
}

async function keyFiles({ from, keysFolder, passphrase }: RestoreOptions, manifest: BackupManifest): Promise<KeyFiles> {
  if (keysFolder !== null) return readKeyFiles(keysFolder);
  if (manifest.files[SEALED_KEYS] === undefined)
    throw new DataFolderError(
      "This backup holds no keys. Name the folder with your copy of witness-key.pem, pepper and, where it is kept in a file, signing-key.pem with --keys.",
    );
  if (passphrase === null)
    throw new DataFolderError("The keys in this backup are sealed. Give their passphrase with --passphrase-file.");
  const path = join(from, SEALED_KEYS);
  await requireWhole(path, SEALED_KEYS, manifest);
  return openKeys(readFileSync(path, "utf8"), passphrase);
}

/** Does all checks of a start, and fsck. Resolves to the loss, or the possible one, and to the files of the archive. */
async function checked(
  options: RestoreOptions,
  manifest: BackupManifest,
  restoring: string,
): Promise<Pick<Restored, "loss" | "archive">> {
  const { dataFolder, keySettings, kernel, clock, progressFile, onStep = () => undefined } = options;
  const source = openKeySource(keySettings, kernel, dataFolder);
  const database = openSqlite(restoring);
  try {
    requireAsDescribed(await database.read(contentsOf), manifest, kernel);
    await database.write(becomeOriginal);
    await migrate(database, () => serviceTime(clock()), MIGRATIONS);
    const pepper = readFileSync(join(dataFolder, PEPPER));
    const keyedHash = keyedHashUnder(pepper);
    const row = await database.read(serviceRow);
    const { evidence_origin: origin } = requireOwnDatabase(
      { path: dataFolder, databaseFile: restoring },
      keyedHash,
      row,
    );
    await requireNoFaults({ database, kernel, origin, keyedHash, onStep });
    await losePackages(database, serviceTime(clock()));
    const markPath = join(dataFolder, PROGRESS);
    if (progressFile === null) noteRestored(markPath, manifest.created_at);
    else {
      await requireNewer(progressFile, manifest);
      replaceFile(markPath, readFileSync(progressFile));
    }
    const loss = await lossOf(markPath, database);
    await catchUpRotations({ database, kernel, source, dataFolder });
    await database.read((reader) => new SigningKey(kernel, source).current(reader));
    const archivePath = options.archiveFolder ?? join(dataFolder, ARCHIVE);
    return { loss, archive: await database.read((reader) => belongingFiles(reader, archivePath)) };
  } finally {
    source.close();
    await database.close();
  }
}

/**
 * No backup holds packages. Their rows are marked as lost now, because a start would find them missing and make a good
 * backup look bad.
 */
async function losePackages(database: Database, now: string): Promise<void> {
  await database.write(async (writer) => {
    for (const row of await readyExports(writer)) await loseExport(writer, row, now);
  });
}

/** Throws DataFolderError if the manifest differs from the content of the database. */
function requireAsDescribed(contents: Contents, manifest: BackupManifest, kernel: Kernel): void {
  const text = (value: unknown) => Buffer.from(kernel.canonicalize(value as Json)).toString();
  for (const [member, value] of Object.entries(contents))
    if (text(value) !== text(manifest[member as keyof Contents]))
      throw new DataFolderError(
        `The manifest of this backup names another ${member} than its database has: it was changed. Use another backup.`,
      );
}

/**
 * Rejects with DataFolderError for a high-water mark from before the backup: it would say that nothing is missing,
 * whatever came later.
 */
async function requireNewer(progressFile: string, { last_event, origin }: BackupManifest): Promise<void> {
  const seen = await readMark(progressFile);
  if (seen === null)
    throw new DataFolderError(
      `${progressFile} is not there. Name the progress.json of the folder that this one stands in for.`,
    );
  if ("restored_backup_of" in seen) return;
  requireOwnMark(progressFile, seen, origin);
  if (last_event === null) return;
  if (Date.parse(seen.received_at) + PROGRESS_LAG_MS >= Date.parse(last_event.received_at)) return;
  throw new DataFolderError(
    `${progressFile} is of ${seen.received_at}, and this backup has an event of ${last_event.received_at}: it is older, and does not know what came after. Name the newest progress.json, or restore without --progress.`,
  );
}

/** The files of the archive may be put back after the database: those that are missing are told, and are no fault. */
async function requireNoFaults(context: Omit<Checked, "packages" | "archivePath">): Promise<void> {
  const found: string[] = [];
  for await (const { table, row, fault } of checkDatabase({ ...context, packages: null, archivePath: null })) {
    found.push(`${table} ${JSON.stringify(row)}: ${fault}`);
    if (found.length === FAULTS_TOLD) break;
  }
  if (found.length > 0)
    throw new DataFolderError(
      `The database of this backup is not as it was:\n${found.join("\n")}\nUse another backup; keep this one as evidence.`,
    );
}
