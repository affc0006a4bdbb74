/** A real server in the process of the test, on a free port and over a fresh data folder. */
import { join } from "node:path";
import { type Clock, systemClock } from "@svc/host/clock";
import { type Database, openDatabase } from "@svc/host/store";
import { type DatabaseSettings, locationOfDatabase } from "../../../server/src/deployment/database.ts";
import { initialize } from "../../../server/src/initialize.ts";
import { kernel } from "../../../server/src/kernel.ts";
import type { Service } from "../../../server/src/serving/open-service.ts";
import { type RunningServer, serve } from "../../../server/src/serving/serve.ts";
import { type Config, readConfig } from "../../../server/src/settings/config.ts";
import { THIN_SERVER } from "../../../server/src/thin-server/program.ts";
import type { Lifetime } from "../lifetime.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { Client } from "./client.ts";
import { settingsOf } from "./folder-database.ts";

export const ORIGIN = "demo.example/evidence";

export type Made = Awaited<ReturnType<typeof initialize>>;

/** Makes a deployment that nobody serves, on the store that the tests run on unless told. */
export async function makeDeployment(dataFolder: string, databaseSettings?: DatabaseSettings): Promise<Made> {
  return initialize({
    program: THIN_SERVER,
    dataFolder,
    databaseSettings: databaseSettings ?? (await settingsOf(dataFolder)),
    origin: ORIGIN,
    tenantName: "Bank",
    systemName: "Loans",
    useCase: "loan decisions",
    withKey: true,
    kernel,
    clock: systemClock,
  });
}

/** A deployment on the store that the tests run on. */
export interface TestDeployment {
  readonly made: Made;
  readonly databaseSettings: DatabaseSettings;
}

async function newDeployment(t: Lifetime): Promise<TestDeployment> {
  const folder = join(temporaryFolder(), "data");
  const databaseSettings = await settingsOf(folder, t);
  return { databaseSettings, made: await makeDeployment(folder) };
}

/** Resolves to the database of a deployment as another process would open it; it is closed after the test. */
export async function openDatabaseOf(t: Lifetime, path: string): Promise<Database> {
  const settings = await settingsOf(path);
  const databaseFile = settings.databaseUrl === null ? join(path, "svc.db") : null;
  const { database } = openDatabase(locationOfDatabase({ path, databaseFile }, settings));
  t.after(() => database.close());
  return database;
}

/** Resolves to a deployment that nobody serves, and its database. */
export async function openDeployment(t: Lifetime): Promise<TestDeployment & { readonly database: Database }> {
  const deployment = await newDeployment(t);
  return { ...deployment, database: await openDatabaseOf(t, deployment.made.data_folder) };
}

export interface TestServer extends TestDeployment {
  readonly server: RunningServer<Service>;
  readonly client: Client;
}

/** Makes a deployment and serves it. */
export async function startServer(
  t: Lifetime,
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
  const server = await serve(
    THIN_SERVER,
    { ...readConfig(THIN_SERVER, environment), ...databaseSettings, ...changes },
    { kernel, clock },
  );
  t.after(() => server.close());
  return { made, databaseSettings, server, client: new Client(server.url, made.api_key ?? "") };
}

/** Serves a deployment that is served already once more, as another process would, with other settings. */
export async function serveAgain(
  t: Lifetime,
  { made, databaseSettings }: TestDeployment,
  settings: Readonly<Record<string, string>> = {},
  clock: Clock = systemClock,
): Promise<RunningServer<Service>> {
  const environment = { SVC_LOG_LEVEL: "silent", SVC_PORT: "0", SVC_DATA: made.data_folder, ...settings };
  const server = await serve(
    THIN_SERVER,
    { ...readConfig(THIN_SERVER, environment), ...databaseSettings },
    { kernel, clock },
  );
  t.after(() => server.close());
  return server;
}
