/**
 * Room on the disk that a spool keeps for itself: leaving events are recorded by writing too, and a disk full of
 * waiting events would otherwise keep them for ever.
 */
import { existsSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";

/** Room for some hundred batches. */
const BYTES = 256 * 1024;

export class Reserve {
  readonly #path: string;
  #isThere = false;

  constructor(folder: string) {
    this.#path = join(folder, "spool.reserve");
  }

  /** Takes the room, if it is not taken. Throws the file system's error, and leaves nothing behind then. */
  async take(): Promise<void> {
    this.#isThere ||= statSync(this.#path, { throwIfNoEntry: false })?.size === BYTES;
    if (this.#isThere) return;
    try {
      const file = await open(this.#path, "w", 0o600);
      try {
        await file.writeFile(Buffer.alloc(BYTES));
        await file.datasync();
      } finally {
        await file.close();
      }
    } catch (error) {
      this.release();
      throw error;
    }
    this.#isThere = true;
  }

  /** Releases the room, and returns whether there was any. */
  release(): boolean {
    const wasThere = existsSync(this.#path);
    rmSync(this.#path, { force: true });
    this.#isThere = false;
    return wasThere;
  }
}
