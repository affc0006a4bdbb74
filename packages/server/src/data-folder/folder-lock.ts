/**
 * One server for one folder, one maker for one backup. Two servers would not fork a stream, since heads move by
 * compare-and-set, but nobody means to run two. The operating system releases a lock with the process, however that
 * ends.
 */
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { OWNER_ONLY_FILE } from "@svc/host/durable-file";
import { failpoint } from "@svc/host/failpoint";
import { DataFolderError } from "./data-folder.ts";

/** The file of a data folder that is locked. */
export const SERVER_LOCK = "server.lock";

/**
 * Takes the folder's lock, and returns a function that releases it. Throws DataFolderError if another process has it.
 */
export function lockFolder(path: string): () => void {
  return lockFile(
    join(path, SERVER_LOCK),
    `Another svc-server serves ${path}, or is just making it. Stop it first, or start this one on another folder ` +
      `with --data.`,
  );
}

/**
 * Takes the lock of a file, which is made if it is missing, and returns a function that releases it. Throws
 * DataFolderError with the refusal if another process has it.
 */
export function lockFile(file: string, refusal: string): () => void {
  // SQLite would make the file readable by others. An existing file is not opened here: closing it would release a
  // lock.
  if (existsSync(file)) chmodSync(file, OWNER_ONLY_FILE);
  else writeFileSync(file, "", { mode: OWNER_ONLY_FILE });
  failpoint("lock: file made");
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    // Nothing is ever written: a journal would only be left beside it.
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (!/locked|busy/i.test((error as Error).message)) throw error;
    throw new DataFolderError(refusal);
  }
  return () => lock.close();
}
