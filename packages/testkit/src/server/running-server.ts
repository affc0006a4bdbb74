/** A real server in the process of the test, on a free port and over a fresh data folder. */
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type Clock, systemClock } from "@svc/host/clock";
import { type Database, openDatabase } from "@svc/host/store";
import { type Config, readConfig } from "../../../server/src/config.ts";
import { type DatabaseSettings, IN_FOLDER, placeOfDatabase } from "../../../server/src/database.ts";
import { initialize } from "../../../server/src/initialize.ts";
import { kernel } from "../../../server/src/kernel.ts";
import type { Service } from "../../../server/src/open-service.ts";
import { type RunningServer, serve } from "../../../server/src/serve.ts";
import { newServerPlace, ON_POSTGRES } from "../drivers.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { Client } from "./client.ts";

export const ORIGIN = "demo.example/evidence";

export type Made = Awaited<ReturnType<typeof initialize>>;

export function makeDeployment(dataFolder: string, databaseSettings: DatabaseSettings = IN_FOLDER): Promise<Made> {
  return initialize({
    dataFolder,
    databaseSettings,
    origin: ORIGIN,
    tenantName: "Bank",
    systemName: "Loans",
    useCase: "loan decisions",
    withKey: true,
    kernel,
    clock: systemClock,
  });
}

/** Resolves to the settings of a new, empty database of the store that the tests run on. */
export async function newDatabaseSettings(t: Pick<TestContext, "after">): Promise<DatabaseSettings> {
  if (!ON_POSTGRES) return IN_FOLDER;
  const { url, risks } = await newServerPlace(t);
  return { databaseUrl: url, databaseRisks: risks };
}

/** Returns the variables that tell a process of its own these settings. */
export function environmentOf({ databaseUrl, databaseRisks }: DatabaseSettings): Record<string, string> {
  return databaseUrl === null ? {} : { SVC_DATABASE_URL: databaseUrl, SVC_DATABASE_RISKS: databaseRisks.join() };
}

/** A deployment on the store that the tests run on. */
export interface TestDeployment {
  readonly made: Made;
  readonly databaseSettings: DatabaseSettings;
}

/** Resolves to a deployment that nobody serves, and the variables that tell a process of its own where it is. */
export async function newDeployment(
  t: Pick<TestContext, "after">,
  folder: string = join(temporaryFolder(), "data"),
): Promise<TestDeployment & { readonly environment: Record<string, string> }> {
  const databaseSettings = await newDatabaseSettings(t);
  const made = await makeDeployment(folder, databaseSettings);
  return { made, databaseSettings, environment: environmentOf(databaseSettings) };
}

/** Returns the database of a deployment as another process would open it; it is closed after the test. */
export function openDatabaseOf(
  t: Pick<TestContext, "after">,
  { made: { data_folder: path }, databaseSettings }: TestDeployment,
): Database {
  const databaseFile = databaseSettings.databaseUrl === null ? join(path, "svc.db") : null;
  const { database } = openDatabase(placeOfDatabase({ path, databaseFile }, databaseSettings));
  t.after(() => database.close());
  return database;
}

/** Resolves to a deployment that nobody serves, and its database. */
export async function openDeployment(
  t: Pick<TestContext, "after">,
): Promise<TestDeployment & { readonly database: Database }> {
  const deployment = await newDeployment(t);
  return { ...deployment, database: openDatabaseOf(t, deployment) };
}

export interface TestServer extends TestDeployment {
  readonly server: RunningServer<Service>;
  readonly client: Client;
}

/** Makes a deployment and serves it. */
export async function startServer(
  t: TestContext,
  changes: Partial<Config> = {},
  clock: Clock = systemClock,
): Promise<TestServer> {
  const { made, databaseSettings } = await newDeployment(t);
  // All tests of a process come from one address.
  const environment = {
    SVC_ADDRESS_REQUESTS_PER_SECOND: "0",
    SVC_LOG_LEVEL: "silent",
    SVC_SEAL_INTERVAL_MS: "20",
    SVC_PORT: "0",
    SVC_DATA: made.data_folder,
  };
  const server = await serve({ ...readConfig(environment), ...databaseSettings, ...changes }, { kernel, clock });
  t.after(() => server.close());
  return { made, databaseSettings, server, client: new Client(server.url, made.api_key ?? "") };
}

/** Serves a deployment that is served already once more, as another process would, with settings of its own. */
export async function serveAgain(
  t: TestContext,
  { made, databaseSettings }: TestDeployment,
  settings: Readonly<Record<string, string>> = {},
  clock: Clock = systemClock,
): Promise<RunningServer<Service>> {
  const environment = { SVC_LOG_LEVEL: "silent", SVC_PORT: "0", SVC_DATA: made.data_folder, ...settings };
  const server = await serve({ ...readConfig(environment), ...databaseSettings }, { kernel, clock });
  t.after(() => server.close());
  return server;
}
