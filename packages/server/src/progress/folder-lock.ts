/**
 * One server for one folder. Two would not fork a stream, since heads move by compare-and-set, but nobody means to run two. The lock is one that
 * the operating system ends with the process, however it ends.
 */
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DataFolderError } from "../data-folder.ts";
import { OWNER_ONLY_FILE } from "../durable-file.ts";

/** Takes the folder's lock, and answers what gives it back. Throws DataFolderError where another process has it. */
export function lockFolder(path: string): () => void {
  const file = join(path, "server.lock");
  // SQLite would make it readable by others, and makes its journal like it. A file that is there is not opened: closing it would end a lock.
  if (existsSync(file)) chmodSync(file, OWNER_ONLY_FILE);
  else writeFileSync(file, "", { mode: OWNER_ONLY_FILE });
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (!/locked|busy/i.test((error as Error).message)) throw error;
    throw new DataFolderError(
      `Another svc-server serves ${path}, or is just making it. Stop it first, or start this one on another folder with --data.`,
    );
  }
  return () => lock.close();
}
