/**
 * The high-water mark: how far the witness has signed, in a small file beside its key. It is on the disk before a
 * cosignature leaves, so a database that was rolled back, or restored from an older backup, is noticed at the start.
 * The file is open in one process alone: it is also the lock that keeps a second witness away. It does NOT notice a
 * mark that was rolled back together with the database: keep the folder of keys on another disk.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import { OWNER_ONLY_FILE, syncPath } from "@svc/host/durable-file";
import { type Database, openSole } from "@svc/host/store";
import { isThere } from "../is-there.ts";
import { openingFault, WitnessError } from "../witness-error.ts";
import {
  completeMark,
  createMark,
  type Mark,
  raiseMark,
  readMark,
  rewriteMark,
  type SignedPoint,
} from "./mark-store.ts";

/** How long doctor, or a witness that is ending, may still have the file open. */
const WAIT_MS = 1000;

/** Returns the path of the mark in the folder of keys. */
export function markFile(keysFolder: string): string {
  return join(keysFolder, "high-water.sqlite");
}

/** Makes the file of a new witness, durably. Throws if it exists. */
export async function makeMark(keysFolder: string, mark: Mark): Promise<void> {
  const file = markFile(keysFolder);
  writeFileSync(file, "", { flag: "wx", mode: OWNER_ONLY_FILE });
  const database = requireSole(file);
  try {
    await database.write((writer) => createMark(writer, mark));
  } finally {
    await database.close();
  }
  syncPath(keysFolder);
}

/** The mark of a witness that runs. */
export class HighWaterMark {
  readonly #database: Database;
  /** The mark at the time of opening. */
  readonly found: Mark;
  /** The number that is on the disk. */
  #reached: number;
  #due: SignedPoint | null = null;
  #raising: Promise<void> | null = null;

  private constructor(database: Database, found: Mark) {
    this.#database = database;
    this.found = found;
    // One that binds no trees is to be written at its own number.
    this.#reached = found.treeSum === null ? found.signedNo - 1 : found.signedNo;
  }

  /** Opens the mark. Rejects with WitnessError if it is missing, in use elsewhere, or cannot be read and written. */
  static async open(keysFolder: string): Promise<HighWaterMark> {
    const file = markFile(keysFolder);
    // SQLite would make a missing file.
    if (!isThere(file)) throw lost(file);
    const database = requireSole(file);
    try {
      const found = await database.read(readMark);
      if (found === null) throw lost(file);
      await database.write(rewriteMark);
      await database.write(completeMark);
      return new HighWaterMark(database, found);
    } catch (error) {
      await database.close();
      throw openingFault(file, error);
    }
  }

  /** Resolves when the mark is at least at this point, on the disk. Calls that come together share one write. */
  raise(point: SignedPoint): Promise<void> {
    if (point.signedNo <= this.#reached) return Promise.resolve();
    if (this.#due === null || point.signedNo > this.#due.signedNo) this.#due = point;
    // A write that has begun may have an older point: the next one follows it.
    const after = (this.#raising ?? Promise.resolve()).catch(() => undefined);
    const mine = after.then(() => this.#write());
    this.#raising = mine;
    return mine;
  }

  async #write(): Promise<void> {
    if (this.#due === null) return;
    // The answers of one commit come one after the other in this turn of the event loop.
    await turnOfEventLoop();
    const due = this.#due;
    await this.#database.write((writer) => raiseMark(writer, due));
    this.#reached = due.signedNo;
    if (this.#due === due) this.#due = null;
  }

  /** Waits for a write that has begun, and lets other processes open the file. */
  async close(): Promise<void> {
    await this.#raising?.catch(() => undefined);
    await this.#database.close();
  }
}

function requireSole(file: string): Database {
  const database = openOrRefuse(file);
  if (database === null)
    throw new WitnessError(
      `Another svc-witness runs with the key beside ${file}. Stop it first: two would contradict.`,
    );
  return database;
}

function openOrRefuse(file: string): Database | null {
  try {
    return openSole(file, { waitMs: WAIT_MS });
  } catch (error) {
    throw openingFault(file, error);
  }
}

function lost(file: string): WitnessError {
  return new WitnessError(
    `The high-water mark ${file} is missing or empty, so nobody can tell whether the database is the newest. Put ` +
      `the original back beside the key. If it is lost for good, retire this witness: make a new one with init, in ` +
      `another folder and under another name.`,
  );
}
