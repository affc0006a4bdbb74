/**
 * Writes the high-water mark: a moment after each commit, it notes the last event that got a receipt, in progress.json
 * and in the second file if one is kept (second-file.ts). Neither holds up a request; a failed write is tried again.
 */
import { existsSync } from "node:fs";
import { open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { syncPath } from "@svc/host/durable-file";
import { failpoint } from "@svc/host/failpoint";
import { type Database, type Reader, StoreUnavailable } from "@svc/host/store";
import { markText, readMark, requireOwnMark, type SeenEvent } from "./mark-file.ts";
import { findEventHash, newestEvent } from "./mark-store.ts";

/** The longest delay of a note after its commit. */
const DELAY_MS = 250;

/** The pause before a failed write is tried again. */
const RETRY_MS = 5_000;

/** The files of the mark, and the database that it describes. */
export interface NoteOptions {
  readonly path: string;
  /** The second file; null for none. */
  readonly secondPath: string | null;
  readonly origin: string;
  readonly database: Pick<Database, "read">;
  /** Called with the error of a failed write. */
  readonly onError: (error: unknown) => void;
}

type Newest = Pick<SeenEvent, "stream_event_id" | "event_hash" | "received_at">;

/** The high-water mark of one deployment that is open. */
export class HighWaterMark {
  readonly #options: NoteOptions;
  #latest: SeenEvent | null = null;
  /** The last event that this process has noted, or found when it started. */
  #known: Newest | null = null;
  readonly #written = new Map<string, SeenEvent>();
  /** The text of the second file as this process last wrote it. */
  #secondText: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: NoteOptions) {
    this.#options = options;
  }

  /**
   * Notes the newest event of the database, if a kill kept it from a file or somebody removed a file. If the second
   * file is missing, it is on the disk when this resolves.
   */
  async catchUp(): Promise<void> {
    const { path, secondPath, database } = this.#options;
    const newest = await database.read(newestEvent);
    if (newest === null) return;
    this.#known = newest;
    const first = await readMark(path);
    // A restored database may lack events. Only an operator can accept that, so a restore's note stays.
    if (first !== null && "restored_backup_of" in first) return;
    const second = secondPath === null ? first : await readMark(secondPath);
    const isNamed = first !== null && "received_at" in first && first.second_file === secondPath;
    if (!isNamed || isBehind(first, newest) || isBehind(second, newest)) this.note(newest);
    if (secondPath !== null && second === null && this.#latest !== null) await this.#writeSecond(this.#latest);
  }

  /** Notes an event that has just been committed. The events of one process must come in the order of their commits. */
  note({ stream_event_id, event_hash, received_at }: Newest): void {
    const { origin, secondPath } = this.#options;
    this.#known = { stream_event_id, event_hash, received_at };
    this.#latest = { ...this.#known, origin, second_file: secondPath };
    this.#timer ??= setTimeout(() => this.#flush(), DELAY_MS);
  }

  /**
   * Returns what rejects with StoreUnavailable unless the last event that this process has noted by now, or found at
   * its start, is in a database: a standby that took over without it, or a backup that was put back under a running
   * server, must not be written.
   */
  latestRequired(): (reader: Reader) => Promise<void> {
    const seen = this.#known;
    return async (reader) => {
      if (seen === null || (await findEventHash(reader, seen.stream_event_id)) === seen.event_hash) return;
      throw new StoreUnavailable(
        `the database has lost event ${seen.stream_event_id}, recorded ${seen.received_at}, for which a receipt ` +
          `was given: it is not written. Bring the server back that has the event; docs/scaling.md says what to do ` +
          `if it is lost for good`,
      );
    };
  }

  /** Writes the last note, and resolves when the write has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#flush();
    await this.#writing;
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const latest = this.#latest;
    if (latest === null) return;
    this.#writing = this.#writing
      // The second file comes first: progress.json must name only a file that exists.
      .then(() => this.#writeSecond(latest))
      .then(
        () => null,
        (error: unknown) => ({ error }),
      )
      .then(async (failed) => {
        const seen = failed === null ? latest : await this.#asRecorded(latest);
        await this.#writeOnce(this.#options.path, seen, markText(seen));
        if (failed !== null) throw failed.error;
      })
      .catch((error: unknown) => {
        this.#options.onError(error);
        if (!this.#isClosed) this.#timer ??= setTimeout(() => this.#flush(), RETRY_MS);
      });
  }

  /**
   * Returns the note for progress.json after a failed write of the second file. If the configured file does not exist,
   * the note keeps the second file that progress.json names already.
   */
  async #asRecorded(latest: SeenEvent): Promise<SeenEvent> {
    const { path, secondPath } = this.#options;
    if (secondPath === null || existsSync(secondPath)) return latest;
    const first = await readMark(path);
    return { ...latest, second_file: first !== null && "second_file" in first ? first.second_file : null };
  }

  async #writeSecond(latest: SeenEvent): Promise<void> {
    const { secondPath, origin, database } = this.#options;
    if (secondPath === null || this.#written.get(secondPath) === latest) return;
    const text = await textOf(secondPath);
    if (text !== null && text !== this.#secondText) {
      // Another process writes to the file: another deployment, or another copy of this one.
      const seen = await readMark(secondPath);
      if (seen !== null && "stream_event_id" in seen) {
        requireOwnMark(secondPath, seen, origin);
        const hash = await database.read((reader) => findEventHash(reader, seen.stream_event_id));
        if (hash !== seen.event_hash)
          throw new Error(
            `${secondPath} names event ${seen.stream_event_id}, recorded ${seen.received_at}, which this ` +
              `database has not: another copy of this deployment runs and writes there. Stop one of them at once; ` +
              `what both record is a fork.`,
          );
      }
    }
    const own = markText({ ...latest, second_file: null });
    await this.#writeOnce(secondPath, latest, own);
    this.#secondText = own;
  }

  async #writeOnce(path: string, latest: SeenEvent, text: string): Promise<void> {
    if (this.#written.get(path) === latest) return;
    const unfinished = `${path}.unfinished`;
    const file = await open(unfinished, "w", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    failpoint("high-water mark: written");
    await rename(unfinished, path);
    // From now on only the content can be old: the name itself is on the disk for good.
    if (!this.#written.has(path)) syncPath(dirname(path));
    failpoint("high-water mark: renamed");
    this.#written.set(path, latest);
  }
}

function isBehind(seen: Awaited<ReturnType<typeof readMark>>, newest: Newest): boolean {
  return seen === null || ("received_at" in seen && seen.received_at < newest.received_at);
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
