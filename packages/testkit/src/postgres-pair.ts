/**
 * Two PostgreSQL servers: a primary, and a standby that has each commit on its disk before the primary answers. The
 * programs are without pg_basebackup: the standby begins as a copy of the running primary's data folder.
 */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Lifetime } from "./lifetime.ts";
import { type DatabaseOptions, type Postgres, type PostgresOptions, type Settings, serve } from "./postgres.ts";
import { copyRunning } from "./postgres-backup.ts";
import { ADMINISTRATOR, giveAway, makeDataFolder, programs } from "./postgres-programs.ts";
import { type ServerFolder, serverFolder } from "./server-folder.ts";
import { until } from "./until.ts";

/** The name by which the primary knows the standby. */
const STANDBY = "standby";
const PROMOTED_S = 20;

/** A place where somebody listens. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** The choices of a new pair. */
export interface PairOptions extends PostgresOptions {
  /** Where the standby reaches the primary: a proxy, for one whose link fails. Unless told: the primary itself. */
  readonly link?: (primary: Place) => Promise<Place>;
}

/** A primary and its standby. */
export interface PostgresPair {
  readonly primary: Postgres;
  readonly standby: Postgres;
  /** Returns the administrator's URL of a database, as libpq has it: both hosts, and that the writable one is meant. */
  url(database?: string): string;
  /** Makes a database on the primary, and resolves to the URL with both hosts. */
  newDatabase(options?: DatabaseOptions): Promise<string>;
  /**
   * Makes the standby a primary, and resolves when it can be written; it waits for no standby. The old primary is not
   * stopped: that is for the caller to do, or not.
   */
  promote(): Promise<void>;
}

/** Starts both with an empty data folder; resolves when the primary waits for the standby at each commit. */
export async function startPair(t: Lifetime, options: PairOptions = {}): Promise<PostgresPair> {
  const folders = [serverFolder(t), serverFolder(t)] as const;
  const password = await makeDataFolder(join(folders[0].path, "data"));
  const { settings = {}, link = async (primary: Place) => primary } = options;
  // It keeps what it wrote for a standby that is away for a while.
  const primary = await serve(folders[0], password, { wal_keep_size: "1GB", ...settings });
  const standby = await startStandby(primary, folders[1], { settings, link: await link(primary) });

  const url = (database?: string) => {
    const hosts = [primary, standby].map((one) => `${one.host}:${one.port}`).join(",");
    return primary
      .url(database)
      .replace(/@[^/]*/, `@${hosts}`)
      .concat("?target_session_attrs=read-write");
  };
  const newDatabase = async (choices?: DatabaseOptions) =>
    url(new URL(await primary.newDatabase(choices)).pathname.slice(1));
  return { primary, standby, url, newDatabase, promote: () => promote(standby) };
}

/** The choices of a new standby. */
export interface StandbyOptions {
  readonly settings?: Settings;
  /** Where it reaches the primary; unless told, the primary itself. */
  readonly link?: Place;
}

/**
 * Starts a standby of a running primary, which has none and waits for none, in a new folder. Resolves when the primary
 * waits for it at each commit.
 */
export async function startStandby(
  primary: Postgres,
  folder: ServerFolder,
  { settings = {}, link = primary }: StandbyOptions = {},
): Promise<Postgres> {
  const data = join(folder.path, "data");
  await copyRunning(primary, data);
  writeFileSync(join(data, "standby.signal"), "");
  await giveAway(data);
  const { password } = new URL(primary.url());
  const standby = await serve(folder, password, {
    ...settings,
    synchronous_standby_names: "",
    primary_conninfo: `host=${link.host} port=${link.port} user=${ADMINISTRATOR} password=${password} application_name=${STANDBY}`,
  });
  await primary.configure({ synchronous_standby_names: STANDBY });
  await until("the primary waits for the standby", async () => {
    const [state] = await primary.run("SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'");
    return state?.sync_state === "sync" ? true : null;
  });
  return standby;
}

/** Makes a standby a primary that waits for no standby, and resolves when it can be written. */
export async function promote(standby: Postgres): Promise<void> {
  const { pgCtl, options } = await programs();
  await promisify(execFile)(pgCtl, ["promote", "-D", standby.dataFolder, "-w", "-t", `${PROMOTED_S}`], {
    ...options,
    cwd: "/",
    timeout: 2 * PROMOTED_S * 1000,
  });
  await until("the standby can be written", async () => {
    const [state] = await standby.run("SHOW transaction_read_only");
    return state?.transaction_read_only === "off" ? true : null;
  });
}
