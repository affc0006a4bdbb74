/** Files that are there whole or not at all, whenever the machine stops: written beside their name, synced, renamed, and their folder synced. */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** The mode of every file that the server makes. */
export const OWNER_ONLY_FILE = 0o600;
/** The mode of every folder that it makes. */
export const OWNER_ONLY_FOLDER = 0o700;

/** Writes a file, in the place of one of that name. */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const unfinished = `${path}.unfinished`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, content, { flag: "wx", mode: OWNER_ONLY_FILE, flush: true });
  renameDurably(unfinished, path);
}

/** Gives a file or folder another name, in the same folder. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  syncPath(dirname(to));
}

/** Makes a folder closed to others, with those that it is in, and waits until their names are on disk; one that is there stays as it is. */
export function makeFolderDurably(path: string): void {
  const made = mkdirSync(path, { recursive: true, mode: OWNER_ONLY_FOLDER });
  if (made === undefined) return;
  const first = resolve(made);
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    syncPath(dirname(folder));
    if (folder === first) return;
  }
}

/** Waits until what was written to a file, or the names in a folder, are on disk. */
export function syncPath(path: string): void {
  const opened = openSync(path, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
