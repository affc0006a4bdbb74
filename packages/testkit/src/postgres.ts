/** Real PostgreSQL servers. None outlives the process that started it. */
import { randomBytes } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { Client } from "pg";
import { freePort } from "./free-port.ts";
import type { Lifetime } from "./lifetime.ts";
import { ADMINISTRATOR, makeDataFolder, programs } from "./postgres-programs.ts";
import { type ServerFolder, serverFolder } from "./server-folder.ts";

export { NO_POSTGRES } from "./postgres-programs.ts";

/** The variable with the URL of a server's administrator, for a whole run of tests. */
export const SHARED = "SVC_TEST_POSTGRES";

const HOST = "127.0.0.1";
const CONNECTED_MS = 20_000;

/** A row, by its columns' names. */
export type Row = Readonly<Record<string, unknown>>;

/** The choices of a new database. */
export interface DatabaseOptions {
  /** `UTF8` unless told. */
  readonly encoding?: string;
  /** `C.UTF-8` unless told. */
  readonly locale?: string;
  /**
   * After its end the database is dropped, when the next one is made: what the test has opened is closed by then.
   * Without it the database stays as long as the server.
   */
  readonly until?: Lifetime;
}

/** A server, as its administrator sees it. */
export interface Administered {
  readonly host: string;
  readonly port: number;
  /** Returns the administrator's URL of a database, `postgres` by default. */
  url(database?: string): string;
  /** Makes a database, and resolves to the administrator's URL of it. */
  newDatabase(options?: DatabaseOptions): Promise<string>;
  /** Runs statements on a new connection; resolves to the rows of the last one. */
  run(sql: string, database?: string): Promise<readonly Row[]>;
}

/** How a server is stopped: `fast` writes a checkpoint; after `immediate` it recovers, as after a crash. */
export type StopMode = "fast" | "immediate";
const SIGNALS = { fast: "SIGINT", immediate: "SIGQUIT" } as const;

/** A server of the caller's own. */
export interface Postgres extends Administered {
  readonly dataFolder: string;
  /** The process that the others of the server are children of. Throws while the server is stopped. */
  readonly pid: number;
  /** Whether it runs. After a fault it may have ended by itself. */
  readonly isRunning: boolean;
  /** Resolves when the server has ended. */
  stop(mode: StopMode): Promise<void>;
  /** Returns all that the server has logged. */
  log(): string;
  /** Starts a stopped server on the same port; resolves when it takes connections. */
  start(): Promise<void>;
  /** Changes settings that a running server reads again. */
  configure(settings: Settings): Promise<void>;
  /** Stops all of its processes as they are, as if its machine hung; its connections stay open. Linux only. */
  hang(): void;
  /** Lets them go on. */
  wake(): void;
}

/** Settings of postgresql.conf. */
export type Settings = Readonly<Record<string, string>>;

/** The choices of a new server. */
export interface PostgresOptions {
  readonly settings?: Settings;
}

/** Starts a server with an empty data folder on a free port, until the end of the test. */
export async function startPostgres(t: Lifetime, options: PostgresOptions = {}): Promise<Postgres> {
  const folder = serverFolder(t);
  const password = await makeDataFolder(join(folder.path, "data"));
  return serve(folder, password, options.settings ?? {});
}

/** Serves the folder `data` of a server's folder, on a free port. */
export async function serve(folder: ServerFolder, password: string, settings: Settings): Promise<Postgres> {
  const { postgres, options } = await programs();
  const dataFolder = join(folder.path, "data");
  const port = await freePort();
  configure(dataFolder, { listen_addresses: HOST, port: `${port}`, unix_socket_directories: "", ...settings });
  const server = folder.program({
    name: "PostgreSQL",
    file: postgres,
    words: ["-D", dataFolder],
    options,
    isReady: async (pid) => isServing(dataFolder, pid),
    signal: SIGNALS.immediate,
  });
  await server.start();
  const administrator = administered(`postgresql://${ADMINISTRATOR}:${password}@${HOST}:${port}/postgres`);
  return {
    ...administrator,
    dataFolder,
    get pid() {
      return server.pid;
    },
    log: server.log,
    get isRunning() {
      return server.isRunning;
    },
    start: server.start,
    stop: (mode) => server.stop(SIGNALS[mode]),
    hang: server.hang,
    wake: server.wake,
    configure: async (changes) => {
      configure(dataFolder, changes);
      await administrator.run("SELECT pg_reload_conf()");
    },
  };
}

/** Appends settings to a data folder's own; the last one of a name counts. */
function configure(dataFolder: string, settings: Settings): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`);
  appendFileSync(join(dataFolder, "postgresql.conf"), lines.join(""));
}

/** Says whether a server itself has noted that it takes connections, in the file that names its process. */
function isServing(dataFolder: string, pid: number): boolean {
  try {
    const lines = readFileSync(join(dataFolder, "postmaster.pid"), "utf8").split("\n");
    return lines[0] === `${pid}` && lines[7]?.trim() === "ready";
  } catch {
    return false;
  }
}

/** Returns the server of an administrator's URL. */
export function administered(administrator: string): Administered {
  const { hostname, port } = new URL(administrator);
  const url = (database = "postgres") => {
    const at = new URL(administrator);
    at.pathname = `/${encodeURIComponent(database)}`;
    return at.href;
  };
  const run = async (sql: string, database?: string) => {
    const client = new Client({ connectionString: url(database), connectionTimeoutMillis: CONNECTED_MS });
    // A server that is killed ends the connection; the query itself fails then.
    client.on("error", () => undefined);
    await client.connect();
    try {
      const results: unknown = await client.query(sql);
      const last = (Array.isArray(results) ? results.at(-1) : results) as { readonly rows: readonly Row[] };
      return last.rows;
    } finally {
      await client.end();
    }
  };
  const over: string[] = [];
  const newDatabase = async ({ encoding = "UTF8", locale = "C.UTF-8", until: lifetime }: DatabaseOptions = {}) => {
    for (const old of over.splice(0)) await run(`DROP DATABASE IF EXISTS ${old} WITH (FORCE)`);
    const name = `svc_test_${randomBytes(8).toString("hex")}`;
    await run(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING '${encoding}' LOCALE '${locale}'`);
    lifetime?.after(() => void over.push(name));
    return url(name);
  };
  return { host: hostname, port: Number(port || 5432), url, newDatabase, run };
}

let shared: Promise<Administered> | undefined;

/**
 * Resolves to the one server that all tests of a process have, or of a run of the tests, if `SVC_TEST_POSTGRES` holds
 * the URL of its administrator. Each caller makes its own databases; a test that changes or kills a server starts its
 * own server.
 */
export function sharedPostgres(): Promise<Administered> {
  shared ??= startShared();
  return shared;
}

async function startShared(): Promise<Administered> {
  // The guard ends our own with the process.
  const url =
    process.env[SHARED] ?? (await startPostgres({ after: () => undefined }, { settings: SHARED_SETTINGS })).url();
  return administered(url);
}

/** Many connect to it, and make databases: checkpoints in between would only take time. */
const SHARED_SETTINGS = { max_connections: "400", max_wal_size: "4GB", checkpoint_timeout: "1h" };
