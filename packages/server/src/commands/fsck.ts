/** `svc-server fsck`: verifies the whole database again, beside a running server or without one. */
import { statSync } from "node:fs";
import type { Fault } from "@svc/host/checks";
import type { Database } from "@svc/host/store";
import { Command, InvalidArgumentError, Option } from "commander";
import { strayFiles } from "../archive/stray-files.ts";
import type { DataFolder } from "../data-folder/data-folder.ts";
import { lockFolder } from "../data-folder/folder-lock.ts";
import { requireEmbedded } from "../database.ts";
import { inMib } from "../doctor/check-machine.ts";
import { PackageFiles } from "../exports/package-files.ts";
import { checkEvidence } from "../fsck/check-evidence.ts";
import { checkFile } from "../fsck/check-file.ts";
import { rebuildIndexes } from "../fsck/file-store.ts";
import { kernel } from "../kernel.ts";
import { keyedHashUnder } from "../keys/keyed-hash.ts";
import { serviceRow } from "../tenancy/service-store.ts";
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
export function fsckCommand(): Command {
  return new Command("fsck")
    .description(
      "look into the file of the database and its indexes, and verify every event, window, checkpoint, statement, policy and package again; ends with 1 where one is wrong",
    )
    .option("--data <folder>", "the data folder (default: $SVC_DATA or ./svc-data)")
    .addOption(new Option("--most <number>", "stop after so many faults").default(DEFAULT_FAULTS).argParser(parseMost))
    .option(
      "--rebuild-indexes",
      "make all indexes anew first, from the rows of their tables; only while no server runs",
    )
    .option("--json", "print one JSON object instead of text")
    .action(fsck);
}

async function fsck(options: FsckOptions): Promise<void> {
  const faults = await findFaults(options);
  const lines = faults.map(({ table, row, fault }) => `${table} ${JSON.stringify(row)}: ${fault}`);
  show(options, { ok: faults.length === 0, faults }, faults.length === 0 ? ["Nothing is wrong."] : lines);
  if (faults.length > 0)
    throw new DatabaseFaulty(
      `${faults.length} faults${faults.length === options.most ? " or more" : ""}, the first one in ${faults[0]?.table}. ${advice(faults)}`,
    );
}

/**
 * Resolves to the first faults. Those of the file itself come first. If they make the rest unreadable, that is one more
 * fault.
 */
async function findFaults(options: FsckOptions): Promise<Fault[]> {
  const found: Fault[] = [];
  const take = async (faults: AsyncIterable<Fault>) => {
    if (found.length >= options.most) return;
    for await (const fault of faults) if (found.push(fault) === options.most) return;
  };
  const line = progressLine();
  try {
    await withDeployment(
      options,
      async ({ database, folder }) => {
        const service = await database.read(serviceRow);
        const packages = new PackageFiles(folder.exportsPath);
        const keyedHash = keyedHashUnder(folder.pepper);
        const { archivePath } = folder;
        const context = { database, kernel, origin: service?.evidence_origin ?? "", keyedHash, packages, archivePath };
        await take(checkEvidence({ ...context, onStep: (words) => line.say(words) }));
        await take(strayFiles(database, archivePath));
      },
      {
        first: async ({ database, embedded, folder }) => {
          if (options.rebuildIndexes)
            await rebuild(folder, requireEmbedded({ database, embedded }, "--rebuild-indexes"));
          // The pages of a server are its own.
          if (embedded === null || folder.databaseFile === null) return;
          const { size } = statSync(folder.databaseFile);
          line.say(`pages and indexes of svc.db, ${inMib(size)}`, size >= LONG_BYTES);
          await take(checkFile(embedded));
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
  return found;
}

/** Returns the advice. An index holds nothing that its table lacks: damaged indexes need no backup. */
function advice(faults: readonly Fault[]): string {
  if (faults.every(({ table }) => table === "archives" || table === "archive_folder"))
    return "Only the archive is at fault: put its folder, or those files, back from their copy; docs/operations.md says more.";
  return faults.every(({ row }) => "index" in row)
    ? "Only indexes are damaged, and no row is lost: look to the disk, copy the folder, stop the server, and run fsck --rebuild-indexes."
    : "Put the database back from a backup; keep this one as evidence.";
}

async function rebuild(folder: DataFolder, database: Database): Promise<void> {
  const unlock = lockFolder(folder.path);
  try {
    await database.write(rebuildIndexes);
  } finally {
    unlock();
  }
}

function parseMost(text: string): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (number >= 1) return number;
  throw new InvalidArgumentError("Give a whole number from 1 to 999999.");
}
