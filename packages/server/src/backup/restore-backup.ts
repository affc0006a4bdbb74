/**
 * Restoring: a backup and its keys become a data folder, which is whole only once everything in it has been verified. A
 * backup does not know later events. Without the high-water mark (progress.json) of the folder that it replaces, the
 * server therefore does not start on it before an operator accepts the loss. A database on a server was brought back by
 * that server's own tools; the folder is made for it.
 */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Kernel } from "@svc/core";
import { type Clock, serviceTime } from "@svc/host/clock";
import { OWNER_ONLY_FILE, renameDurably, replaceFile, syncPath } from "@svc/host/durable-file";
import { failpoint } from "@svc/host/failpoint";
import { migrate, type ServerLocation } from "@svc/host/store";
import { type BelongingFiles, belongingFiles } from "../archive/belonging-files.ts";
import type { CheckContext } from "../check-context.ts";
import {
  ARCHIVE,
  DATABASE,
  DataFolderError,
  makeOwnFolder,
  ON_SERVER,
  ON_SERVER_TEXT,
  PEPPER,
  PROGRESS,
  RESTORING,
  readPeppers,
  WITNESS_KEY,
  WITNESS_MEMORY,
} from "../data-folder/data-folder.ts";
import { lockFolder, SERVER_LOCK } from "../data-folder/folder-lock.ts";
import { requireEarlierPepper, requireOwnDatabase } from "../deployment/own-database.ts";
import type { Checked } from "../fsck/check-evidence.ts";
import { type Loss, lossOf, noteRestored, readMark, requireOwnMark } from "../high-water-mark/mark-file.ts";
import { lossAgainstWitness } from "../high-water-mark/witness-loss.ts";
import { catchUpRotations } from "../keys/rotate.ts";
import type { Program } from "../program/program.ts";
import type { KeySettings } from "../signing/key-settings.ts";
import { openKeySource } from "../signing/key-source.ts";
import { serviceRow } from "../signing/service-store.ts";
import { SigningKey } from "../signing/signing-key.ts";
import { catchUpWitness } from "../witness-keys/rotate.ts";
import { copyMemory, readingMemory } from "../witness-memory/witness-memory.ts";
import { type BackupManifest, isOnServer, readManifest, requireWhole, SEALED_KEYS } from "./manifest.ts";
import { openRestoredFile } from "./restore-file.ts";
import { openRestoredServer } from "./restore-server.ts";
import type { RestoredDatabase } from "./restored-database.ts";
import { KEY_FILES, type KeyFiles, openKeys, readKeyFiles } from "./sealed-keys.ts";

const FAULTS_TOLD = 5;
/** How far the high-water mark (progress.json) of a killed server may lie behind its database. */
const PROGRESS_LAG_MS = 1_000;

/** The sources of a restore, and the folder to make. */
export interface RestoreOptions {
  readonly program: Program;
  /** The folder of the backup. */
  readonly from: string;
  /** The data folder to make: empty or missing. */
  readonly dataFolder: string;
  /** A folder with the private files; null: they are in the backup, under the passphrase. */
  readonly keysFolder: string | null;
  readonly passphrase: string | null;
  /** The high-water mark (progress.json) of the folder that this one replaces; null if it is lost. */
  readonly progressFile: string | null;
  /** The database on a server that was brought back; null for one that is in the backup. */
  readonly databaseLocation: ServerLocation | null;
  /** The folder of the archive's files; null: in the data folder. */
  readonly archiveFolder: string | null;
  readonly keySettings: KeySettings;
  readonly settings: CheckContext["settings"];
  readonly kernel: Kernel;
  readonly clock: Clock;
  /** Called with a few words about the next step. */
  readonly onStep?: (words: string) => void;
}

/** The result of a restore. */
export interface Restored {
  readonly manifest: BackupManifest;
  /** The time of the database's state. */
  readonly asOf: string;
  readonly streams: number;
  readonly events: number;
  /** The loss for which the server will refuse to start; null if nothing is missing. */
  readonly loss: Loss | null;
  /** The files of the archive that belong to the database, or null. */
  readonly archive: BelongingFiles | null;
}

/**
 * Restores a backup, and resolves to the result. Rejects with DataFolderError, and leaves no data folder, if anything
 * differs from the original.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { from, dataFolder } = options;
  const manifest = readManifest(from);
  requireKind(options, manifest);
  requireEmpty(dataFolder);
  makeOwnFolder(dataFolder);
  const unlock = lockFolder(dataFolder);
  try {
    return await restoreInto(options, manifest);
  } finally {
    unlock();
  }
}

/** Throws DataFolderError where the settings name a database of another kind than that of the backup. */
function requireKind({ from, databaseLocation }: RestoreOptions, manifest: BackupManifest): void {
  if (isOnServer(manifest) && databaseLocation === null)
    throw new DataFolderError(
      `${from} is of a deployment on a PostgreSQL server, and holds no database. Bring that back with ` +
        `PostgreSQL's own tools, and name it: SVC_DATABASE_URL=postgres://user:password@host:5432/database`,
    );
  if (!isOnServer(manifest) && databaseLocation !== null)
    throw new DataFolderError(
      `SVC_DATABASE_URL is set, and ${from} holds the database as a file, svc.db. Unset it; migrate-store moves ` +
        `the restored database to a server.`,
    );
}

async function restoreInto(options: RestoreOptions, manifest: BackupManifest): Promise<Restored> {
  const { from, dataFolder } = options;
  const restoring = join(dataFolder, RESTORING);
  const onServer = isOnServer(manifest);
  prepare(dataFolder, onServer ? ON_SERVER_TEXT : "");
  failpoint("restore: begun");
  try {
    if (!onServer) {
      copyFileSync(join(from, DATABASE), restoring);
      syncPath(restoring);
      await requireWhole(restoring, DATABASE, manifest);
    }
    failpoint("restore: database copied");
    await placeKeys(options, manifest);
    failpoint("restore: keys placed");
    const restored = await checked(options, manifest);
    failpoint("restore: checked");
    renameDurably(restoring, join(dataFolder, onServer ? ON_SERVER : DATABASE));
    failpoint("restore: named");
    return { manifest, ...restored };
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
      `${dataFolder} is not empty: it holds ${there}. Name another folder with --data; a deployment is never ` +
        `restored over another.`,
    );
}

function isCutOff(dataFolder: string): boolean {
  const isThere = (name: string) => existsSync(join(dataFolder, name));
  return isThere(RESTORING) && !isThere(DATABASE) && !isThere(ON_SERVER);
}

/** Gives a locked folder the name that marks it as being restored. `text`: the content of that file. */
function prepare(dataFolder: string, text: string): void {
  if (isCutOff(dataFolder)) clear(dataFolder);
  requireEmpty(dataFolder);
  writeFileSync(join(dataFolder, RESTORING), text, { flag: "wx", mode: OWNER_ONLY_FILE, flush: true });
  syncPath(dataFolder);
}

/** Removes the files of a restore; the name that marks it last. */
function clear(dataFolder: string): void {
  const names = [...KEY_FILES, PROGRESS].flatMap((name) => [name, `${name}.unfinished`]);
  const databases = [WITNESS_MEMORY, RESTORING].flatMap((name) => [`${name}-wal`, `${name}-shm`, name]);
  for (const name of [...names, ...databases]) rmSync(join(dataFolder, name), { force: true });
}

async function placeKeys(options: RestoreOptions, manifest: BackupManifest): Promise<void> {
  const { dataFolder, from } = options;
  const files = await keyFiles(options, manifest);
  const missing = [WITNESS_KEY, PEPPER].filter((name) => !files.has(name));
  if (missing.length > 0)
    throw new DataFolderError(
      `${missing.join(" and ")} must be there too: without them nothing is witnessed, and no API key is known.`,
    );
  for (const [name, bytes] of files) replaceFile(join(dataFolder, name), bytes);
  // The witness must not forget what it has signed since the backup was made.
  const memory = join(options.keysFolder ?? from, WITNESS_MEMORY);
  if (existsSync(memory)) await copyMemory(memory, join(dataFolder, WITNESS_MEMORY));
}

async function keyFiles({ from, keysFolder, passphrase }: RestoreOptions, manifest: BackupManifest): Promise<KeyFiles> {
  if (keysFolder !== null) return readKeyFiles(keysFolder);
  if (manifest.files[SEALED_KEYS] === undefined)
    throw new DataFolderError(
      "This backup holds no keys. Name the folder with your copy of witness-key.pem, pepper and, where it is " +
        "kept in a file, signing-key.pem with --keys.",
    );
  if (passphrase === null)
    throw new DataFolderError("The keys in this backup are sealed. Give their passphrase with --passphrase-file.");
  const path = join(from, SEALED_KEYS);
  await requireWhole(path, SEALED_KEYS, manifest);
  return openKeys(readFileSync(path, "utf8"), passphrase);
}

/**
 * Does all checks of a start, and fsck. Resolves to what was restored: the loss, or a possible one, and the files of
 * the archive among it.
 */
async function checked(options: RestoreOptions, manifest: BackupManifest): Promise<Omit<Restored, "manifest">> {
  const { program, dataFolder, keySettings, kernel, clock, progressFile, onStep = () => undefined } = options;
  const source = openKeySource(keySettings, kernel, dataFolder);
  let restored: RestoredDatabase | null = null;
  try {
    restored = await open(options, manifest);
    const { database, contents, asOf } = restored;
    const databaseFile = isOnServer(manifest) ? null : join(dataFolder, RESTORING);
    const folder = { path: dataFolder, databaseFile, ...readPeppers(dataFolder) };
    const { evidence_origin: origin, keyedHash } = requireOwnDatabase(folder, await database.read(serviceRow));
    await migrate(database, () => serviceTime(clock()), program.schemas);
    await database.read((reader) => requireEarlierPepper(reader, folder, keyedHash));
    // The files of the archive may be put back after the database: missing ones are reported, and are no fault.
    const elsewhere = { exportsPath: null, archivePath: null, witnessMemory: null };
    const own = { privateFolder: dataFolder, settings: options.settings };
    await requireNoFaults(restored, { program, database, kernel, origin, keyedHash, ...own, ...elsewhere, onStep });
    await restored.settle(serviceTime(clock()));
    const markPath = join(dataFolder, PROGRESS);
    if (progressFile === null) noteRestored(markPath, asOf);
    else {
      await requireNewer(progressFile, restored, origin);
      replaceFile(markPath, readFileSync(progressFile));
    }
    const loss =
      (await lossOf(markPath, database)) ??
      (await readingMemory(join(dataFolder, WITNESS_MEMORY), (memory) => lossAgainstWitness(kernel, memory, database)));
    await catchUpRotations({ database, kernel, source, dataFolder });
    await catchUpWitness({ database, kernel, dataFolder });
    await database.read((reader) => new SigningKey(kernel, source).current(reader));
    const archivePath = options.archiveFolder ?? join(dataFolder, ARCHIVE);
    const archive = await database.read((reader) => belongingFiles(reader, archivePath));
    return { asOf, streams: contents.streams, events: contents.events, loss, archive };
  } finally {
    source.close();
    await restored?.database.close();
  }
}

/** Opens the database that the manifest describes. Rejects with DataFolderError for any other. */
function open(
  { program, dataFolder, databaseLocation, kernel }: RestoreOptions,
  manifest: BackupManifest,
): Promise<RestoredDatabase> {
  if (!isOnServer(manifest)) return openRestoredFile(join(dataFolder, RESTORING), manifest, kernel);
  if (databaseLocation === null) throw new Error("a backup of a server's database needs its place");
  return openRestoredServer(program, databaseLocation, manifest);
}

/**
 * Rejects with DataFolderError for a high-water mark from before the last event of the database: it would say that
 * nothing is missing, whatever came later.
 */
async function requireNewer(
  progressFile: string,
  { name, contents: { last_event } }: RestoredDatabase,
  origin: string,
): Promise<void> {
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
    `${progressFile} is of ${seen.received_at}, and ${name} has an event of ${last_event.received_at}: it is ` +
      `older, and does not know what came after. Name the newest progress.json, of the server that recorded last, ` +
      `or restore without --progress.`,
  );
}

async function requireNoFaults({ faults, name, advice }: RestoredDatabase, context: Checked): Promise<void> {
  const found: string[] = [];
  for await (const { table, row, fault } of faults(context)) {
    found.push(`${table} ${JSON.stringify(row)}: ${fault}`);
    if (found.length === FAULTS_TOLD) break;
  }
  if (found.length > 0)
    throw new DataFolderError(`The evidence of ${name} is not as it was:\n${found.join("\n")}\n${advice}`);
}
