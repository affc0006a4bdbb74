/**
 * Files that are whole or absent whenever the machine stops: a file is written under another name, synced and renamed,
 * and then its folder is synced.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** The mode of every file that a program makes. */
export const OWNER_ONLY_FILE = 0o600;
/** The mode of every folder that a program makes. */
export const OWNER_ONLY_FOLDER = 0o700;

/** Writes a file durably, and replaces one of the same name. Returns when it is on disk. */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const unfinished = `${path}.unfinished`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, content, { flag: "wx", mode: OWNER_ONLY_FILE, flush: true });
  renameDurably(unfinished, path);
}

/** Renames a file or folder within its folder, and returns when the new name is on disk. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  syncPath(dirname(to));
}

/**
 * Makes a folder that is closed to other users, with its missing parents, and returns when their names are on disk. An
 * existing folder stays as it is.
 */
export function makeFolderDurably(path: string): void {
  const made = mkdirSync(path, { recursive: true, mode: OWNER_ONLY_FOLDER });
  if (made === undefined) return;
  const first = resolve(made);
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    syncPath(dirname(folder));
    if (folder === first) return;
  }
}

/** Returns when the bytes written to a file, or the names in a folder, are on disk. */
export function syncPath(path: string): void {
  const opened = openSync(path, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
