/**
 * A file beside the database that only takes room: SQLite cannot open a database on a full disk, since it makes another
 * file first. A start gives the reserve up for that, so that reading continues, and takes it again when there is room.
 */
import { randomBytes } from "node:crypto";
import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OWNER_ONLY_FILE } from "@svc/host/durable-file";

/** The file of the reserve. */
export const RESERVE = "reserve";
/** SQLite's own file has 32 KiB for each 16 MiB of the write-ahead log, and a few pages of the log need room too. */
export const RESERVE_BYTES = 1024 * 1024;
const RETRY_MS = 30_000;

/** The reserve of one folder. */
export class Reserve {
  readonly #path: string;
  #timer: NodeJS.Timeout | null = null;

  constructor(folder: string) {
    this.#path = join(folder, RESERVE);
  }

  /** Frees its room for the next one that needs it. Throws the file system's error. */
  giveUp(): void {
    rmSync(this.#path, { force: true });
  }

  /** Takes the room, now or when there is room again. Returns whether it has the room now. */
  take(): boolean {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#tryTake()) return true;
    this.#timer = setTimeout(() => this.take(), RETRY_MS).unref();
    return false;
  }

  /** Takes the room once more, because SQLite's file is gone by then, and stops waiting for it. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#tryTake();
  }

  /** Frees the room; a disk that fails is tried again later, like a full one. */
  #tryGiveUp(): void {
    try {
      this.giveUp();
    } catch {
      // The next attempt tries it again.
    }
  }

  #tryTake(): boolean {
    try {
      if (hasReserve(this.#path)) return true;
      // Random bytes, because no file system can compress them.
      writeFileSync(this.#path, randomBytes(RESERVE_BYTES), { mode: OWNER_ONLY_FILE, flush: true });
      return true;
    } catch {
      // A partial file would take the room that others need now.
      this.#tryGiveUp();
      return false;
    }
  }
}

/** Returns whether a file is the whole reserve. */
export function hasReserve(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === RESERVE_BYTES;
}
