/**
 * `svc-server migrate-store`: moves the database of a deployment from the file in its folder to a PostgreSQL server, or
 * back. Nothing that anybody can read of the deployment changes.
 */
import { systemClock } from "@svc/host/clock";
import { Mistakes, UsageError } from "@svc/host/settings";
import {
  requireServer,
  type ServerLocation,
  StoreFull,
  StoreUnavailable,
  StoreUncertain,
  UnfitServer,
} from "@svc/host/store";
import { Command } from "commander";
import {
  type DataFolder,
  DataFolderError,
  openDataFolder,
  requirePrivateFiles,
  stateOf,
} from "../data-folder/data-folder.ts";
import { lockFolder } from "../data-folder/folder-lock.ts";
import { locationOfDatabase } from "../deployment/database.ts";
import { kernel } from "../kernel.ts";
import type { Moved, Moving } from "../moving/sides.ts";
import { moveToFile } from "../moving/to-file.ts";
import { moveToServer, type NamedServer } from "../moving/to-server.ts";
import type { Program } from "../program/program.ts";
import { type Config, readConfig } from "../settings/config.ts";
import { serverAddress } from "../settings/process-settings.ts";
import { type DeploymentOptions, show } from "./deployment.ts";
import { invocation, shownFolder } from "./invocation.ts";
import { progressLine } from "./progress-line.ts";

interface Options extends DeploymentOptions {
  /** The address of the database; true where SVC_DATABASE_URL has it. */
  readonly to?: string | true;
  readonly toFile?: true;
}

/** Returns the command `migrate-store`. */
export function migrateStoreCommand(program: Program): Command {
  return new Command("migrate-store")
    .description(
      "move the database to a PostgreSQL server, or back to a file, and verify both; only while no server runs, " +
        "and where it is cut off, run it again",
    )
    .option(
      "--to [url]",
      "the empty database to move to, postgres://user:password@host:5432/database; without a URL that of " +
        "SVC_DATABASE_URL, so that nobody sees the password",
    )
    .option("--to-file", "move the database of SVC_DATABASE_URL to the file svc.db in the data folder")
    .option("--data <folder>", "the data folder (default: $SVC_DATA or ./svc-data)")
    .option("--json", "print one JSON object instead of text")
    .action((options: Options) => migrateStore(program, options));
}

async function migrateStore(program: Program, options: Options): Promise<void> {
  if ((options.to === undefined) === (options.toFile === undefined))
    throw new UsageError(["Say where to: --to with the address of a PostgreSQL database, or --to-file."]);
  const config = readConfig(program, process.env, options);
  const folder = openDataFolder(config.dataFolder, config, { orBetween: true });
  requirePrivateFiles(folder.path);
  const unlock = lockFolder(folder.path);
  const line = progressLine();
  try {
    const moving: Moving = {
      program,
      folder,
      progressFile: config.progressFile,
      settings: () => config as never,
      kernel,
      clock: systemClock,
      onStep: (words) => line.say(words),
    };
    if (options.to === undefined) await toFile(options, config, moving, () => line.end());
    else await toServer(options, addressOf(options.to, config), moving, () => line.end());
  } catch (error) {
    throw explained(error);
  } finally {
    line.end();
    unlock();
  }
}

async function toServer(options: Options, place: ServerLocation, moving: Moving, onEnd: () => void): Promise<void> {
  const server = await named(place, typeof options.to === "string" ? "--to" : "SVC_DATABASE_URL");
  const moved = await moveToServer(moving, server);
  onEnd();
  const { path } = moving.folder;
  show(options, { data_folder: path, moved_to: server.name, ...moved }, [
    `The database of ${path} is ${server.name} now: ${figures(moved)}.`,
    "The file has the name svc.db.migrated, and is not served any more. It keeps every payload that is erased " +
      "from now on: delete it when the server's database has a backup.",
    `Next: set SVC_DATABASE_URL, and ${invocation(moving.program)} start --data ${shownFolder(path)}`,
  ]);
}

async function toFile(options: Options, config: Config, moving: Moving, onEnd: () => void): Promise<void> {
  const { folder } = moving;
  const isBetween = stateOf(folder.path) === "between";
  if (folder.databaseFile !== null && !isBetween)
    throw new DataFolderError(`The database of ${folder.path} is the file svc.db in it already.`);
  const server = isBetween ? null : await named(serverLocationOf(folder, config), "SVC_DATABASE_URL");
  const moved = await moveToFile(moving, server);
  onEnd();
  show(options, { data_folder: folder.path, moved_to: "svc.db", ...moved }, [
    `The database of ${folder.path} is the file svc.db in it now: ${figures(moved)}.`,
    "That of the server is not served any more. It keeps every payload that is erased from now on: drop it when " +
      "the folder has a backup.",
    `Next: unset SVC_DATABASE_URL, and ${invocation(moving.program)} start --data ${shownFolder(folder.path)}`,
  ]);
}

function figures({ events, streams, rows }: Moved): string {
  const compared = rows === null ? "" : `; ${rows} rows are the same on both sides, and fsck found nothing wrong`;
  return `${events} events in ${streams} streams${compared}`;
}

/** Returns the place that `--to` names. Throws UsageError for a text that is no address, and where two are named. */
function addressOf(to: string | true, { databaseUrl, databaseRisks: risks }: Config): ServerLocation {
  if (to === true) {
    if (databaseUrl !== null) return { url: databaseUrl, risks };
    throw new UsageError([
      "--to names no database, and SVC_DATABASE_URL is not set. Set it: postgres://user:password@host:5432/database",
    ]);
  }
  const url = serverAddress(to, "--to");
  if (url instanceof Mistakes) throw new UsageError(url.sentences);
  if (databaseUrl !== null && databaseUrl !== url)
    throw new UsageError([
      "--to and SVC_DATABASE_URL name different databases. Give --to without an address, or unset it.",
    ]);
  return { url, risks };
}

function serverLocationOf(folder: DataFolder, config: Config): ServerLocation {
  const place = locationOfDatabase(folder, config);
  if ("url" in place) return place;
  throw new DataFolderError(`The database of ${folder.path} is the file svc.db in it already.`);
}

/** Looks at a server; resolves to it with its name. `from`: where its address is from. */
async function named(place: ServerLocation, from: string): Promise<NamedServer> {
  try {
    const { host, database } = await requireServer(place);
    return { place, name: `the database ${database} at ${host}` };
  } catch (error) {
    const { message } = error as Error;
    const says = message.replaceAll("SVC_DATABASE_URL", from);
    if (error instanceof UnfitServer) throw new DataFolderError(says);
    throw error instanceof StoreUnavailable ? new StoreUnavailable(says) : error;
  }
}

/** Returns an error of a store with the next step. */
function explained(error: unknown): unknown {
  if (error instanceof StoreFull)
    return new DataFolderError(`${upper(error.message)}. Make room, and run this again; it goes on.`);
  if (error instanceof StoreUncertain)
    return new DataFolderError(`${upper(error.message)}. Run this again; it goes on.`);
  return error;
}

function upper(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
