/** `svc-server fsck`: verifies the whole database again, beside a running server or without one. */
import { statSync } from "node:fs";
import type { Fault } from "@svc/host/checks";
import { systemClock } from "@svc/host/clock";
import { printable } from "@svc/host/printable";
import { Command, InvalidArgumentError, Option } from "commander";
import { strayFiles } from "../archive/stray-files.ts";
import type { DataFolder } from "../data-folder/data-folder.ts";
import { lockFolder } from "../data-folder/folder-lock.ts";
import { inMib } from "../doctor/check-machine.ts";
import { checkEvidence } from "../fsck/check-evidence.ts";
import { checkFile } from "../fsck/check-file.ts";
import { checkSchema, SCHEMA } from "../fsck/check-schema.ts";
import { canCheckIndexes, checkIndexes, rebuildServerIndexes } from "../fsck/check-server.ts";
import { rebuildIndexes } from "../fsck/file-store.ts";
import { missingRecords, type UnaskedEvent, unaskedEvents } from "../idempotency/missing-records.ts";
import type { RecordGap } from "../idempotency/store.ts";
import { kernel } from "../kernel.ts";
import { tablesOfOthers } from "../program/platform-tables.ts";
import type { Program } from "../program/program.ts";
import { WITNESS_TABLE } from "../sealing/check-witness.ts";
import { serviceRow } from "../signing/service-store.ts";
import { readingMemory } from "../witness-memory/witness-memory.ts";
import { type DeploymentOptions, show, withDeployment } from "./deployment.ts";
import { progressLine } from "./progress-line.ts";

const DEFAULT_FAULTS = 20;
/** The size of a file whose pages take some seconds to check. */
const LONG_BYTES = 256 * 1024 * 1024;

/** Fsck has found a fault in the database. */
export class DatabaseFaulty extends Error {}

interface FsckOptions extends DeploymentOptions {
  readonly most: number;
  readonly rebuildIndexes?: true;
}

/** Returns the command `fsck`. */
export function fsckCommand(program: Program): Command {
  return new Command("fsck")
    .description(
      "look into the database's file, or a server's indexes, and verify every event, window, checkpoint, " +
        "statement, policy and package again; ends with 1 where one is wrong",
    )
    .option("--data <folder>", "the data folder (default: $SVC_DATA or ./svc-data)")
    .addOption(new Option("--most <number>", "stop after so many faults").default(DEFAULT_FAULTS).argParser(parseMost))
    .option(
      "--rebuild-indexes",
      "make all indexes anew first, from the rows of their tables; only while no server runs",
    )
    .option("--json", "print one JSON object instead of text")
    .action((options: FsckOptions) => fsck(program, options));
}

/** The parts of a server's database that were not looked at, in words. */
const NO_INDEXES =
  "The server's indexes were not looked at: the extension amcheck lets fsck do that, docs/operations.md says how.";

/** Returns what to know about files of the archive that are newer than all in the database. */
function laterWords([first, ...others]: readonly string[]): string {
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  return (
    `Note: files of the archive are newer than all in this database (${first}${more}). That is so after a restore, ` +
    `since the archive is copied last; nothing reads them. In a deployment that was not restored, they are of ` +
    `another one, or the database has lost what they hold.`
  );
}

/** Returns what to know about files in the folder of the archive that no server has made. */
function foreignWords(names: readonly string[]): string {
  const [first, ...others] = names.map((name) => printable(JSON.stringify(name)));
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  return (
    `Note: the folder of the archive has files that no server has made (${first}${more}). Nothing reads or removes ` +
    `them: look who has put them there.`
  );
}

/** Returns what to know about numbers that are missing among remembered requests. */
function gapWords([first, ...others]: readonly RecordGap[]): string {
  const more = others.length === 0 ? "" : `, and in ${others.length} more places`;
  return (
    `Note: among remembered requests, numbers between ${first?.after} and ${first?.before} are missing${more}. If ` +
    `somebody has removed these rows, a request that is repeated now is recorded twice. A clock that was set back ` +
    `leaves such gaps too, and so does a move from a PostgreSQL server.`
  );
}

/** Returns what to know about events whose requests are not remembered. */
function unaskedWords([first, ...others]: readonly UnaskedEvent[]): string {
  const more =
    others.length === 0 ? "" : `, nor of ${others.length}${others.length + 1 === 20 ? " or more" : ""} others`;
  return (
    `Note: the request that made event ${first?.seq_no} of ${first?.stream_id} is not remembered${more}. If somebody ` +
    `has removed its row, the same request is recorded twice when it is repeated. A clock that was set back leaves ` +
    `such events too.`
  );
}

/** Returns what to know about tables that no check of this program is about. */
function othersWords({ name }: Program, others: readonly string[]): string {
  return (
    `Note: ${others.length} tables belong to svc-platform, and ${name} does not look into them (${others[0]}, ` +
    `${others.at(-1)}). svc-platform fsck does.`
  );
}

/** The result of all checks. */
interface Found {
  readonly faults: readonly Fault[];
  /** Files of the archive that are newer than the database. */
  readonly later: readonly string[];
  /** Files in the folder of the archive that no server has made. */
  readonly foreign: readonly string[];
  /** Numbers that are missing among remembered requests. */
  readonly gaps: readonly RecordGap[];
  /** Events whose requests are not remembered. */
  readonly unasked: readonly UnaskedEvent[];
  /** The tables of another program. */
  readonly others: readonly string[];
  /** Whether indexes were held against their tables. */
  readonly indexes: boolean;
  readonly onServer: boolean;
}

async function fsck(program: Program, options: FsckOptions): Promise<void> {
  const { faults, later, foreign, gaps, unasked, others, indexes, onServer } = await findFaults(program, options);
  const lines = faults.map(({ table, row, fault }) => `${table} ${JSON.stringify(row)}: ${fault}`);
  const notLookedAt = [...(indexes ? [] : ["indexes"]), ...others];
  const json = {
    ok: faults.length === 0,
    faults,
    ...(later.length === 0 ? {} : { later_files: later }),
    ...(foreign.length === 0 ? {} : { foreign_files: foreign }),
    ...(gaps.length === 0 ? {} : { request_gaps: gaps }),
    ...(unasked.length === 0 ? {} : { events_without_request: unasked }),
    ...(notLookedAt.length === 0 ? {} : { not_looked_at: notLookedAt }),
  };
  show(options, json, [
    ...(faults.length === 0 ? ["Nothing is wrong."] : lines),
    ...(later.length === 0 ? [] : [laterWords(later)]),
    ...(foreign.length === 0 ? [] : [foreignWords(foreign)]),
    ...(gaps.length === 0 ? [] : [gapWords(gaps)]),
    ...(unasked.length === 0 ? [] : [unaskedWords(unasked)]),
    ...(indexes ? [] : [NO_INDEXES]),
    ...(others.length === 0 ? [] : [othersWords(program, others)]),
  ]);
  if (faults.length > 0)
    throw new DatabaseFaulty(
      `${faults.length} faults${faults.length === options.most ? " or more" : ""}, the first one in ` +
        `${faults[0]?.table}. ${advice(faults, onServer)}`,
    );
}

/**
 * Resolves to the first faults. Those of the file itself come first. If they make the rest unreadable, that is one more
 * fault.
 */
async function findFaults(program: Program, options: FsckOptions): Promise<Found> {
  const found: Fault[] = [];
  let [indexes, onServer] = [true, false];
  let [later, foreign]: [readonly string[], readonly string[]] = [[], []];
  let gaps: readonly RecordGap[] = [];
  let unasked: readonly UnaskedEvent[] = [];
  let others: readonly string[] = [];
  const take = async (faults: AsyncIterable<Fault> | readonly Fault[]) => {
    if (found.length >= options.most) return;
    for await (const fault of faults) if (found.push(fault) === options.most) return;
  };
  const line = progressLine();
  const onStep = (words: string) => line.say(words);
  try {
    await withDeployment(
      program,
      options,
      async ({ config, database, embedded, folder, keyedHash }) => {
        onServer = embedded === null;
        if (embedded === null) {
          if (options.rebuildIndexes) await withLock(folder, () => rebuildServerIndexes(database));
          indexes = await canCheckIndexes(database);
          await take(checkIndexes(database, onStep));
          await take(checkSchema(database, program, { onServer }));
        }
        const service = await database.read(serviceRow);
        const checked = {
          program,
          database,
          kernel,
          origin: service?.evidence_origin ?? "",
          keyedHash,
          exportsPath: folder.exportsPath,
          archivePath: folder.archivePath,
          privateFolder: folder.path,
          settings: () => config as never,
          witnesses: config.witnesses,
          onStep,
        };
        await readingMemory(folder.witnessMemoryPath, (witnessMemory) =>
          take(checkEvidence({ ...checked, witnessMemory })),
        );
        const strays = await strayFiles(database, folder.archivePath);
        ({ later, foreign } = strays);
        if (embedded !== null) gaps = await missingRecords(database);
        unasked = await unaskedEvents(database, systemClock);
        others = await database.read((reader) => tablesOfOthers(reader, program.schemas));
        await take(strays.faults);
      },
      {
        orOfBefore: true,
        first: async ({ embedded, folder }) => {
          // A server's database is looked at when it is known to be the folder's own.
          if (embedded === null || folder.databaseFile === null) return;
          if (options.rebuildIndexes) await withLock(folder, () => embedded.write(rebuildIndexes));
          const { size } = statSync(folder.databaseFile);
          line.say(`pages and indexes of svc.db, ${inMib(size)}`, size >= LONG_BYTES);
          await take(checkFile(embedded));
          if (found.length === 0) await take(checkSchema(embedded, program, { onServer: false }));
        },
      },
    );
  } catch (error) {
    // In a damaged file anything may be unreadable: the faults that were found say more than this error.
    if (found.length === 0) throw error;
    const fault = `what else is in it cannot be read: ${(error as Error).message}`;
    if (found.length < options.most) found.push({ table: "the database", row: {}, fault });
  } finally {
    line.end();
  }
  return { faults: found, later, foreign, gaps, unasked, others, indexes, onServer };
}

/** Returns the advice. An index holds nothing that its table lacks: damaged indexes need no backup. */
function advice(faults: readonly Fault[], onServer: boolean): string {
  if (faults.every(({ table }) => table === "archives" || table === "archive_folder"))
    return (
      "Only the archive is at fault: put its folder, or those files, back from their copy; docs/operations.md says " +
      "more."
    );
  if (faults.every(({ table, row }) => table === WITNESS_TABLE && Object.keys(row).length === 0))
    return (
      "The database verifies, but without what the witness remembers nobody can tell here whether it is older than " +
      "what was signed."
    );
  if (faults.every(({ table }) => table === WITNESS_TABLE))
    return (
      "The witness has signed what is not in the database: it is older, or was changed. Put the newer one back; if " +
      "that is lost for good, accept-loss."
    );
  if (faults.every(({ table }) => table === SCHEMA))
    return (
      "Somebody has changed the schema, and with it what was recorded since, or what is found. Look into who did; " +
      "undo the change, or put a backup back, and run fsck again."
    );
  if (!faults.every(({ table, row }) => table !== SCHEMA && "index" in row))
    return "Put the database back from a backup; keep this one as evidence.";
  const first = onServer ? "look to the disk of the database's server" : "look to the disk, copy the folder";
  return `Only indexes are damaged, and no row is lost: ${first}, stop the server, and run fsck --rebuild-indexes.`;
}

async function withLock(folder: DataFolder, work: () => Promise<void>): Promise<void> {
  const unlock = lockFolder(folder.path);
  try {
    await work();
  } finally {
    unlock();
  }
}

function parseMost(text: string): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (number >= 1) return number;
  throw new InvalidArgumentError("Give a whole number from 1 to 999999.");
}
