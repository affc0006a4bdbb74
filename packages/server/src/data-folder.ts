/**
 * The data folder: two private keys, the pepper and the database, readable by their owner only. Knows files and their modes; what is
 * in the database is made in initialize.ts.
 */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { newSigningKeyPem } from "./keys/file-signer.ts";

const SIGNING_KEY = "signing-key.pem";
const WITNESS_KEY = "witness-key.pem";
const PEPPER = "pepper";
const DATABASE = "svc.db";
const FILES = [SIGNING_KEY, WITNESS_KEY, PEPPER, DATABASE] as const;
const PEPPER_BYTES = 32;
const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;

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
  readonly signingKeyPem: string;
  readonly witnessKeyPem: string;
  readonly pepper: Uint8Array;
}

/** Whether the folder holds all of a deployment, nothing of it, or only a part. */
export function stateOf(path: string): "whole" | "nothing" | "part" {
  const there = FILES.filter((name) => existsSync(join(path, name)));
  if (there.length === 0) return "nothing";
  return there.length === FILES.length ? "whole" : "part";
}

/** Makes the folder with fresh keys, and the place for the database. Refuses a folder that holds any of these files. */
export function createDataFolder(path: string): DataFolder {
  const state = stateOf(path);
  if (state === "whole")
    throw new DataFolderError(
      `${resolve(path)} is already initialised. Start it with "start --data ${path}", make a key with "keys create --data ${path}", or choose another folder with --data.`,
    );
  if (state === "part") throw partly(path);
  mkdirSync(path, { recursive: true, mode: OWNER_ONLY_FOLDER });
  writeOnce(join(path, SIGNING_KEY), newSigningKeyPem());
  writeOnce(join(path, WITNESS_KEY), newSigningKeyPem());
  writeOnce(join(path, PEPPER), randomBytes(PEPPER_BYTES));
  writeOnce(join(path, DATABASE), "");
  return openDataFolder(path);
}

/** Reads the keys of a folder that is whole. */
export function openDataFolder(path: string): DataFolder {
  const state = stateOf(path);
  if (state === "nothing")
    throw new DataFolderError(
      `${resolve(path)} holds no deployment. Make one with "init --origin <origin> --data ${path}".`,
    );
  if (state === "part") throw partly(path);
  const pepper = readFileSync(join(path, PEPPER));
  if (pepper.length !== PEPPER_BYTES)
    throw new DataFolderError(`${join(path, PEPPER)} is not the file that was made at init. Put the original back.`);
  return {
    path: resolve(path),
    databasePath: join(path, DATABASE),
    signingKeyPem: readFileSync(join(path, SIGNING_KEY), "utf8"),
    witnessKeyPem: readFileSync(join(path, WITNESS_KEY), "utf8"),
    pepper,
  };
}

/** Takes back what createDataFolder made, after a failure before anything was handed out. */
export function discardDataFolder(path: string): void {
  for (const name of [...FILES, `${DATABASE}-wal`, `${DATABASE}-shm`]) rmSync(join(path, name), { force: true });
}

function partly(path: string): DataFolderError {
  const missing = FILES.filter((name) => !existsSync(join(path, name))).join(", ");
  return new DataFolderError(
    `${resolve(path)} holds only a part of a deployment; missing: ${missing}. Put the missing files back from a backup, or choose another folder with --data.`,
  );
}

function writeOnce(path: string, content: string | Uint8Array): void {
  writeFileSync(path, content, { flag: "wx", mode: OWNER_ONLY_FILE, flush: true });
}
