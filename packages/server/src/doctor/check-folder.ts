/** The data folder: its permissions, its lock, its place, and its reserve. */
import { existsSync, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Finding, fail, ok, warn } from "@svc/host/checks";
import { OWNER_ONLY_FILE, OWNER_ONLY_FOLDER } from "@svc/host/durable-file";
import { type DataFolder, DataFolderError, octal } from "../data-folder/data-folder.ts";
import { lockFolder } from "../data-folder/folder-lock.ts";
import { findPlace, PLACE } from "../data-folder/place.ts";
import { hasReserve, RESERVE, RESERVE_BYTES } from "../data-folder/reserve.ts";
import type { KeySettings } from "../signing/key-settings.ts";

const PERMISSIONS = 0o777;

/**
 * Returns a failure for each file that others than the owner may use, and a warning for a readable file with the PIN of
 * a token.
 */
export function checkPermissions({ path }: DataFolder, keySettings: KeySettings): Finding[] {
  const folder = lstatSync(path);
  const found: Finding[] = [];
  if ((folder.mode & PERMISSIONS & ~OWNER_ONLY_FOLDER) !== 0)
    found.push(fail("permissions", `${path} has mode ${octal(folder.mode)}. Run: chmod 0700 ${path}`));
  for (const name of readdirSync(path, { recursive: true, encoding: "utf8" })) {
    const entry = lstatSync(join(path, name));
    const { mode, uid } = entry;
    const wanted = entry.isDirectory() ? OWNER_ONLY_FOLDER : OWNER_ONLY_FILE;
    if ((mode & PERMISSIONS & ~wanted) !== 0)
      found.push(
        fail("permissions", `${name} has mode ${octal(mode)}. Run: chmod ${octal(wanted)} ${join(path, name)}`),
      );
    if (uid !== folder.uid)
      found.push(warn("permissions", `${name} belongs to user ${uid}, and the folder to ${folder.uid}. Run: chown.`));
  }
  const pinFile = keySettings.kind === "pkcs11" ? keySettings.pinFile : null;
  const pinMode = pinFile === null ? OWNER_ONLY_FILE : (statSync(pinFile, { throwIfNoEntry: false })?.mode ?? 0);
  if ((pinMode & PERMISSIONS & ~OWNER_ONLY_FILE) !== 0)
    found.push(warn("permissions", `${pinFile}, with the PIN, has mode ${octal(pinMode)}. Run: chmod 0600 ${pinFile}`));
  return found.length > 0 ? found : [ok("permissions", `${path} and its files are their owner's only`)];
}

/** Returns whether a server, or another process that must be alone, has the folder now. */
export function isServed(path: string): boolean {
  try {
    lockFolder(path)();
    return false;
  } catch (error) {
    if (error instanceof DataFolderError) return true;
    throw error;
  }
}

/** Returns the finding about the lock. */
export function describeLock(served: boolean): Finding[] {
  return [ok("lock", served ? "a server runs on this folder" : "no server runs on this folder")];
}

/**
 * Returns a warning if the folder is elsewhere than at the last start, and nothing for one whose database is on a
 * server: copies of that are in use beside each other.
 */
export function checkPlace({ path, databaseFile }: DataFolder): Finding[] {
  if (databaseFile === null) return [];
  const { moved } = findPlace(path, databaseFile);
  return [moved === null ? ok("place", "the folder is where it was at the last start") : warn("place", moved)];
}

/** Returns the finding about the file that makes a start possible on a full disk. */
export function checkReserve({ path, databaseFile }: DataFolder): Finding[] {
  if (databaseFile === null) return [];
  const file = join(path, RESERVE);
  if (!existsSync(file) && !existsSync(join(path, PLACE))) return [ok("reserve", "the first start makes it")];
  return [
    hasReserve(file)
      ? ok("reserve", `${RESERVE_BYTES / 1024} KiB are kept for a start on a full disk`)
      : warn("reserve", `${file} is not there, so that a start on a full disk fails. The next start makes it.`),
  ];
}
