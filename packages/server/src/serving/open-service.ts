/**
 * Opens a deployment: the side that records (recording/), and the side that answers requests, family by family. The two
 * can be on one thread, or on two: then the first is the recording thread, and this one never writes the database.
 */
import { Channel } from "@svc/host/channel";
import { systemClock } from "@svc/host/clock";
import { openFamily } from "@svc/host/family";
import type { Route } from "@svc/host/http";
import type { LeasedLoop } from "@svc/host/jobs";
import { MetricsRegistry } from "@svc/host/metrics";
import { PartsHere } from "@svc/host/parts";
import { ReadingsHere } from "@svc/host/reads";
import { openReaders } from "@svc/host/store";
import { ArchivedPayloads } from "../archived/archived-payloads.ts";
import type { AnsweringContext, Context } from "../context.ts";
import { openDataFolder } from "../data-folder/data-folder.ts";
import { placeMetrics } from "../data-folder/metrics.ts";
import { locationOfDatabase } from "../deployment/database.ts";
import { requireOwnDatabase } from "../deployment/own-database.ts";
import { issuingKernel } from "../issuing-kernel.ts";
import { kernel } from "../kernel.ts";
import { signaturesPart } from "../keys/remote-signer.ts";
import type { Program } from "../program/program.ts";
import { ReadingThread } from "../reading/reading-thread.ts";
import type { RecordingThreadOptions } from "../recording/messages.ts";
import { openRecording, type RecordingOptions } from "../recording/open-recording.ts";
import { RecordingThread } from "../recording/recording-thread.ts";
import { remoteSigningKey } from "../signing/remote-signing-key.ts";
import { serviceRow } from "../signing/service-store.ts";

/** The channel and the metrics that the caller shares with a deployment. */
interface Shared {
  /** The channel on which the caller hears of events; by default a new one. */
  readonly channel?: Channel;
  /** The registry of the families' metrics; without it nothing is served. */
  readonly metrics?: MetricsRegistry | null;
}

/** An opened deployment. */
export interface AnsweringService {
  readonly context: AnsweringContext;
  /** The routes of all families. */
  readonly routes: readonly Route[];
  /** Starts the jobs beside the requests. */
  start(): void;
  /** Ends the jobs after their current steps, then closes the database. */
  close(): Promise<void>;
}

/** A deployment whose two sides are both on this thread. The channel of `context` is that of the side that records. */
export interface Service extends AnsweringService {
  readonly context: Context & AnsweringContext;
  readonly jobs: readonly LeasedLoop[];
}

/**
 * Opens a deployment on this thread, and resolves when all families are open. Rejects as `openRecording` does. It
 * starts no job and listens on no port.
 */
export async function openService({
  channel = new Channel(),
  metrics = null,
  ...options
}: Omit<RecordingOptions, "channel"> & Shared): Promise<Service> {
  // The answering side hears the same as where the other one is on a separate thread.
  const told = new Channel();
  told.forward(options.program.tells, channel);
  const recording = await openRecording({ ...options, channel: told });
  const { databaseLocation } = recording.context;
  const parts = new PartsHere(() => recording.context);
  const readings =
    databaseLocation === null
      ? new ReadingsHere(recording.context)
      : new ReadingThread(
          options.program.threads.reading,
          { databaseLocation, archivePath: recording.context.folder.archivePath },
          parts.use(signaturesPart).sign,
        );
  const context = { ...recording.context, parts, readings, metrics: metrics ?? new MetricsRegistry() };
  const open = openFamilies(options.program, { ...context, channel }, metrics, recording.isElsewhere);
  return {
    context,
    routes: open.routes,
    jobs: recording.jobs,
    start: () => {
      for (const job of recording.jobs) job.start();
    },
    close: async () => {
      await open.close();
      await recording.close();
    },
  };
}

/**
 * Opens a deployment whose recording side is on a separate thread. Resolves and rejects as `openService` does. When the
 * thread ends by itself, nothing more is recorded: `recordingEnded` is published, and the process has to end.
 */
export async function openServiceOnThreads({
  program,
  channel = new Channel(),
  metrics = null,
  ...options
}: RecordingThreadOptions & Shared & { readonly program: Program }): Promise<AnsweringService> {
  const recording = await RecordingThread.open(program, options, channel);
  const folder = openDataFolder(options.config.dataFolder, options.config);
  const databaseLocation = locationOfDatabase(folder, options.config);
  const database = openReaders(databaseLocation);
  const { keyedHash } = requireOwnDatabase(folder, await database.read(serviceRow));
  const { parts } = recording;
  const { sign } = parts.use(signaturesPart);
  const context: AnsweringContext = {
    database,
    signingKey: remoteSigningKey(kernel, sign),
    parts,
    kernel,
    databaseLocation,
    issuing: issuingKernel(kernel),
    clock: systemClock,
    origin: recording.origin,
    keyedHash,
    channel,
    // Every setting of a family is one of the configuration.
    settings: () => options.config as never,
    folder,
    archived: new ArchivedPayloads(folder.archivePath),
    readings: new ReadingThread(program.threads.reading, { databaseLocation, archivePath: folder.archivePath }, sign),
    metrics: metrics ?? new MetricsRegistry(),
  };
  const open = openFamilies(program, context, metrics, recording.isElsewhere);
  return {
    context,
    routes: open.routes,
    start: () => recording.start(),
    close: async () => {
      await open.close();
      // The connection that closes last moves the log into the database, which one that only reads cannot do.
      database.close();
      await recording.close();
    },
  };
}

/** Opens the answering sides of all families. `metrics`: null if no metrics are served. */
function openFamilies(
  { families }: Program,
  context: AnsweringContext,
  metrics: MetricsRegistry | null,
  isElsewhere: boolean,
) {
  if (metrics !== null) {
    for (const family of families) family.metrics?.(metrics, context);
    placeMetrics(metrics, isElsewhere);
  }
  const open = families.map((family) => openFamily(family, context));
  return {
    routes: open.flatMap((family) => family.routes),
    close: async () => {
      await Promise.all(open.map((family) => family.close()));
      await context.readings.close();
    },
  };
}
