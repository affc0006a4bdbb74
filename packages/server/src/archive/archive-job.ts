/**
 * The job behind the archive, one step at a time under a lease: it makes files of ranges that are old enough, takes
 * their payloads out of the database, writes files anew after erasures, and removes files that nothing names. It can be
 * killed at any moment. Before a file is begun its name is noted as one to be removed; the transaction that names the
 * file for its range takes the note back.
 */
import { rm } from "node:fs/promises";
import { type Clock, serviceTime } from "@svc/host/clock";
import { failpoint } from "@svc/host/failpoint";
import { type Lease, LeasedLoop, LeaseLost } from "@svc/host/jobs";
import type { Reader } from "@svc/host/store";
import type { Context } from "../context.ts";
import { PackageTooLarge } from "../exports/write-artifact.ts";
import { newId } from "../ids.ts";
import { failed } from "../notices.ts";
import { ArchiveFiles } from "./archive-files.ts";
import { type ArchiveMaker, archiveMakerOf } from "./archive-maker.ts";
import {
  countPayloads,
  firstUnfinished,
  forgetLeaving,
  freePayloads,
  insertArchive,
  leavings,
  noteLeaving,
  replaceArchive,
  streamsWithOld,
  type UnfinishedRow,
} from "./archives-store.ts";
import { type ArchiveTimes, type ChosenRange, chooseRange } from "./choose-range.ts";
import { requireArchiveFolder } from "./folder.ts";
import { MAX_ARCHIVE_EVENTS, MAX_NEW_FILE_BYTES, MAX_RENEWED_FILE_BYTES, WAIT_PART } from "./limits.ts";
import type { MadeArchive } from "./make-archive.ts";

const DAY_MS = 86_400_000;
const INTERVAL_MS = 1000;
/** After a failure nothing is tried for so long: a folder that is not mounted stays so for a while. */
const REST_MS = 60_000;
/** The streams that one look goes through. */
const STREAMS_IN_LOOK = 500;
/** The payloads that one transaction takes out, so that no append waits long behind it. */
const FREED_AT_ONCE = 1000;
/** A range whose file became too large is tried again with a quarter of the events, down to so many. */
const LEAST_EVENTS = 10;

/** The options of the job. `days`: null if nothing more is to be archived. */
export interface Archiving {
  readonly days: number | null;
  readonly maker?: ArchiveMaker;
}

/** Returns the job. */
export function createArchiving(context: Context, options: Archiving): LeasedLoop {
  const job = new ArchiveJob(context, options);
  return new LeasedLoop(context, {
    jobName: "archive",
    intervalMs: INTERVAL_MS,
    onError: (error) => context.channel.publish(failed, error),
    hasWork: () => job.hasWork(),
    work: (lease, stop) => job.work(lease, stop),
  });
}

/** Archives step by step. */
export class ArchiveJob {
  readonly #context: Context;
  readonly #files: ArchiveFiles;
  readonly #maker: ArchiveMaker;
  readonly #days: number | null;
  /** The stream behind which the next look begins. */
  #afterId = "";
  #restUntil = Number.NEGATIVE_INFINITY;
  /** The most events of a file; fewer for a stream whose last file became too large. */
  #most = { streamId: "", events: MAX_ARCHIVE_EVENTS };

  constructor(context: Context, { days, maker = archiveMakerOf(context) }: Archiving) {
    this.#context = context;
    this.#days = days;
    this.#maker = maker;
    this.#files = new ArchiveFiles(context.folder.archivePath);
  }

  /** Resolves to whether there is something to finish, or a range to be archived. */
  async hasWork(): Promise<boolean> {
    if (performance.now() < this.#restUntil) return false;
    const { database } = this.#context;
    const isUnfinished = await database.read(
      async (reader) => (await firstUnfinished(reader)) !== null || (await leavings(reader, 1)).length > 0,
    );
    return isUnfinished || (await this.#look()) !== null;
  }

  /** Does everything that is due, one range after another. After a failure it rests, and is repeated. */
  async work(lease: Lease, stop: AbortSignal): Promise<void> {
    try {
      await requireArchiveFolder(this.#context.database, this.#context.folder.archivePath);
      do {
        await this.#finish(lease, stop);
        // A range that was found without the lease may have been archived by another process meanwhile.
        const due = await this.#look();
        if (due === null || stop.aborted) return;
        await this.#archive(lease, stop, due);
      } while (!stop.aborted);
    } catch (error) {
      if (stop.aborted) return;
      if (error instanceof ErasedMeanwhile) return;
      if (error instanceof LeaseLost) throw error;
      this.#restUntil = performance.now() + REST_MS;
      throw error;
    }
  }

  /** Resolves to the next range that is old enough among the next streams, or null. */
  async #look(): Promise<ChosenRange | null> {
    const { database, clock } = this.#context;
    if (this.#days === null) return null;
    const times = timesOf(clock, this.#days);
    return database.read(async (reader) => {
      const asked = { afterId: this.#afterId, most: STREAMS_IN_LOOK, receivedBy: times.newest };
      const { old, lastId } = await streamsWithOld(reader, asked);
      for (const stream of old) {
        const { streamId, events } = this.#most;
        const most = streamId === stream.stream_id ? events : MAX_ARCHIVE_EVENTS;
        const range = await chooseRange(reader, stream, times, most);
        if (range !== null) return range;
        this.#afterId = stream.stream_id;
      }
      this.#afterId = lastId ?? "";
      return null;
    });
  }

  async #archive(lease: Lease, stop: AbortSignal, range: ChosenRange): Promise<void> {
    const { database, clock } = this.#context;
    const { stream_id, from_seq_no, to_seq_no } = range;
    const base = { stream_id, from_seq_no, to_seq_no, erased_since: 0 };
    const stay = { file: null, sha256: null, size_bytes: 0, places: "", freed_to_seq_no: to_seq_no };
    const insert = (made: typeof stay | NamedArchive, freed_to_seq_no: number) =>
      database.write(async (writer) => {
        await lease.hold(writer);
        if (made.file !== null) {
          await this.#requireNoErasure(writer, range, made as NamedArchive);
          await forgetLeaving(writer, made.file);
        }
        const { file, sha256, size_bytes, places } = made;
        const archived_at = serviceTime(clock());
        await insertArchive(writer, { ...base, file, sha256, size_bytes, places, freed_to_seq_no, archived_at });
      });
    if (range.isLeft) return insert(stay, to_seq_no);
    try {
      await this.#withFile(lease, stop, { ...range, maxBytes: MAX_NEW_FILE_BYTES }, (made) =>
        insert(made, from_seq_no - 1),
      );
    } catch (error) {
      if (!(error instanceof PackageTooLarge)) throw error;
      // The windows of events that come one by one can be larger than the events: fewer of them fit into a file.
      const events = to_seq_no - from_seq_no + 1;
      if (events > LEAST_EVENTS) this.#most = { streamId: stream_id, events: Math.ceil(events / 4) };
      else await insert(stay, to_seq_no);
    }
  }

  /** Finishes what was begun: removes files that nothing names, writes files anew, and takes payloads out. */
  async #finish(lease: Lease, stop: AbortSignal): Promise<void> {
    const { database } = this.#context;
    for (;;) {
      const names = await database.read((reader) => leavings(reader, FREED_AT_ONCE));
      for (const name of names) await this.#remove(lease, name);
      const row = await database.read(firstUnfinished);
      if (row === null || stop.aborted) return;
      if (row.erased_since > 0) await this.#rewrite(lease, stop, row);
      else await this.#free(lease, stop, row);
    }
  }

  async #rewrite(lease: Lease, stop: AbortSignal, row: UnfinishedRow): Promise<void> {
    const { database, clock } = this.#context;
    await this.#withFile(lease, stop, { ...row, maxBytes: MAX_RENEWED_FILE_BYTES }, (made) =>
      database.write(async (writer) => {
        await lease.hold(writer);
        await this.#requireNoErasure(writer, row, made);
        await replaceArchive(writer, row, { ...made, archived_at: serviceTime(clock()) });
        await forgetLeaving(writer, made.file);
        await noteLeaving(writer, row.file ?? "");
      }),
    );
    failpoint("archive: file replaced");
  }

  /** Takes the payloads of a range out of the database, if its file is the one that was verified. */
  async #free(lease: Lease, stop: AbortSignal, row: UnfinishedRow): Promise<void> {
    const sha256 = await this.#files.sha256Of(row.file ?? "");
    if (sha256 !== row.sha256)
      throw new Error(
        `the archive file ${row.file} ${sha256 === null ? "is not there" : "was changed"}: its payloads stay in ` +
          `the database`,
      );
    for (let freed = row.freed_to_seq_no; freed < row.to_seq_no && !stop.aborted; ) {
      const freeTo = Math.min(freed + FREED_AT_ONCE, row.to_seq_no);
      const from = { ...row, freed_to_seq_no: freed };
      await this.#context.database.write(
        async (writer) => {
          await lease.hold(writer);
          await freePayloads(writer, from, freeTo);
        },
        { givesWay: true },
      );
      failpoint("archive: payloads freed");
      freed = freeTo;
    }
  }

  /** Makes a file of a range, has it named in the database by `keep`, and removes it if that fails. */
  async #withFile(
    lease: Lease,
    stop: AbortSignal,
    { stream_id, tenant_id, from_seq_no, to_seq_no, maxBytes }: Omit<ChosenRange, "isLeft"> & { maxBytes: number },
    keep: (made: NamedArchive) => Promise<void>,
  ): Promise<void> {
    const { database, clock, origin } = this.#context;
    const bundleId = newId("bundle");
    const file = ArchiveFiles.nameOf(stream_id, from_seq_no, to_seq_no, bundleId);
    await database.write(async (writer) => {
      await lease.hold(writer);
      await noteLeaving(writer, file);
    });
    failpoint("archive: file noted");
    try {
      const { sha256, sizeBytes, places, payloads } = await this.#maker.make(
        {
          tenantId: tenant_id,
          streamId: stream_id,
          range: { from_seq_no, to_seq_no },
          bundleId,
          createdAt: serviceTime(clock()),
          origin,
          path: this.#files.unfinishedPathOf(file),
          maxBytes,
        },
        stop,
      );
      failpoint("archive: file written");
      await this.#files.name(file);
      failpoint("archive: file named");
      await keep({ file, sha256, size_bytes: sizeBytes, places, payloads });
    } catch (error) {
      // If the commit is uncertain, the note in the database tells whether the file is to be removed.
      await rm(this.#files.unfinishedPathOf(file), { force: true }).catch(() => undefined);
      throw error;
    }
    failpoint("archive: file kept");
  }

  /** Rejects with ErasedMeanwhile if a payload of the range was erased after its file was begun. */
  async #requireNoErasure(
    reader: Reader,
    { stream_id, from_seq_no, to_seq_no }: Pick<ChosenRange, "stream_id" | "from_seq_no" | "to_seq_no">,
    { payloads }: NamedArchive,
  ): Promise<void> {
    if ((await countPayloads(reader, stream_id, from_seq_no, to_seq_no)) !== payloads)
      throw new ErasedMeanwhile(stream_id);
  }

  async #remove(lease: Lease, name: string): Promise<void> {
    const { database } = this.#context;
    await database.write((writer) => lease.hold(writer));
    await this.#files.remove(name);
    failpoint("archive: file removed");
    await database.write(async (writer) => {
      await lease.hold(writer);
      await forgetLeaving(writer, name);
    });
  }
}

/** A file that is on the disk under its name. */
interface NamedArchive extends Omit<MadeArchive, "sizeBytes"> {
  readonly file: string;
  readonly size_bytes: number;
}

/** A payload was erased after its file was begun: the file is made again. */
class ErasedMeanwhile extends Error {
  constructor(streamId: string) {
    super(`a payload of ${streamId} was erased while its archive file was made`);
    this.name = "ErasedMeanwhile";
  }
}

function timesOf(clock: Clock, days: number): ArchiveTimes {
  const now = clock();
  return {
    newest: serviceTime(now - days * DAY_MS),
    waits: serviceTime(now - days * (1 + WAIT_PART) * DAY_MS),
  };
}
