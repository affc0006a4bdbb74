/** A real PgBouncer in front of a PostgreSQL server, from the machine: no package of the registry brings it. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { freePort } from "./free-port.ts";
import type { Lifetime } from "./lifetime.ts";
import { type Administered, administered, NO_POSTGRES } from "./postgres.ts";
import { giveAway, RUN_AS } from "./postgres-programs.ts";
import { without } from "./runtimes.ts";
import { serverFolder } from "./server-folder.ts";

const HOST = "127.0.0.1";
const DEPLOYED = new URL("../../../deploy/postgres/pgbouncer.ini", import.meta.url);
/** The settings of a deployed PgBouncer that are its addresses and files. */
const OF_PLACE = ["listen_addr", "listen_port", "unix_socket_dir", "auth_file"];

/** Debian has it where other users' PATH does not lead. */
const PROGRAM: string =
  [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"]
    .map((folder) => join(folder, "pgbouncer"))
    .find((file) => existsSync(file)) ?? "pgbouncer";

/** Why a test with PgBouncer is skipped; false if it can run, and under CI, where it then fails. */
export const NO_PGBOUNCER: string | false = NO_POSTGRES || without(PROGRAM);
if (NO_PGBOUNCER) console.error(`\n!!! ${NO_PGBOUNCER}\n`);

/** The choices of a new PgBouncer. */
export interface PgBouncerOptions {
  /** How long a client keeps its connection to the server; `transaction` unless told. */
  readonly poolMode?: "session" | "transaction" | "statement";
  /** Further settings of its section `[pgbouncer]`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A PgBouncer: what its server's administrator asks of the server goes through it. */
export interface PgBouncer extends Administered {
  /** Throws while it is stopped. */
  readonly pid: number;
  /** Returns the URL of a server's database with PgBouncer's host and port. It knows the administrator alone. */
  through(url: string): string;
  /** Stops it at once: all connections end. */
  stop(): Promise<void>;
  /** Starts it again on the same port; resolves when it takes connections. */
  start(): Promise<void>;
}

/** Returns the settings of deploy/postgres/pgbouncer.ini, without its addresses and files. */
export function deployedPooling(): Record<string, string> {
  const lines = [...readFileSync(DEPLOYED, "utf8").matchAll(/^(\w+) = ?(.*)$/gm)];
  return Object.fromEntries(
    lines.flatMap(([, name = "", value = ""]) => (OF_PLACE.includes(name) ? [] : [[name, value]])),
  );
}

/**
 * Starts PgBouncer on a free port, for all databases of a server, until the end of the test. Its own console is the
 * database `pgbouncer`.
 */
export async function startPgBouncer(
  t: Lifetime,
  target: Administered,
  { poolMode = "transaction", settings = {} }: PgBouncerOptions = {},
): Promise<PgBouncer> {
  const folder = serverFolder(t);
  const port = await freePort();
  const users = join(folder.path, "users");
  const config = join(folder.path, "pgbouncer.ini");
  const { username, password } = new URL(target.url());
  const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
  const own = {
    listen_addr: HOST,
    listen_port: `${port}`,
    unix_socket_dir: "",
    auth_type: "scram-sha-256",
    auth_file: users,
    admin_users: user,
    pool_mode: poolMode,
    ...settings,
  };
  writeFileSync(users, `"${user}" "${secret}"\n`, { mode: 0o600 });
  writeFileSync(
    config,
    [
      ...["[databases]", `* = host=${target.host} port=${target.port}`, "[pgbouncer]"],
      ...Object.entries(own).map(([name, value]) => `${name} = ${value}`),
      "",
    ].join("\n"),
  );
  await giveAway(users);
  const through = (url: string) => {
    const at = new URL(url);
    at.host = `${HOST}:${port}`;
    return at.href;
  };
  const server = administered(through(target.url()));
  const program = folder.program({
    name: "PgBouncer",
    file: PROGRAM,
    words: [config],
    options: { ...RUN_AS, env: { PATH: process.env.PATH ?? "" } },
    isReady: () =>
      server.run("SHOW VERSION", "pgbouncer").then(
        () => true,
        () => false,
      ),
    signal: "SIGTERM",
  });
  await program.start();
  return {
    ...server,
    get pid() {
      return program.pid;
    },
    through,
    start: program.start,
    stop: () => program.stop("SIGTERM"),
  };
}
