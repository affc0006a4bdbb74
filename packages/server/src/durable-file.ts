/** Files that are there whole or not at all, whenever the machine stops: written beside their name, synced, renamed, and their folder synced. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

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

/** Waits until what was written to a file, or the names in a folder, are on disk. */
export function syncPath(path: string): void {
  const opened = openSync(path, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
