/**
 * Whether an event could be recorded now: a page is really written, since a transaction that changes nothing passes on a full disk too. Anybody may
 * ask, so that all who ask within a second share one answer, and one wait for the disk.
 */
import type { Database } from "@svc/host/store";
import { countReady } from "./readiness-store.ts";

/** For how long an answer stands. */
const SHARED_MS = 1_000;

export class Readiness {
  readonly #database: Pick<Database, "write">;
  readonly #now: () => number;
  #asked: { readonly at: number; readonly answer: Promise<void> } | null = null;

  constructor(database: Pick<Database, "write">, now: () => number = () => performance.now()) {
    this.#database = database;
    this.#now = now;
  }

  /** Throws what the store throws where nothing can be written. */
  check(): Promise<void> {
    const now = this.#now();
    if (this.#asked === null || now - this.#asked.at >= SHARED_MS)
      this.#asked = { at: now, answer: this.#database.write(countReady) };
    return this.#asked.answer;
  }
}
