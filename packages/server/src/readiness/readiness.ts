/**
 * Checks whether an event could be recorded now. It really writes a page, since a transaction that changes nothing
 * succeeds on a full disk too. Anybody may ask, so all requests within a second share one result and one wait for the
 * disk.
 */
import { part } from "@svc/host/parts";
import type { Database } from "@svc/host/store";
import type { Context } from "../context.ts";
import { countReady } from "./readiness-store.ts";

/** How long one result is shared. */
const SHARED_MS = 1_000;

/** The check of one deployment. */
export class Readiness {
  readonly #database: Pick<Database, "write">;
  readonly #now: () => number;
  #asked: { readonly at: number; readonly answer: Promise<void> } | null = null;

  constructor(database: Pick<Database, "write">, now: () => number = () => performance.now()) {
    this.#database = database;
    this.#now = now;
  }

  /** Resolves if the database can be written. Rejects with the store's errors. */
  check(): Promise<void> {
    const now = this.#now();
    if (this.#asked === null || now - this.#asked.at >= SHARED_MS)
      this.#asked = { at: now, answer: this.#database.write(countReady, { isLocking: true }) };
    return this.#asked.answer;
  }
}

/** The check, as the routes call it. */
export const readinessPart = part("readiness", ({ database }: Context) => new Readiness(database));
