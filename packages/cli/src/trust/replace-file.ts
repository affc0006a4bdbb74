/**
 * Replaces a file as a whole: a reader, even after a crash, finds the old content or the new one and never a part. It
 * does not lock; see lock.ts.
 */
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import process from "node:process";

/** Only its owner may read a new file: it says whom a person trusts. */
const NEW_FILE_MODE = 0o600;

/**
 * Returns the real place of a file: it follows a symbolic link, so that the file is replaced and not the link. It makes
 * the folder of a new file.
 */
export function placeToWrite(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return path;
  }
}

/**
 * Puts `text` in the place of a file, which keeps its mode; only its owner can read a new one. Throws the errors of the
 * system.
 */
export function replaceFile(path: string, text: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? NEW_FILE_MODE;
  const temporary = `${path}.tmp`;
  // Under the lock nobody else writes it: an existing one was left by a crash.
  rmSync(temporary, { force: true });
  const file = openSync(temporary, "wx", NEW_FILE_MODE);
  try {
    try {
      fchmodSync(file, mode & 0o777);
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/** Puts the new name on disk too. Windows cannot open a folder, and does not need this. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const file = openSync(folder, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
