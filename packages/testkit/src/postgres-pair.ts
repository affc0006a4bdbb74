/**
 * Two PostgreSQL servers: a primary, and a standby that has each commit on its disk before the primary answers. The
 * programs are without pg_basebackup: the standby begins as a copy of the data folder that the primary begins with.
 */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Lifetime } from "./lifetime.ts";
import { type DatabaseOptions, type Postgres, type PostgresOptions, serve } from "./postgres.ts";
import { ADMINISTRATOR, copyDataFolder, giveAway, makeDataFolder, programs } from "./postgres-programs.ts";
import { serverFolder } from "./server-folder.ts";
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
   * Makes the standby a primary, and resolves when it can be written; it waits for no standby of its own. The old
   * primary is not stopped: that is for the caller to do, or not.
   */
  promote(): Promise<void>;
}

/** Starts both with an empty data folder; resolves when the primary waits for the standby at each commit. */
export async function startPair(t: Lifetime, options: PairOptions = {}): Promise<PostgresPair> {
  const folders = [serverFolder(t), serverFolder(t)] as const;
  const [first, second] = [join(folders[0].path, "data"), join(folders[1].path, "data")];
  const password = await makeDataFolder(first);
  await copyDataFolder(first, second);
  const { settings, link = async (primary: Place) => primary } = options;
  const primary = await serve(folders[0], password, {
    ...settings,
    synchronous_standby_names: STANDBY,
    // It keeps what it wrote for a standby that is away for a while.
    wal_keep_size: "1GB",
  });
  const { host, port } = await link(primary);
  writeFileSync(join(second, "standby.signal"), "");
  await giveAway(second);
  const standby = await serve(folders[1], password, {
    ...settings,
    primary_conninfo: `host=${host} port=${port} user=${ADMINISTRATOR} password=${password} application_name=${STANDBY}`,
  });
  await until("the primary waits for the standby", async () => {
    const [state] = await primary.run("SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'");
    return state?.sync_state === "sync" ? true : null;
  });

  const url = (database?: string) => {
    const hosts = [primary, standby].map((one) => `${one.host}:${one.port}`).join(",");
    return primary
      .url(database)
      .replace(/@[^/]*/, `@${hosts}`)
      .concat("?target_session_attrs=read-write");
  };
  const promote = async () => {
    const { pgCtl, options: asItsUser } = await programs();
    await promisify(execFile)(pgCtl, ["promote", "-D", standby.dataFolder, "-w", "-t", `${PROMOTED_S}`], {
      ...asItsUser,
      cwd: "/",
      timeout: 2 * PROMOTED_S * 1000,
    });
    await until("the standby can be written", async () => {
      const [state] = await standby.run("SHOW transaction_read_only");
      return state?.transaction_read_only === "off" ? true : null;
    });
  };
  const newDatabase = async (choices?: DatabaseOptions) =>
    url(new URL(await primary.newDatabase(choices)).pathname.slice(1));
  return { primary, standby, url, newDatabase, promote };
}
