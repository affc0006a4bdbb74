/**
 * The place at which archive files are made: a separate thread, since verifying one takes about a second that no append
 * may wait for; or the calling thread for a database in memory, which is open nowhere else.
 */
import type { DatabaseLocation } from "@svc/host/store";
import { fromThrown, ThreadPool, type Thrown } from "@svc/host/threads";
import { ArchivedPayloads } from "../archived/archived-payloads.ts";
import type { Context } from "../context.ts";
import { PackageTooLarge } from "../exports/write-artifact.ts";
import { MAX_LARGE_VERIFY_HEAP_MIB } from "../limits.ts";
import { type ArchiveOrder, type MadeArchive, makeArchive } from "./make-archive.ts";

/** The task of a thread: one file. */
export interface ArchiveTask {
  readonly databaseLocation: DatabaseLocation;
  /** The folder of the archive. */
  readonly folder: string;
  readonly order: ArchiveOrder;
}

/** The outcome of a task. */
export type ArchiveAnswer = { readonly made: MadeArchive } | { readonly thrown: Thrown };

/** The one thing that the thread asks for: a signature by the key of this kid. */
export interface ArchiveAsked {
  readonly message: Uint8Array;
  readonly kid: string;
}

/** The signature, or the reason why it was refused. */
export type ArchiveReply = { readonly signature: Uint8Array } | { readonly refused: string };

/** The program is beside this file, or beside the built program. */
const PROGRAM = import.meta.url.endsWith(".ts")
  ? new URL("./thread.ts", import.meta.url)
  : new URL("./archive-thread.mjs", import.meta.url);

/** A way to make archive files. */
export interface ArchiveMaker {
  /** Makes the file of an order, and resolves and rejects as `makeArchive` does. Ends early once `stop` is aborted. */
  make(order: ArchiveOrder, stop: AbortSignal): Promise<MadeArchive>;
}

/** Returns the way that a deployment's database allows. */
export function archiveMakerOf(context: Context): ArchiveMaker {
  const { databaseLocation, folder } = context;
  if (databaseLocation !== null) return new ArchiveThread(context, databaseLocation);
  const archived = new ArchivedPayloads(folder.archivePath);
  return { make: (order) => makeArchive({ ...context, archived }, order) };
}

class ArchiveThread implements ArchiveMaker {
  readonly #context: Context;
  readonly #databaseLocation: DatabaseLocation;

  constructor(context: Context, databaseLocation: DatabaseLocation) {
    this.#context = context;
    this.#databaseLocation = databaseLocation;
  }

  async make(order: ArchiveOrder, stop: AbortSignal): Promise<MadeArchive> {
    const pool = new ThreadPool<ArchiveTask, ArchiveAnswer, ArchiveAsked, ArchiveReply>({
      program: PROGRAM,
      threads: 1,
      heapMib: MAX_LARGE_VERIFY_HEAP_MIB,
      taskMs: null,
      waitMs: 1000,
      maxWaiting: 1,
      lasting: false,
    });
    const end = () => void pool.close();
    stop.addEventListener("abort", end);
    const question = { databaseLocation: this.#databaseLocation, folder: this.#context.folder.archivePath, order };
    try {
      const reply = (asked: ArchiveAsked) => this.#sign(asked);
      const { answer } = await pool.run({ owner: order.streamId, question, reply });
      if ("made" in answer) return answer.made;
      const { thrown } = answer;
      throw "name" in thrown && thrown.name === "PackageTooLarge"
        ? new PackageTooLarge(thrown.message)
        : fromThrown(thrown);
    } finally {
      stop.removeEventListener("abort", end);
      // The thread must write nothing any more when an unfinished file is removed.
      await pool.close();
    }
  }

  async #sign({ message, kid }: ArchiveAsked): Promise<ArchiveReply> {
    const { database, signingKey } = this.#context;
    const key = await database.read((reader) => signingKey.current(reader));
    // It was rotated a moment ago: the file is made again.
    if (key.kid !== kid) return { refused: `the sealing key is ${key.kid}, and no longer ${kid}` };
    return { signature: Uint8Array.from(await key.sign(message)) };
  }
}
