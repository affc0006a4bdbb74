/**
 * Opens a deployment and builds its capabilities: the one place where keys, database, kernel and clock meet. Several of these may stand on
 * one database file; compare-and-set keeps them from forking a stream.
 */
import type { Kernel } from "@svc/core";
import { type Clock, serviceTime } from "@svc/host/clock";
import type { LeasedLoop } from "@svc/host/jobs";
import { type EmbeddedDatabase, migrate, openSqlite, storeFault } from "@svc/host/store";
import { closeFolder, openDataFolder, requirePrivateFiles } from "./data-folder.ts";
import { createFileClearing } from "./erasure/clear-files.ts";
import { EraseEvent } from "./erasure/erase-event.ts";
import { LogEvents } from "./event-log/log-events.ts";
import { ReadLog } from "./event-log/read-log.ts";
import type { BuildOutcome } from "./exports/build-export.ts";
import { createExportBuilding } from "./exports/build-exports.ts";
import { Downloads } from "./exports/download.ts";
import { Exports } from "./exports/exports.ts";
import { PackageFiles } from "./exports/package-files.ts";
import { RecordVerification } from "./exports/record-verification.ts";
import { type ForkListener, Forks } from "./forks/forks.ts";
import type { Foundation } from "./foundation.ts";
import { createForgetting } from "./idempotency/forget-old.ts";
import { Idempotency } from "./idempotency/idempotency.ts";
import { issuingKernel } from "./issuing-kernel.ts";
import { signerOf } from "./keys/file-signer.ts";
import type { KeySettings } from "./keys/key-settings.ts";
import { openKeySource } from "./keys/key-source.ts";
import { keyedHashUnder } from "./keys/keyed-hash.ts";
import { ReadKeys } from "./keys/read-keys.ts";
import { catchUpRotations, settleRotation } from "./keys/rotate.ts";
import { SigningKey } from "./keys/signing-key.ts";
import { ReadBacklog } from "./metrics/read-backlog.ts";
import { MIGRATIONS } from "./migrations/all.ts";
import { requireOwnDatabase, requireOwnWitness } from "./own-database.ts";
import { CreatePack } from "./packs/create-pack.ts";
import { DEFAULT_POLICY_ID } from "./policies/default-policy.ts";
import { newestPolicy } from "./policies/policies-store.ts";
import { ReadPolicies } from "./policies/read-policies.ts";
import { findPlace, type Place, rememberPlace } from "./progress/place.ts";
import { ProgressNotes } from "./progress/progress-notes.ts";
import { requireBoth } from "./progress/second-file.ts";
import { Readiness } from "./readiness/readiness.ts";
import { ReadingThread } from "./reading/reading-thread.ts";
import { type Readings, ReadingsHere } from "./reading/readings.ts";
import { RESERVE, Reserve } from "./reserve.ts";
import { DemandSeal } from "./sealing/demand-seal.ts";
import { ManagedWitness } from "./sealing/managed-witness.ts";
import { ReadEvidence } from "./sealing/read-evidence.ts";
import { createSealer } from "./sealing/sealer.ts";
import { Append } from "./streams/append.ts";
import { CreateStream, type LegacySettings } from "./streams/create-stream.ts";
import type { EventRow } from "./streams/events-store.ts";
import { ReadStream } from "./streams/read-stream.ts";
import { serviceRow } from "./tenancy/service-store.ts";
import { SystemKeys } from "./tenancy/system-keys.ts";
import { VerifyEvidence } from "./verify/verify-evidence.ts";

export interface ServiceOptions extends LegacySettings {
  readonly dataFolder: string;
  readonly keySettings: KeySettings;
  readonly kernel: Kernel;
  readonly clock: Clock;
  readonly sealIntervalMs: number;
  readonly idempotencyDays: number;
  /** Told how many events each commit has recorded. */
  readonly onRecorded: (events: number) => void;
  /** Told of each new fork of a stream. */
  readonly onFork: ForkListener["onFork"];
  /** Told where the disk has failed, so that nothing more is written: the process is to end, and to be started again. */
  readonly onUncertain: (error: Error) => void;
  /** Told of each build of an export that came to an end. */
  readonly onBuilt: (outcome: BuildOutcome) => void;
  /** The second file of what was seen (progress/second-file.ts); null for none. */
  readonly progressFile: string | null;
  /** Whether that file is made anew where it is gone. */
  readonly renewProgressFile?: boolean;
  /** Told of what is no failure, and what the operator should know. */
  readonly onWarning: (words: string) => void;
  /** Told of failures outside any request. */
  readonly onError: (error: unknown) => void;
  /** What opens the database of a path; `openSqlite` where it is not given. */
  readonly openDatabase?: typeof openSqlite;
}

/** Everything that the routes call. */
export interface Service {
  readonly ground: Foundation;
  readonly systemKeys: SystemKeys;
  readonly createStream: CreateStream;
  readonly append: Append;
  readonly logEvents: LogEvents;
  readonly readLog: ReadLog;
  readonly eraseEvent: EraseEvent;
  readonly readStream: ReadStream;
  readonly readEvidence: ReadEvidence;
  readonly readPolicies: ReadPolicies;
  readonly forks: Forks;
  readonly createPack: CreatePack;
  readonly readings: Readings;
  readonly exports: Exports;
  readonly downloads: Downloads;
  readonly recordVerification: RecordVerification;
  readonly verifyEvidence: VerifyEvidence;
  readonly readKeys: ReadKeys;
  readonly readiness: Readiness;
  readonly readBacklog: ReadBacklog;
  /** Whether the folder has found itself in another place than at the start before. */
  readonly isElsewhere: boolean;
  /** What runs beside the requests once it is started. */
  readonly jobs: readonly LeasedLoop[];
  /** Ends the jobs after their steps at hand, then closes the database. */
  close(): Promise<void>;
}

export async function openService(options: ServiceOptions): Promise<Service> {
  const { kernel, clock, openDatabase = openSqlite } = options;
  const folder = openDataFolder(options.dataFolder);
  closeFolder(folder.path, options.onWarning);
  requirePrivateFiles(folder.path);
  const source = openKeySource(options.keySettings, kernel, folder.path);
  const witnessSigner = signerOf(kernel, folder.witnessKeyPem, "witness-key.pem");
  const reserve = new Reserve(folder.path);
  // SQLite makes a file before it reads anything, and may fill it while it looks through a log that was left.
  reserve.giveUp();
  const database = openOrExplain(() => openDatabase(folder.databasePath, options.onUncertain), reserve);
  try {
    await migrate(database, () => serviceTime(clock()), MIGRATIONS);
    const keyedHash = keyedHashUnder(folder.pepper);
    const { evidence_origin: origin } = requireOwnDatabase(folder.path, keyedHash, await database.read(serviceRow));
    const places = { first: folder.progressPath, configured: options.progressFile };
    const second = await requireBoth(places, database, { renew: options.renewProgressFile ?? false });
    if (second.notice !== null) options.onWarning(second.notice);
    const rotations = { database, kernel, source, dataFolder: folder.path };
    await catchUpRotations(rotations);
    const signingKey = new SigningKey(kernel, source);
    const { signer, builtIn } = await database.read(async (reader) => ({
      signer: await signingKey.current(reader),
      builtIn: await newestPolicy(reader, null, DEFAULT_POLICY_ID),
    }));
    requireOwnWitness(folder, signer, witnessSigner, builtIn);
    await settleRotation(rotations);
    await database.prepareForgetting();
    // A log that was cut off may hold what the disk does not: it is moved into the database before anything comes behind it. Where the disk is
    // full that must wait, and reading goes on.
    await database.forgetDeleted().catch(options.onError);
    const issuing = issuingKernel(kernel);
    const ground: Foundation = { database, kernel, issuing, clock, origin, signingKey, keyedHash };
    const forks = new Forks(ground, options);
    const sealer = createSealer(ground, new ManagedWitness(ground, witnessSigner), forks, {
      intervalMs: options.sealIntervalMs,
      onError: options.onError,
    });
    const { onError } = options;
    const progress = new ProgressNotes({
      path: folder.progressPath,
      secondPath: second.path,
      origin,
      database,
      onError,
    });
    await progress.catchUp();
    const found = findPlace(folder.path, folder.databasePath);
    if (found.moved !== null) options.onWarning(found.moved);
    if (found.isNew) notePlace(folder.path, found.place, onError);
    if (!reserve.take())
      options.onWarning(
        `The disk is full: nothing can be recorded, and the file ${RESERVE} that makes the next start possible could not be made. Make room; the server goes on by itself.`,
      );
    const fileClearing = createFileClearing({ database, clock }, options.onError);
    const forgetting = createForgetting(ground, { days: options.idempotencyDays, onError: options.onError });
    /** Of an event in a lifecycle stream: its receipt is handed out as well. */
    const noteOwn = (recorded: EventRow) => {
      progress.note(recorded);
      sealer.nudge();
    };
    const packageFiles = new PackageFiles(folder.exportsPath);
    const exportBuilding = createExportBuilding(ground, packageFiles, {
      onRecorded: noteOwn,
      onBuilt: options.onBuilt,
      onError: options.onError,
    });
    const jobs = [sealer, fileClearing, forgetting, exportBuilding];

    const idempotency = new Idempotency(ground);
    // A database that somebody else opens may be nowhere but in the memory of this thread.
    const readings =
      options.openDatabase === undefined ? new ReadingThread(folder.databasePath, ground) : new ReadingsHere(ground);
    const verifyEvidence = new VerifyEvidence(ground, forks);
    const append = new Append(ground, idempotency, (rows) => {
      const last = rows.at(-1);
      if (last !== undefined) progress.note(last);
      options.onRecorded(rows.length);
      sealer.nudge();
    });
    return {
      ground,
      systemKeys: new SystemKeys(ground),
      createStream: new CreateStream(ground, idempotency, options),
      append,
      logEvents: new LogEvents(ground, append, options),
      readLog: new ReadLog(ground),
      eraseEvent: new EraseEvent(ground, idempotency, (recorded) => {
        // A database from before it has the payload.
        progress.note(recorded);
        for (const job of jobs) job.nudge();
      }),
      readStream: new ReadStream(ground),
      readEvidence: new ReadEvidence(ground),
      readPolicies: new ReadPolicies(ground),
      forks,
      createPack: new CreatePack(ground, idempotency, new DemandSeal(ground, () => sealer.nudge()), readings),
      readings,
      exports: new Exports(ground, idempotency, () => exportBuilding.nudge()),
      downloads: new Downloads(ground, packageFiles, noteOwn),
      recordVerification: new RecordVerification(ground, noteOwn),
      verifyEvidence,
      readKeys: new ReadKeys(ground),
      readiness: new Readiness(database),
      readBacklog: new ReadBacklog(database, folder.databasePath),
      jobs,
      close: async () => {
        await Promise.all(jobs.map((job) => job.stop()));
        await Promise.all([verifyEvidence.close(), readings.close()]);
        await progress.close();
        await database.close();
        reserve.close();
        source.close();
      },
      isElsewhere: found.moved !== null,
    };
  } catch (error) {
    source.close();
    await database.close();
    reserve.close();
    throw error;
  }
}

function openOrExplain(open: () => EmbeddedDatabase, reserve: Reserve): EmbeddedDatabase {
  try {
    return open();
  } catch (error) {
    reserve.close();
    throw storeFault(error);
  }
}

/** Where the disk is full it is noted at the next start. */
function notePlace(folder: string, place: Place, onError: (error: unknown) => void): void {
  try {
    rememberPlace(folder, place);
  } catch (error) {
    onError(error);
  }
}
