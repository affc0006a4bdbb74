/**
 * The drivers of the database, for tests of what every driver must keep. Tests of a store run on the embedded one, and
 * on PostgreSQL where the environment says so.
 */
import { join } from "node:path";
import process from "node:process";
import type { TestContext } from "node:test";
import { type Database, IN_MEMORY, openDatabase, openSqlite, type ServerPlace } from "@svc/host/store";
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

/** The options of a test on one of the drivers: it is left out, with the reason, on a machine without PostgreSQL. */
export function driverOptions(driver: string): { readonly skip: string | false } {
  return { skip: driver === "postgres" && NO_POSTGRES };
}

/** The variable that says on which store the tests of stores and servers run: `sqlite`, or `postgres`. */
export const STORE = "SVC_TEST_STORE";
/** Whether they run on PostgreSQL. */
export const ON_POSTGRES = process.env[STORE] === "postgres";
/** For the options of a test about files of the database: why it is left out on PostgreSQL. */
export const ON_FILE = { skip: ON_POSTGRES ? "it is about the files of an embedded database" : false } as const;

/** Resolves to a new, empty database of the store that the tests run on; it is closed after the test. */
export async function newDatabase(t: Lifetime): Promise<Database> {
  const database = ON_POSTGRES ? openDatabase(await newServerPlace(t)).database : openSqlite(IN_MEMORY);
  t.after(() => database.close());
  return database;
}

/** Resolves to the place of a new, empty database on the shared server, until the end of the test. */
export async function newServerPlace(t: Lifetime): Promise<ServerPlace> {
  const server = await sharedPostgres();
  return { url: await server.newDatabase({ until: t }), risks: [] };
}
