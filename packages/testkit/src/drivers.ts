/**
 * The drivers of the database, for tests of what every driver must keep. Tests of a store run on the embedded one, and
 * on PostgreSQL where the environment says so.
 */
import { join } from "node:path";
import process from "node:process";
import type { TestContext } from "node:test";
import type { Clock } from "@svc/host/clock";
import { type Database, IN_MEMORY, openDatabase, openSqlite, type ServerLocation, type Writer } from "@svc/host/store";
import { NO_POSTGRES, sharedPostgres } from "./postgres.ts";
import { temporaryFolder } from "./temporary-folder.ts";

type Lifetime = Pick<TestContext, "after">;

/** Each driver: makes a database, and opens the same one again as another process would. */
export const DRIVERS: Readonly<Record<string, (t: Lifetime) => Promise<() => Database>>> = {
  sqlite: async (t) => {
    const path = join(temporaryFolder(), "svc.db");
    return () => {
      const database = openSqlite(path);
      t.after(() => database.close());
      return database;
    };
  },
  postgres: async (t) => {
    const place = await newServerPlace(t);
    return () => {
      const { database } = openDatabase(place);
      t.after(() => database.close());
      return database;
    };
  },
};

/** The variable that says on which store the tests of stores and servers run: `sqlite`, or `postgres`. */
export const STORE = "SVC_TEST_STORE";
/** Whether they run on PostgreSQL. */
export const ON_POSTGRES = process.env[STORE] === "postgres";

/** Why tests are left out of a run on PostgreSQL. A run under CI fails where one is left out for any other reason. */
export const LEFT_OUT = {
  ofFiles: "it is about the files of an embedded database",
  named: "it names its stores itself, and runs where the others run on files",
} as const;
/** The options of a test about files of the database. */
export const ON_FILE = { skip: ON_POSTGRES ? LEFT_OUT.ofFiles : false } as const;
/** The options of a test that names its stores itself, PostgreSQL among them. */
export const ON_NAMED = { skip: ON_POSTGRES ? LEFT_OUT.named : NO_POSTGRES } as const;

/** The options of a test on one of the drivers. */
export function driverOptions(driver: string): { readonly skip: string | false } {
  return driver === "postgres" ? ON_NAMED : ON_FILE;
}

/** Resolves to a new, empty database of the store that the tests run on; it is closed after the test. */
export async function newDatabase(t: Lifetime): Promise<Database> {
  const database = ON_POSTGRES ? openDatabase(await newServerPlace(t)).database : openSqlite(IN_MEMORY);
  t.after(() => database.close());
  return database;
}

/** Resolves to the place of a new, empty database on the shared server, until the end of the test. */
export async function newServerPlace(t: Lifetime): Promise<ServerLocation> {
  const server = await sharedPostgres();
  return { url: await server.newDatabase({ until: t }), risks: [] };
}

/**
 * Returns the database with another time than its own: a server's cannot be moved by a test. `time` takes the clock of
 * the process that asks.
 */
export function withTime(database: Database, time: (clock: Clock) => number): Database {
  const around = (writer: Writer): Writer =>
    new Proxy(writer, {
      get: (target, name) => {
        if (name === "now") return async (clock: Clock) => time(clock);
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  return {
    maxWriters: database.maxWriters,
    get commits() {
      return database.commits;
    },
    read: (work) => database.read(work),
    write: (work, options) => database.write((writer) => work(around(writer)), options),
    close: () => database.close(),
  };
}
