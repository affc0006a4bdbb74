/** What every command does that works on a deployment beside its server: opens it, does one thing, closes it. */
import { serviceTime, systemClock } from "@svc/host/clock";
import type { Principal } from "@svc/host/principal";
import { UsageError } from "@svc/host/settings";
import { type EmbeddedDatabase, openSqlite, requireSchema, schemaVersion } from "@svc/host/store";
import { type Config, readConfig } from "../config.ts";
import { type DataFolder, openDataFolder } from "../data-folder/data-folder.ts";
import { keyedHashUnder } from "../keys/keyed-hash.ts";
import { MIGRATIONS } from "../migrations/all.ts";
import { requireOwnDatabase } from "../own-database.ts";
import { serviceRow } from "../tenancy/service-store.ts";
import { SystemKeys } from "../tenancy/system-keys.ts";
import { allSystems, allTenants, type SystemRow, type TenantRow } from "../tenancy/tenants-store.ts";

/** The options that all of these commands have. */
export interface DeploymentOptions {
  readonly data?: string;
  readonly json?: true;
}

/** What is open before anything in the database is believed. */
export interface Opened {
  readonly folder: DataFolder;
  readonly database: EmbeddedDatabase;
}

/** An opened deployment. */
export interface Deployment extends Opened {
  readonly config: Config;
  readonly keys: SystemKeys;
  /** The time of the call. */
  readonly now: string;
}

/**
 * Opens the deployment of the options, hands it to `work`, and closes it whatever comes. A database of an older release is refused unless `orOlder` is
 * said, and never brought further: a server of that release may run on it. `first` is done before anything in the database is looked at.
 */
export async function withDeployment<Value>(
  options: DeploymentOptions,
  work: (deployment: Deployment) => Promise<Value>,
  { orOlder = false, first }: { readonly orOlder?: boolean; readonly first?: (opened: Opened) => Promise<void> } = {},
): Promise<Value> {
  const config = readConfig(process.env, options);
  const folder = openDataFolder(config.dataFolder);
  const database = openSqlite(folder.databasePath);
  try {
    await first?.({ folder, database });
    const keyedHash = keyedHashUnder(folder.pepper);
    const now = serviceTime(systemClock());
    const version = await database.read(schemaVersion);
    requireOwnDatabase(folder.path, keyedHash, version === 0 ? null : await database.read(serviceRow));
    requireSchema(version, MIGRATIONS, { orOlder });
    return await work({
      config,
      folder,
      database,
      keys: new SystemKeys({ database, clock: systemClock, keyedHash }),
      now,
    });
  } finally {
    await database.close();
  }
}

/** As whom the operator's commands act in a tenant. */
export function operatorOf(tenantId: string): Principal {
  return { tenantId, kind: "service", id: "svc-server", roles: [] };
}

/** The system that is named; the only one where none is. Throws UsageError, with the list, where that is not clear. */
export async function chosenSystem({ database }: Deployment, wanted: string | undefined): Promise<SystemRow> {
  const systems = await database.read(allSystems);
  const list = systems.map((system) => `  ${system.system_id}  ${system.name}`).join("\n");
  const [only, ...others] = systems;
  const chosen = wanted === undefined ? only : systems.find((system) => system.system_id === wanted);
  if (chosen === undefined)
    throw new UsageError([`There is no system ${JSON.stringify(wanted ?? "")}. There are:\n${list}`]);
  if (wanted === undefined && others.length > 0)
    throw new UsageError([`There are several systems; choose one with --system:\n${list}`]);
  return chosen;
}

/** The tenant that is named; the only one where none is. Throws UsageError, with the list, where that is not clear. */
export async function chosenTenant({ database }: Deployment, wanted: string | undefined): Promise<TenantRow> {
  const tenants = await database.read(allTenants);
  const list = tenants.map(({ tenant_id, name }) => `  ${tenant_id}  ${name}`).join("\n");
  const [only, ...others] = tenants;
  const chosen = wanted === undefined ? only : tenants.find(({ tenant_id }) => tenant_id === wanted);
  if (chosen === undefined)
    throw new UsageError([`There is no tenant ${JSON.stringify(wanted ?? "")}. There are:\n${list}`]);
  if (wanted === undefined && others.length > 0)
    throw new UsageError([`There are several tenants; choose one with --tenant:\n${list}`]);
  return chosen;
}

/** Prints one JSON object, or lines for people. */
export function show({ json }: DeploymentOptions, value: object, lines: readonly string[]): void {
  console.log(json ? JSON.stringify(value) : lines.join("\n"));
}

/** Columns of text, each as wide as its widest cell. */
export function columns(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
