/**
 * A file beside the database that only takes room: SQLite cannot open a database on a full disk, since it makes a file of its own first. A start gives
 * the reserve up for that, so that reading goes on, and takes it again when there is room.
 */
import { randomBytes } from "node:crypto";
import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OWNER_ONLY_FILE } from "@svc/host/durable-file";

export const RESERVE = "reserve";
/** SQLite's own file has 32 KiB for each 16 MiB of the write-ahead log, and a few pages of the log go beside it. */
export const RESERVE_BYTES = 1024 * 1024;
const RETRY_MS = 30_000;

export class Reserve {
  readonly #path: string;
  #timer: NodeJS.Timeout | null = null;

  constructor(folder: string) {
    this.#path = join(folder, RESERVE);
  }

  /** Gives its room to whoever asks for it next. */
  giveUp(): void {
    rmSync(this.#path, { force: true });
  }

  /** Takes it, now or when there is room again. Answers whether it has it now. */
  take(): boolean {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#tryTake()) return true;
    this.#timer = setTimeout(() => this.take(), RETRY_MS).unref();
    return false;
  }

  /** Takes it once more, where what SQLite had is free again, and waits no longer for room. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#tryTake();
  }

  /** A disk that fails is tried again later, as a full one is. */
  #tryGiveUp(): void {
    try {
      this.giveUp();
    } catch {
      // Tried again with the next.
    }
  }

  #tryTake(): boolean {
    try {
      if (hasReserve(this.#path)) return true;
      // No file system makes less of it than it is.
      writeFileSync(this.#path, randomBytes(RESERVE_BYTES), { mode: OWNER_ONLY_FILE, flush: true });
      return true;
    } catch {
      // A part of it would be in the way of what wants the room now.
      this.#tryGiveUp();
      return false;
    }
  }
}

/** Whether a file is the reserve, whole. */
export function hasReserve(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === RESERVE_BYTES;
}
