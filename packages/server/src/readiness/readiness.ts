/**
 * Checks whether an event could be recorded and read now. It really writes a page, since a transaction that changes
 * nothing succeeds on a full disk too. Anybody may ask, so all requests within a second share one result and one wait
 * for the disk.
 */
import { part } from "@svc/host/parts";
import type { Database, Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import { appendNothing, countReady, readReady } from "./readiness-store.ts";

/** How long one result is shared. */
const SHARED_MS = 1_000;

/** A check of one deployment. */
export class Readiness {
  readonly #ask: () => Promise<void>;
  readonly #now: () => number;
  #asked: { readonly at: number; readonly answer: Promise<void> } | null = null;

  constructor(ask: () => Promise<void>, now: () => number = () => performance.now()) {
    this.#ask = ask;
    this.#now = now;
  }

  /** Resolves if the database can be used. Rejects with the store's errors. */
  check(): Promise<void> {
    const now = this.#now();
    if (this.#asked === null || now - this.#asked.at >= SHARED_MS) this.#asked = { at: now, answer: this.#ask() };
    return this.#asked.answer;
  }
}

/** The check of writing, as the routes call it. */
export const readinessPart = part(
  "readiness",
  ({ database }: Context) => new Readiness(() => database.write(readyToAppend, { isLocking: true })),
);

async function readyToAppend(writer: Writer): Promise<void> {
  await countReady(writer);
  await appendNothing(writer);
}

/** Returns the check of reading, on the side that answers. */
export const readable = (database: Pick<Database, "read">): Readiness => new Readiness(() => database.read(readReady));
