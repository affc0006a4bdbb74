/**
 * Opens the side of a deployment that records: its folder, its keys, its database, and then the work of its families.
 * Several processes may open one database; compare-and-set keeps them from forking a stream.
 */
import type { Kernel } from "@svc/core";
import type { Channel } from "@svc/host/channel";
import { type Clock, serviceTime } from "@svc/host/clock";
import type { FamilyWork } from "@svc/host/family";
import type { LeasedLoop } from "@svc/host/jobs";
import {
  type Check,
  type Database,
  type DatabaseLocation,
  type EmbeddedDatabase,
  migrate,
  requireSchemas,
  schemaVersion,
  storeFault,
} from "@svc/host/store";
import { administrationAtOnce } from "../administration/at-once.ts";
import { ArchivedPayloads } from "../archived/archived-payloads.ts";
import type { Context } from "../context.ts";
import { closeFolder, type DataFolder, openDataFolder, requirePrivateFiles } from "../data-folder/data-folder.ts";
import { findPlace, rememberPlace } from "../data-folder/place.ts";
import { RESERVE, Reserve } from "../data-folder/reserve.ts";
import { locationOfDatabase, type OpenFile, openDatabaseAt } from "../deployment/database.ts";
import { requireEarlierPepper, requireOwnDatabase, requireOwnWitness } from "../deployment/own-database.ts";
import { requireNoStoreMigration } from "../deployment/store-migration.ts";
import { requireSharedFolder } from "../exports/shared-folder.ts";
import { HighWaterMark } from "../high-water-mark/high-water-mark.ts";
import { refuseLoss } from "../high-water-mark/mark-file.ts";
import { requireBoth } from "../high-water-mark/second-file.ts";
import { lossAgainstWitness } from "../high-water-mark/witness-loss.ts";
import { issuingKernel } from "../issuing-kernel.ts";
import { catchUpRotations, settleRotation } from "../keys/rotate.ts";
import { diskFailed, failed, warned } from "../notices.ts";
import { settlePepper } from "../pepper/rotate.ts";
import type { Program } from "../program/program.ts";
import type { Config } from "../settings/config.ts";
import { type KeySource, openKeySource } from "../signing/key-source.ts";
import type { ServerKeyedHash } from "../signing/keyed-hash.ts";
import { serviceRow } from "../signing/service-store.ts";
import { SigningKey } from "../signing/signing-key.ts";
import { witnessKeys } from "../signing/witness-keys.ts";
import { recorded } from "../streams/recorded.ts";
import { catchUpWitness, settleWitness } from "../witness-keys/rotate.ts";
import { WitnessMemory } from "../witness-memory/witness-memory.ts";

/** The configuration and the capabilities of a deployment to open. */
export interface RecordingOptions {
  readonly program: Program;
  readonly config: Config;
  readonly kernel: Kernel;
  readonly clock: Clock;
  /** The channel on which families and the caller hear of events. */
  readonly channel: Channel;
  /** Whether to make the second file of the high-water mark (high-water-mark/second-file.ts) anew if it is gone. */
  readonly renewProgressFile?: boolean;
  /** Opens the file of the database in another way than usual; such a database may exist only in memory. */
  readonly openDatabase?: OpenFile;
}

/** The side of an opened deployment that records. */
export interface Recording {
  readonly context: Context;
  /** Whether the data folder was in another place at the last start. */
  readonly isElsewhere: boolean;
  /** The jobs beside the requests; the caller starts them. */
  readonly jobs: readonly LeasedLoop[];
  /** Ends the jobs after their current steps, then closes the database. */
  close(): Promise<void>;
}

/** The parts that are open before the database is trusted. */
interface Opening {
  readonly options: RecordingOptions;
  readonly folder: DataFolder;
  readonly source: KeySource;
  readonly database: Database;
  readonly embedded: EmbeddedDatabase | null;
  /** Null for a database that this thread alone can open. */
  readonly databaseLocation: DatabaseLocation | null;
}

/**
 * Opens the side that records. Rejects with DataFolderError for a folder or a database that must not be served, with
 * RangeError for the schema of a newer release, and with the errors of the store. It starts no job.
 */
export async function openRecording(options: RecordingOptions): Promise<Recording> {
  const { config, channel } = options;
  const folder = openDataFolder(config.dataFolder, config);
  const place = locationOfDatabase(folder, config);
  closeFolder(folder.path, (words) => channel.publish(warned, words));
  requirePrivateFiles(folder.path);
  const source = openKeySource(config.keySettings, options.kernel, folder.path);
  const reserve = new Reserve(folder.path);
  // SQLite makes a file before it reads anything, and may fill it while it reads an existing log.
  if ("file" in place) reserve.giveUp();
  let mark: HighWaterMark | null = null;
  const opened = await openOrExplain(options, place, reserve, () => mark?.latestRequired() ?? null);
  const { database, embedded } = opened;
  const opening = { options, folder, source, ...opened };
  let witnessMemory: WitnessMemory | null = null;
  try {
    const { origin, keyedHash, secondPath } = await requireOwn(opening);
    witnessMemory = await WitnessMemory.open(folder.witnessMemoryPath, (error) => channel.publish(diskFailed, error));
    refuseLoss(await lossAgainstWitness(options.kernel, witnessMemory, database));
    const capabilities = { ...contextOf(opening, origin, keyedHash), witnessMemory };
    const context = { ...capabilities, administration: administrationAtOnce(capabilities) };
    const onError = (error: unknown) => channel.publish(failed, error);
    // A log that was cut off may hold commits that the disk does not: it is moved into the database before anything is
    // written behind it. On a full disk that must wait, and reading continues.
    await embedded?.forgetDeleted().catch(onError);
    const highWaterMark = new HighWaterMark({ path: folder.markPath, secondPath, origin, database, onError });
    await highWaterMark.catchUp();
    mark = highWaterMark;
    channel.subscribe(recorded, ({ last }) => highWaterMark.note(last));
    const isElsewhere = folder.databaseFile !== null && lookAtPlace(folder.path, folder.databaseFile, channel);
    if ("file" in place && !reserve.take())
      channel.publish(
        warned,
        `The disk is full: nothing can be recorded, and the file ${RESERVE} that makes the next start possible ` +
          `could not be made. Make room; the server goes on by itself.`,
      );
    if ("url" in place) await requireSharedFolder(database, folder.exportsPath);
    const work: FamilyWork[] = [];
    for (const family of options.program.families) work.push((await family.work?.(context)) ?? {});
    const jobs = work.flatMap((ofFamily) => ofFamily.jobs ?? []);
    return {
      context,
      isElsewhere,
      jobs,
      close: async () => {
        await Promise.all(jobs.map((job) => job.stop()));
        await Promise.all(work.map((ofFamily) => ofFamily.close?.()));
        await highWaterMark.close();
        await context.witnessMemory.close();
        await database.close();
        reserve.close();
        source.close();
      },
    };
  } catch (error) {
    source.close();
    await witnessMemory?.close();
    await database.close();
    reserve.close();
    throw error;
  }
}

/**
 * Brings the database to this release's schema, and finishes a rotation that was left unfinished. Refuses a database of
 * another folder, one that is older than the high-water mark, and one sealed by a key that is missing.
 */
async function requireOwn({ options, folder, source, database, embedded }: Opening) {
  const { program, config, kernel, clock, channel, renewProgressFile = false } = options;
  const row = await database.read(async (reader) => {
    await requireNoStoreMigration(reader);
    const version = await schemaVersion(reader);
    await requireSchemas(reader, program.schemas, { orOlder: true });
    return version === 0 ? null : serviceRow(reader);
  });
  // The database of another deployment must not be brought to this release's schema.
  const { evidence_origin: origin, keyedHash } = requireOwnDatabase(folder, row);
  await migrate(database, () => serviceTime(clock()), program.schemas);
  await database.read((reader) => requireEarlierPepper(reader, folder, keyedHash));
  const places = { first: folder.markPath, configured: config.progressFile };
  const second = await requireBoth(places, database, { renew: renewProgressFile });
  if (second.notice !== null) channel.publish(warned, second.notice);
  const rotations = { database, kernel, source, dataFolder: folder.path };
  await catchUpRotations(rotations);
  const ofWitness = { ...rotations, origin, source: witnessKeys(kernel, folder.path) };
  await catchUpWitness(ofWitness);
  await database.read(async (reader) => {
    const signer = await new SigningKey(kernel, source).current(reader);
    return requireOwnWitness(reader, { evidence_origin: origin }, signer, ofWitness.source);
  });
  await settleRotation(rotations);
  await settleWitness(ofWitness);
  await settlePepper({ database, clock, folder, keyedHash });
  await embedded?.prepareForgetting();
  return { origin, keyedHash, secondPath: second.path };
}

function contextOf(
  { options, folder, source, database, embedded, databaseLocation }: Opening,
  origin: string,
  keyedHash: ServerKeyedHash,
): Omit<Context, "witnessMemory" | "administration"> {
  const { config, kernel, clock, channel } = options;
  return {
    database,
    embedded,
    kernel,
    signingKey: new SigningKey(kernel, source),
    databaseLocation,
    issuing: issuingKernel(kernel),
    clock,
    origin,
    keyedHash,
    channel,
    // Every setting of a family is one of the configuration.
    settings: () => config as never,
    folder,
    archived: new ArchivedPayloads(folder.archivePath),
  };
}

/**
 * Opens the database. `check`: returns what refuses a server whose database has lost events meanwhile; null before the
 * mark is read.
 */
async function openOrExplain(
  { openDatabase, channel }: RecordingOptions,
  place: DatabaseLocation,
  reserve: Reserve,
  check: () => ReturnType<Check> | null,
): Promise<Pick<Opening, "database" | "embedded" | "databaseLocation">> {
  const onUncertain = (error: Error) => channel.publish(diskFailed, error);
  try {
    if (openDatabase !== undefined && "file" in place) {
      const database = openDatabase(place.file, onUncertain);
      return { database, embedded: database, databaseLocation: null };
    }
    const opened = await openDatabaseAt(place, { onUncertain, check });
    return { ...opened, databaseLocation: place };
  } catch (error) {
    reserve.close();
    throw storeFault(error);
  }
}

/**
 * Returns whether the folder is in another place than at the last start. On a full disk, the next start records a new
 * place.
 */
function lookAtPlace(folder: string, databaseFile: string, channel: Channel): boolean {
  const found = findPlace(folder, databaseFile);
  if (found.moved !== null) channel.publish(warned, found.moved);
  try {
    if (found.isNew) rememberPlace(folder, found.place);
  } catch (error) {
    channel.publish(failed, error);
  }
  return found.moved !== null;
}
