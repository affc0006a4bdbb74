/**
 * Checkpoints: the pages of the write-ahead log are moved into the database file by a thread with its own connection,
 * since that takes tens of milliseconds in which nothing could be recorded. Only the few pages that come meanwhile are
 * moved between two transactions, so that the log begins anew.
 */
import { Worker } from "node:worker_threads";
import type { Checkpoint, Connection } from "./sqlite-connection.ts";

/** The size of the log, in pages of the database, as a multiple of the usual one, at which no thread is waited for. */
const MOST_LOGS = 4;
/** The part of the usual size after which a checkpoint is tried again: a reader's snapshot may hold back pages. */
const AGAIN = 1 / 4;
/** The part of the usual size that may be moved between two transactions. */
const LAST = 1 / 16;
/** The program is beside this file; in a built server, beside the program. */
const THREAD = new URL(`./checkpoint-thread.${import.meta.url.endsWith(".ts") ? "ts" : "mjs"}`, import.meta.url);

/** The end of a thread's checkpoint: SQLite's result code and message if it failed. */
export interface Checkpointed {
  readonly fault: { readonly errcode: unknown; readonly message: string } | null;
}

/** The checkpoints of a database, as its writing connection sees them. */
export class SqliteCheckpoints {
  readonly #path: string;
  readonly #writer: Connection;
  readonly #pages: number;
  readonly #onFault: (fault: unknown) => void;
  #thread: Worker | null = null;
  #stage: "watching" | "moving" | "moved" = "watching";
  /** The size of the log at which the next checkpoint is due. */
  #dueAt: number;

  /** `pages`: the usual size of the log at which it is moved. `onFault` gets the failure of a checkpoint. */
  constructor(path: string, writer: Connection, pages: number, onFault: (fault: unknown) => void) {
    this.#path = path;
    this.#writer = writer;
    this.#pages = pages;
    this.#onFault = onFault;
    this.#dueAt = pages;
  }

  /** Looks at the log after a commit; no transaction may be open. */
  look(): void {
    if (this.#stage === "moving") return;
    const isMoved = this.#stage === "moved";
    this.#stage = "watching";
    try {
      this.#lookAt(this.#writer.checkpoint("NOOP"), isMoved);
    } catch (error) {
      this.#onFault(error);
    }
  }

  /** `isMoved`: whether the thread has just moved what it could. */
  #lookAt({ log, checkpointed }: Checkpoint, isMoved: boolean): void {
    if (log < this.#pages) {
      this.#dueAt = this.#pages;
      return;
    }
    if (!isMoved && log < this.#dueAt) return;
    this.#dueAt = log + AGAIN * this.#pages;
    const isRest = isMoved && log - checkpointed <= LAST * this.#pages;
    if (isRest || log >= MOST_LOGS * this.#pages) this.#writer.checkpoint("PASSIVE");
    else if (!isMoved) this.#moveOnThread();
  }

  /** Ends the thread when it has finished. */
  async close(): Promise<void> {
    const thread = this.#thread;
    if (thread === null) return;
    const ended = new Promise((resolve) => thread.once("exit", resolve));
    thread.ref();
    thread.postMessage(null);
    await ended;
  }

  #moveOnThread(): void {
    try {
      this.#thread ??= this.#start();
    } catch {
      // The system refuses a thread: the next one is tried when the log has grown.
      return;
    }
    this.#stage = "moving";
    this.#thread.postMessage(LAST * this.#pages);
  }

  #start(): Worker {
    // The runtime erases types itself: a loader would only cost memory there.
    const thread = new Worker(THREAD, { execArgv: [], workerData: this.#path });
    // A checkpoint that is cut off is as good as none, so the thread keeps no process alive.
    thread.unref();
    thread.on("message", ({ fault }: Checkpointed) => {
      this.#stage = "moved";
      if (fault !== null) this.#onFault(fault);
    });
    thread.on("error", () => undefined);
    thread.once("exit", () => {
      this.#thread = null;
      this.#stage = "watching";
    });
    return thread;
  }
}
