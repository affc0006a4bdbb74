/**
 * The data folder: the witness's key, the pepper and the database, readable by their owner only, and the sealing key if
 * it is kept in a file (signing/file-keys.ts). In place of the database a file may say that it is on a server. Either
 * gets its name last, so a folder holds either a finished deployment or one that never handed anything out. The content
 * of the database is made in initialize.ts.
 */
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  makeFolderDurably,
  OWNER_ONLY_FILE,
  OWNER_ONLY_FOLDER,
  renameDurably,
  replaceFile,
  syncPath,
} from "@svc/host/durable-file";
import { failpoint } from "@svc/host/failpoint";

/** The file of the sealing key. */
export const SIGNING_KEY = "signing-key.pem";
/** The next sealing key, during a rotation. */
export const NEXT_SIGNING_KEY = "signing-key.next.pem";
/** The file of the witness's key. */
export const WITNESS_KEY = "witness-key.pem";
/** The next key of the witness, until nothing waits for the one before it (witness-keys/). */
export const NEXT_WITNESS_KEY = "witness-key.next.pem";
/** The file of the pepper under which secrets are hashed. */
export const PEPPER = "pepper";
/** The next pepper, until nothing needs the one before it (pepper/). */
export const NEXT_PEPPER = "pepper.next";
/** The file of the key under which secrets in the database are sealed; programs that keep secrets make it. */
export const SECRETS_KEY = "secrets-key";
/** The next one, until every secret is sealed under it. */
export const NEXT_SECRETS_KEY = "secrets-key.next";
/** The file of the database. */
export const DATABASE = "svc.db";
/** In place of the database: the file that says that it is on a PostgreSQL server. It does not say on which. */
export const ON_SERVER = "database.json";
/** The file of the high-water mark (high-water-mark/mark-file.ts). */
export const PROGRESS = "progress.json";
/** The file of the witness's memory (witness-memory/). */
export const WITNESS_MEMORY = "witness.db";
const EXPORTS = "exports";
/** The folder of the archive's files. */
export const ARCHIVE = "archive";
/** The database while a deployment is being made; created first and renamed last. */
const UNFINISHED = "svc.db.unfinished";
/** The database while a backup is being restored; also created first and renamed last. */
export const RESTORING = "svc.db.restoring";
/** The database while it is being moved into the folder from a server (moving/); also renamed last. */
export const MOVING = "svc.db.migrating";
/** The database after it was moved to a server. */
export const MOVED = "svc.db.migrated";
/** The files of every deployment; the sealing key may be kept elsewhere. */
const FILES = [WITNESS_KEY, PEPPER] as const;
/** The content of the file that says that the database is on a server. */
export const ON_SERVER_TEXT: string = `${JSON.stringify({ database: "postgresql" })}\n`;
/** Files that no other user may ever have read. */
const PRIVATE: readonly string[] = [
  ...[SIGNING_KEY, NEXT_SIGNING_KEY, WITNESS_KEY, NEXT_WITNESS_KEY],
  ...[PEPPER, NEXT_PEPPER, SECRETS_KEY, NEXT_SECRETS_KEY],
];
const PEPPER_BYTES = 32;
const MODE = 0o777;

/** The folder cannot be used; the message says what to do about it. */
export class DataFolderError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DataFolderError";
  }
}

/** The paths of a folder, and the secrets that it keeps for the server. */
export interface DataFolder {
  readonly path: string;
  /** The file of the database; null for one on a server. */
  readonly databaseFile: string | null;
  /** The file of the high-water mark; missing before the first event. */
  readonly markPath: string;
  /** The file of the witness's memory; missing before the first start. */
  readonly witnessMemoryPath: string;
  /** The folder of the packages of exports; missing before the first package. */
  readonly exportsPath: string;
  /** The folder of the archive's files; missing before the first one. */
  readonly archivePath: string;
  readonly pepper: Uint8Array;
  /** The next pepper; null where none was made. The database says which of the two is the pepper of now. */
  readonly nextPepper: Uint8Array | null;
}

/** The folders of a deployment that several servers share; null for one in the data folder. */
export interface FoldersElsewhere {
  readonly exportsFolder: string | null;
  readonly archiveFolder: string | null;
}

/** The state of a folder: a deployment is there, nothing of one, one whose making or moving was cut off, or a part. */
export type FolderState = "whole" | "nothing" | "unfinished" | "between" | "part";

/**
 * Returns the state of a folder. `between`: whole but for the name of its database, which is being moved to or from a
 * server.
 */
export function stateOf(path: string): FolderState {
  const isThere = (name: string) => existsSync(join(path, name));
  const there = FILES.filter(isThere);
  const databases = [DATABASE, ON_SERVER].filter(isThere);
  if (there.length === FILES.length && databases.length === 1) return "whole";
  if (isThere(UNFINISHED) && databases.length === 0) return "unfinished";
  if (there.length === FILES.length && databases.length === 0 && [MOVING, MOVED].some(isThere)) return "between";
  // A sealing key alone is already an identity under which evidence may exist. A folder that is being restored must not
  // be initialised.
  const isUsed = there.length + databases.length > 0 || [SIGNING_KEY, RESTORING].some(isThere);
  return isUsed ? "part" : "nothing";
}

/** Returns the permissions of a mode, as `0640`. */
export function octal(mode: number): string {
  return (mode & MODE).toString(8).padStart(4, "0");
}

/**
 * Throws DataFolderError for a path that is no folder, and for a folder of another user: files that this process makes
 * there would be closed to the server, even if root made them.
 */
export function requireOwnFolder(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (!there.isDirectory()) throw new DataFolderError(`${resolve(path)} is no folder. Name another with --data.`);
  const user = process.geteuid?.();
  if (user !== undefined && user !== there.uid)
    throw new DataFolderError(
      `${resolve(path)} belongs to user ${there.uid}, and this is user ${user}. Run it as the folder's user, ` +
        `such as with sudo -u '#${there.uid}', or give folder and files to this one with chown -R.`,
    );
}

/**
 * Closes the folder and everything in it to other users, payloads included, and calls `tell` for each entry that was
 * open. It does not refuse the start, as requirePrivateFiles does for keys: an earlier release accepted such a folder,
 * and no key has to be changed. It leaves keys to requirePrivateFiles.
 */
export function closeFolder(path: string, tell: (words: string) => void): void {
  if (process.platform === "win32") return;
  const names = readdirSync(path, { recursive: true, encoding: "utf8" }).filter((name) => !PRIVATE.includes(name));
  for (const entry of [path, ...names.map((name) => join(path, name))]) {
    const found = lstatSync(entry, { throwIfNoEntry: false });
    if (found === undefined || !(found.isDirectory() || found.isFile())) continue;
    const wanted = found.isDirectory() ? OWNER_ONLY_FOLDER : OWNER_ONLY_FILE;
    if ((found.mode & MODE & ~wanted) === 0) continue;
    const was = `${entry} had mode ${octal(found.mode)}`;
    try {
      chmodSync(entry, wanted);
      tell(
        `${was}, and is closed to others now: it holds what was recorded, or leads to it, and they could have read it.`,
      );
    } catch (error) {
      tell(
        `${was}, and could not be closed to others: ${(error as Error).message}. Run: chmod ${octal(wanted)} ${entry}`,
      );
    }
  }
}

/** Throws DataFolderError for private files that other users may read: a reader of the key can seal with it too. */
export function requirePrivateFiles(path: string): void {
  // On Windows the mode says nothing.
  if (process.platform === "win32") return;
  for (const name of PRIVATE) {
    const file = join(path, name);
    const { mode } = statSync(file, { throwIfNoEntry: false }) ?? { mode: OWNER_ONLY_FILE };
    if ((mode & MODE & ~OWNER_ONLY_FILE) !== 0)
      throw new DataFolderError(
        `${name} has mode ${octal(mode)}: others may read it. Run chmod 0600 ${file}; if anybody else could ` +
          `reach it, docs/operations.md says what to do when a key is stolen.`,
      );
  }
}

/**
 * Makes the folder itself, closed to other users. Throws DataFolderError for one that holds a deployment or a part of
 * one, and for one of another user.
 */
export function prepareDataFolder(path: string): void {
  requireOwnFolder(path);
  requireUnmade(path);
  makeOwnFolder(path);
}

/** Makes a folder closed to other users, or closes an existing one. Throws DataFolderError for one of another user. */
export function makeOwnFolder(path: string): void {
  requireOwnFolder(path);
  makeFolderDurably(path);
  chmodSync(path, OWNER_ONLY_FOLDER);
}

function requireUnmade(path: string): void {
  const state = stateOf(path);
  if (state === "whole")
    throw new DataFolderError(
      `${resolve(path)} is already initialised. Start it with "start --data ${path}", make a key with "keys ` +
        `create --data ${path}", or choose another folder with --data.`,
    );
  if (state === "between") throw cutOffBetween(path);
  if (state === "part") throw partly(path);
}

/**
 * Makes a fresh witness key and pepper in a prepared folder, and a database that does not have its final name yet, or
 * the file that says that it is on a server.
 * `newKeyPem` returns a new private key as PEM. Throws DataFolderError for a folder that holds a deployment or a part
 * of one. Discards the files of an earlier making that was cut off, since nothing of it was ever handed out.
 */
export function createDataFolder(
  path: string,
  newKeyPem: () => string,
  { onServer = false }: { readonly onServer?: boolean } = {},
): DataFolder {
  requireUnmade(path);
  if (stateOf(path) === "unfinished") discardDataFolder(path);
  writeOnce(join(path, UNFINISHED), onServer ? ON_SERVER_TEXT : "");
  // Its name says that nothing else here was ever handed out: it must be on disk before all of that.
  syncPath(path);
  writeOnce(join(path, WITNESS_KEY), newKeyPem());
  writeOnce(join(path, PEPPER), newPepper());
  failpoint("init: keys written");
  return { ...readKeys(path), databaseFile: onServer ? null : join(path, UNFINISHED) };
}

/** Gives the closed database, or the file in its place, its name: from here on the deployment exists. */
export function finishDataFolder({ path, databaseFile }: Pick<DataFolder, "path" | "databaseFile">): void {
  failpoint("init: database made");
  // The names of the keys must be on disk before the name that says that everything is there.
  syncPath(path);
  renameDurably(join(path, UNFINISHED), join(path, databaseFile === null ? ON_SERVER : DATABASE));
  failpoint("init: database named");
}

/**
 * Reads a whole folder. Throws DataFolderError for any other state, with the next step for a person. `folders`: those
 * of the packages and of the archive, if they are not in this one. `orBetween`: a folder whose database is between two
 * places will do; its file of the database is not there.
 */
export function openDataFolder(
  path: string,
  { exportsFolder = null, archiveFolder = null }: Partial<FoldersElsewhere> = {},
  { orBetween = false }: { readonly orBetween?: boolean } = {},
): DataFolder {
  requireOwnFolder(path);
  const state = stateOf(path);
  if (state === "between" && !orBetween) throw cutOffBetween(path);
  if (state === "nothing")
    throw new DataFolderError(
      `${resolve(path)} holds no deployment. Make one with "init --origin <origin> --data ${path}"; a start that ` +
        `is still building makes one, too.`,
    );
  if (state === "unfinished")
    throw new DataFolderError(
      `The making of ${resolve(path)} was cut off, and nothing of it was handed out. Run "init" on it again.`,
    );
  if (state === "part") throw partly(path);
  const folder = readKeys(path);
  return {
    ...folder,
    exportsPath: exportsFolder ?? folder.exportsPath,
    archivePath: archiveFolder ?? folder.archivePath,
  };
}

function readKeys(path: string): DataFolder {
  return {
    path: resolve(path),
    databaseFile: existsSync(join(path, ON_SERVER)) ? null : join(path, DATABASE),
    markPath: join(path, PROGRESS),
    witnessMemoryPath: join(path, WITNESS_MEMORY),
    exportsPath: join(path, EXPORTS),
    archivePath: join(path, ARCHIVE),
    ...readPeppers(path),
  };
}

/** Returns a new pepper: 32 random bytes. */
export function newPepper(): Uint8Array {
  return randomBytes(PEPPER_BYTES);
}

/** Reads the peppers of a folder. Throws DataFolderError for a file that is not a pepper. */
export function readPeppers(path: string): Pick<DataFolder, "pepper" | "nextPepper"> {
  const read = (name: string) => {
    const bytes = readFileSync(join(path, name));
    if (bytes.length === PEPPER_BYTES) return bytes;
    throw new DataFolderError(`${join(path, name)} is not the file that svc-server made. Put the original back.`);
  };
  // The next one is read first: between two reads it may take the other's name, but never the other way round.
  let nextPepper: Uint8Array | null = null;
  try {
    nextPepper = read(NEXT_PEPPER);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return { pepper: read(PEPPER), nextPepper };
}

/** Undoes createDataFolder after a failure before anything was handed out. */
export function discardDataFolder(path: string): void {
  for (const name of [SIGNING_KEY, WITNESS_KEY, PEPPER, `${UNFINISHED}-wal`, `${UNFINISHED}-shm`])
    rmSync(join(path, name), { force: true });
  // The name that marks these files goes last, when they are gone from the disk.
  syncPath(path);
  rmSync(join(path, UNFINISHED), { force: true });
}

/** Replaces the file of the database, which has another name by then, by the file that says that it is on a server. */
export function sayOnServer(path: string): void {
  replaceFile(join(path, ON_SERVER), ON_SERVER_TEXT);
}

function cutOffBetween(path: string): DataFolderError {
  const how = existsSync(join(path, MOVING)) ? "--to-file" : "--to";
  return new DataFolderError(
    `The moving of the database of ${resolve(path)} was cut off at its end. Run "migrate-store ${how}" as ` +
      `before; it goes on.`,
  );
}

function partly(path: string): DataFolderError {
  if (existsSync(join(path, RESTORING)))
    return new DataFolderError(
      `A backup is being restored into ${resolve(path)}, or that was cut off. Run "restore" on it again.`,
    );
  if ([DATABASE, ON_SERVER].every((name) => existsSync(join(path, name))))
    return new DataFolderError(
      `${resolve(path)} holds a database, ${DATABASE}, and says that its database is on a server, ${ON_SERVER}. ` +
        `Take the one away that is not meant.`,
    );
  const missing = [...FILES, ...(existsSync(join(path, ON_SERVER)) ? [] : [DATABASE])]
    .filter((name) => !existsSync(join(path, name)))
    .join(", ");
  return new DataFolderError(
    `${resolve(path)} holds only a part of a deployment; missing: ${missing}. Put the missing files back from a ` +
      `backup; evidence may already be sealed with what is here. For a new deployment choose another folder with ` +
      `--data.`,
  );
}

function writeOnce(path: string, content: string | Uint8Array): void {
  writeFileSync(path, content, { flag: "wx", mode: OWNER_ONLY_FILE, flush: true });
}
