/**
 * One server for one folder. Two would not fork a stream, since heads move by compare-and-set, but nobody means to run two. The lock is one that
 * the operating system ends with the process, however it ends.
 */
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DataFolderError } from "../data-folder.ts";

/** Takes the folder's lock, and answers what gives it back. Throws DataFolderError where another process has it. */
export function lockFolder(path: string): () => void {
  const file = join(path, "server.lock");
  // SQLite would let others read it; its journal beside it gets the same mode.
  closeSync(openSync(file, "a", 0o600));
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (!/locked|busy/i.test((error as Error).message)) throw error;
    throw new DataFolderError(
      `Another svc-server serves ${path}. Stop it first, or start this one on another folder with --data.`,
    );
  }
  return () => lock.close();
}
