/** One queue for one spool. The operating system releases the lock with the process, however that ends. */
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { QueueError } from "../queue/index.ts";

/**
 * Takes the folder's lock, and resolves to a function that releases it. Throws QueueError `spool_in_use` if another
 * queue has it.
 */
export async function lockSpool(folder: string): Promise<() => void> {
  const file = join(folder, "spool.lock");
  // SQLite would make the file readable by others, and its journal like it. An existing file is not opened here:
  // closing it would release a lock.
  if (existsSync(file)) chmodSync(file, 0o600);
  else writeFileSync(file, "", { mode: 0o600 });
  const { DatabaseSync } = await import("node:sqlite").catch((cause: unknown) => {
    throw new QueueError(
      "spool_failed",
      "A file spool is locked by node:sqlite, which this runtime does not have.",
      cause,
    );
  });
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (!/locked|busy/i.test((error as Error).message)) throw error;
    throw new QueueError(
      "spool_in_use",
      `Another queue has the spool ${folder}. Close it first, or use another folder.`,
    );
  }
  return () => lock.close();
}
