/**
 * Room on the disk that a spool keeps for itself: events that leave are recorded by writing, too, and a disk that the waiting events have filled would
 * otherwise keep them for ever.
 */
import { existsSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";

/** What some hundred batches take. */
const BYTES = 256 * 1024;

export class Reserve {
  readonly #path: string;
  #isThere = false;

  constructor(folder: string) {
    this.#path = join(folder, "spool.reserve");
  }

  /** Takes the room, where it is not taken. Throws what the file system throws, and leaves nothing then. */
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

  /** Gives the room back; whether there was any. */
  release(): boolean {
    const wasThere = existsSync(this.#path);
    rmSync(this.#path, { force: true });
    this.#isThere = false;
    return wasThere;
  }
}
