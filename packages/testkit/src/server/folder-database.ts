/**
 * The database of a data folder, on the store that the tests run on: on PostgreSQL each folder has its own database,
 * made when it is first asked for.
 */

import { type DatabaseSettings, IN_FOLDER } from "../../../server/src/deployment/database.ts";
import { type Config, readConfig } from "../../../server/src/settings/config.ts";
import { THIN_SERVER } from "../../../server/src/thin-server/program.ts";
import { newServerPlace, ON_POSTGRES } from "../drivers.ts";
import type { Lifetime } from "../lifetime.ts";

const known = new Map<string, Promise<DatabaseSettings>>();

/** For a folder whose end no test knows: its database ends with the server. */
const ENDLESS: Lifetime = { after: () => undefined };

/** Resolves to the settings of the folder's database. `t`: the test after which the database is gone, if any. */
export function settingsOf(folder: string, t: Lifetime = ENDLESS): Promise<DatabaseSettings> {
  if (!ON_POSTGRES) return Promise.resolve(IN_FOLDER);
  const settings = known.get(folder) ?? newSettings(t);
  known.set(folder, settings);
  return settings;
}

async function newSettings(t: Lifetime): Promise<DatabaseSettings> {
  const { url, risks } = await newServerPlace(t);
  return { databaseUrl: url, databaseRisks: risks };
}

/** Resolves to the variables that tell a separate process where the folder's database is. */
export async function environmentOf(folder: string): Promise<Record<string, string>> {
  const { databaseUrl, databaseRisks } = await settingsOf(folder);
  return databaseUrl === null ? {} : { SVC_DATABASE_URL: databaseUrl, SVC_DATABASE_RISKS: databaseRisks.join() };
}

/** Resolves to the configuration that these variables make, with the folder's database. */
export async function configOf(environment: { readonly SVC_DATA: string } & Record<string, string>): Promise<Config> {
  return { ...readConfig(THIN_SERVER, environment), ...(await settingsOf(environment.SVC_DATA)) };
}
