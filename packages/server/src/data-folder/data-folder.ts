/**
 * The data folder: the witness's key, the pepper and the database, readable by their owner only, and the sealing key where it is kept in a file
 * (keys/file-keys.ts). The database gets its name last, so a folder either holds a finished deployment or one that never handed anything out.
 * What is in the database is made in initialize.ts.
 */
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeFolderDurably, OWNER_ONLY_FILE, OWNER_ONLY_FOLDER, renameDurably, syncPath } from "@svc/host/durable-file";
import { failpoint } from "@svc/host/failpoint";

export const SIGNING_KEY = "signing-key.pem";
/** The sealing key to come, during a rotation. */
export const NEXT_SIGNING_KEY = "signing-key.next.pem";
export const WITNESS_KEY = "witness-key.pem";
export const PEPPER = "pepper";
export const DATABASE = "svc.db";
export const PROGRESS = "progress.json";
const EXPORTS = "exports";
/** The database while a deployment is being made; made first and renamed last. */
const UNFINISHED = "svc.db.unfinished";
/** The database while a backup is being restored; made first and renamed last, too. */
export const RESTORING = "svc.db.restoring";
/** What every deployment has here; the sealing key may be kept elsewhere. */
const FILES = [WITNESS_KEY, PEPPER, DATABASE] as const;
/** What nobody else may ever have read. */
const PRIVATE: readonly string[] = [SIGNING_KEY, NEXT_SIGNING_KEY, WITNESS_KEY, PEPPER];
const PEPPER_BYTES = 32;
const MODE = 0o777;

/** A folder that cannot be used, and what to do about it. */
export class DataFolderError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DataFolderError";
  }
}

export interface DataFolder {
  readonly path: string;
  readonly databasePath: string;
  /** What the server remembers beside its database; not there before the first event. */
  readonly markPath: string;
  /** The folder of the packages of exports; not there before the first one. */
  readonly exportsPath: string;
  readonly witnessKeyPem: string;
  readonly pepper: Uint8Array;
}

/** Whether the folder holds all of a deployment, nothing of it, one whose making was cut off, or only a part. */
export function stateOf(path: string): "whole" | "nothing" | "unfinished" | "part" {
  const there = FILES.filter((name) => existsSync(join(path, name)));
  if (there.length === FILES.length) return "whole";
  if (existsSync(join(path, UNFINISHED)) && !there.includes(DATABASE)) return "unfinished";
  // A sealing key alone has an identity already, under which evidence may stand; and what is being restored is not to be made anew.
  const isUsed = there.length > 0 || [SIGNING_KEY, RESTORING].some((name) => existsSync(join(path, name)));
  return isUsed ? "part" : "nothing";
}

/** The permissions of a mode, as `0640`. */
export function octal(mode: number): string {
  return (mode & MODE).toString(8).padStart(4, "0");
}

/** Refuses what is no folder, and one of another user: what a process makes there would be closed to the server, also where root made it. */
export function requireOwnFolder(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (!there.isDirectory()) throw new DataFolderError(`${resolve(path)} is no folder. Name another with --data.`);
  const user = process.geteuid?.();
  if (user !== undefined && user !== there.uid)
    throw new DataFolderError(
      `${resolve(path)} belongs to user ${there.uid}, and this is user ${user}. Run it as the folder's user, such as with sudo -u '#${there.uid}', or give folder and files to this one with chown -R.`,
    );
}

/**
 * Closes to others the folder and what is in it, payloads among it, and tells of each that was open. A start is not refused for it, as it is for keys: an
 * earlier release took such a folder, and no key need be changed. Keys are left for requirePrivateFiles.
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

/** Refuses private files that others may read: whoever read a key seals with it as well. */
export function requirePrivateFiles(path: string): void {
  // There the mode says nothing.
  if (process.platform === "win32") return;
  for (const name of PRIVATE) {
    const file = join(path, name);
    const { mode } = statSync(file, { throwIfNoEntry: false }) ?? { mode: OWNER_ONLY_FILE };
    if ((mode & MODE & ~OWNER_ONLY_FILE) !== 0)
      throw new DataFolderError(
        `${name} has mode ${octal(mode)}: others may read it. Run chmod 0600 ${file}; if anybody else could reach it, docs/operations.md says what to do when a key is stolen.`,
      );
  }
}

/** Makes the folder itself, closed to others. Throws DataFolderError for one that holds a deployment or a part of one. */
export function prepareDataFolder(path: string): void {
  requireOwnFolder(path);
  requireUnmade(path);
  makeOwnFolder(path);
}

/** Makes a folder closed to others, or closes one that is there. Throws DataFolderError for one of another user. */
export function makeOwnFolder(path: string): void {
  requireOwnFolder(path);
  makeFolderDurably(path);
  chmodSync(path, OWNER_ONLY_FOLDER);
}

function requireUnmade(path: string): void {
  const state = stateOf(path);
  if (state === "whole")
    throw new DataFolderError(
      `${resolve(path)} is already initialised. Start it with "start --data ${path}", make a key with "keys create --data ${path}", or choose another folder with --data.`,
    );
  if (state === "part") throw partly(path);
}

/**
 * Makes a fresh witness key and pepper in a folder that was prepared, and a database that has not its name yet. Refuses a folder that holds a deployment or a part of
 * one; `newKeyPem` makes a private key as PEM. What an earlier making left that was cut off is thrown away, since nothing of it was ever handed out.
 */
export function createDataFolder(path: string, newKeyPem: () => string): DataFolder {
  requireUnmade(path);
  if (stateOf(path) === "unfinished") discardDataFolder(path);
  writeOnce(join(path, UNFINISHED), "");
  // Its name says that what else is here was never handed out: it must be on disk before any of it is.
  syncPath(path);
  writeOnce(join(path, WITNESS_KEY), newKeyPem());
  writeOnce(join(path, PEPPER), randomBytes(PEPPER_BYTES));
  failpoint("init: keys written");
  return { ...readKeys(path), databasePath: join(path, UNFINISHED) };
}

/** Gives the closed database its name: from here on the deployment exists. */
export function finishDataFolder(path: string): void {
  failpoint("init: database made");
  // The names of the keys before the name that says that all is there.
  syncPath(path);
  renameDurably(join(path, UNFINISHED), join(path, DATABASE));
  failpoint("init: database named");
}

/** Reads a folder that is whole. */
export function openDataFolder(path: string): DataFolder {
  requireOwnFolder(path);
  const state = stateOf(path);
  if (state === "nothing")
    throw new DataFolderError(
      `${resolve(path)} holds no deployment. Make one with "init --origin <origin> --data ${path}".`,
    );
  if (state === "unfinished")
    throw new DataFolderError(
      `The making of ${resolve(path)} was cut off, and nothing of it was handed out. Run "init" on it again.`,
    );
  if (state === "part") throw partly(path);
  return readKeys(path);
}

function readKeys(path: string): DataFolder {
  const pepper = readFileSync(join(path, PEPPER));
  if (pepper.length !== PEPPER_BYTES)
    throw new DataFolderError(`${join(path, PEPPER)} is not the file that was made at init. Put the original back.`);
  return {
    path: resolve(path),
    databasePath: join(path, DATABASE),
    markPath: join(path, PROGRESS),
    exportsPath: join(path, EXPORTS),
    witnessKeyPem: readFileSync(join(path, WITNESS_KEY), "utf8"),
    pepper,
  };
}

/** Takes back what createDataFolder made, after a failure before anything was handed out. */
export function discardDataFolder(path: string): void {
  for (const name of [SIGNING_KEY, WITNESS_KEY, PEPPER, `${UNFINISHED}-wal`, `${UNFINISHED}-shm`])
    rmSync(join(path, name), { force: true });
  // The name that says what these are goes when they are gone from the disk.
  syncPath(path);
  rmSync(join(path, UNFINISHED), { force: true });
}

function partly(path: string): DataFolderError {
  if (existsSync(join(path, RESTORING)))
    return new DataFolderError(
      `A backup is being restored into ${resolve(path)}, or that was cut off. Run "restore" on it again.`,
    );
  const missing = FILES.filter((name) => !existsSync(join(path, name))).join(", ");
  return new DataFolderError(
    `${resolve(path)} holds only a part of a deployment; missing: ${missing}. Put the missing files back from a backup; evidence may already stand under what is here. For a new deployment choose another folder with --data.`,
  );
}

function writeOnce(path: string, content: string | Uint8Array): void {
  writeFileSync(path, content, { flag: "wx", mode: OWNER_ONLY_FILE, flush: true });
}
