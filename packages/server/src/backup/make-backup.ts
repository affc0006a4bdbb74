/**
 * A backup: a folder with a consistent copy of the database and a manifest, made beside the running server. It has its name only once all of it
 * is on disk. Private keys are in it only where a passphrase is given, and then sealed.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Kernel, VERSION } from "@svc/core";
import { type Clock, serviceTime } from "../clock.ts";
import { DATABASE, type DataFolder, DataFolderError } from "../data-folder.ts";
import { OWNER_ONLY_FOLDER, renameDurably, replaceFile, syncPath } from "../durable-file.ts";
import { reached } from "../steps.ts";
import { copySqlite } from "../store/copy-sqlite.ts";
import { Connection } from "../store/sqlite-connection.ts";
import { serviceRow, signingKeys } from "../tenancy/service-store.ts";
import { contentsOf } from "./contents-store.ts";
import { type BackupManifest, fileEntry, MANIFEST, SEALED_KEYS } from "./manifest.ts";
import { readKeyFiles, sealKeys } from "./sealed-keys.ts";

export interface BackupOptions {
  /** What the backup is to be called: a folder that is not there yet. */
  readonly to: string;
  /** With it the private keys go along, sealed; null: they stay away. */
  readonly passphrase: string | null;
  readonly kernel: Kernel;
  readonly clock: Clock;
}

/** Makes it, and answers its manifest. Throws DataFolderError where the name is taken. */
export async function makeBackup(folder: DataFolder, options: BackupOptions): Promise<BackupManifest> {
  const { to } = options;
  if (existsSync(to))
    throw new DataFolderError(`${to} is there already. Name a folder that is not, such as ${join(to, "2026-03-01")}.`);
  const unfinished = `${to}.unfinished`;
  discard(unfinished);
  mkdirSync(dirname(to), { recursive: true });
  mkdirSync(unfinished, { mode: OWNER_ONLY_FOLDER });
  try {
    reached("backup: begun");
    const manifest = await fill(unfinished, folder, options);
    renameDurably(unfinished, to);
    reached("backup: named");
    return manifest;
  } catch (error) {
    discard(unfinished);
    throw error;
  }
}

async function fill(into: string, folder: DataFolder, { passphrase, clock }: BackupOptions): Promise<BackupManifest> {
  const created_at = serviceTime(clock());
  copySqlite(folder.databasePath, join(into, DATABASE));
  reached("backup: database copied");
  const said = await describe(join(into, DATABASE));
  // After the database: keys that are newer than it lead on, older ones do not.
  if (passphrase !== null) replaceFile(join(into, SEALED_KEYS), sealKeys(readKeyFiles(folder.path), passphrase));
  reached("backup: keys sealed");
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
  reached("backup: manifest written");
  return manifest;
}

/** What the copy holds, not what the database holds by now. */
async function describe(databasePath: string) {
  const reader = new Connection(databasePath, { timeout: 0, readOnly: true });
  try {
    return {
      origin: (await serviceRow(reader))?.evidence_origin ?? "",
      signing_keys: await signingKeys(reader),
      ...(await contentsOf(reader)),
    };
  } finally {
    reader.close();
  }
}

/** Takes away what a backup that was cut off has left. Throws DataFolderError for a folder that holds anything else. */
function discard(unfinished: string): void {
  if (!existsSync(unfinished)) return;
  const ours = [DATABASE, MANIFEST, SEALED_KEYS];
  const others = readdirSync(unfinished).filter((name) => !ours.some((own) => name.startsWith(own)));
  if (others.length > 0) throw new DataFolderError(`${unfinished} holds ${others[0]}, which no backup has left there.`);
  rmSync(unfinished, { recursive: true });
}
