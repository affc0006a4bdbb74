/** The frame of every command that works on a deployment beside its server: open it, do one thing, close it. */
import { serviceTime, systemClock } from "@svc/host/clock";
import type { Principal } from "@svc/host/principal";
import { printable } from "@svc/host/printable";
import { UsageError } from "@svc/host/settings";
import {
  type Database,
  type DatabaseLocation,
  newestVersion,
  type OpenedDatabase,
  requireSchemas,
  schemaVersion,
} from "@svc/host/store";
import { type DataFolder, openDataFolder } from "../data-folder/data-folder.ts";
import { locationOfDatabase, openDatabaseAt } from "../deployment/database.ts";
import { requireOwnDatabase } from "../deployment/own-database.ts";
import { requireNoStoreMigration } from "../deployment/store-migration.ts";
import { refuseLoss } from "../high-water-mark/mark-file.ts";
import { lossOfEither } from "../high-water-mark/second-file.ts";
import { lossAgainstWitness } from "../high-water-mark/witness-loss.ts";
import { kernel } from "../kernel.ts";
import type { Program } from "../program/program.ts";
import { type Config, readConfig } from "../settings/config.ts";
import type { ServerKeyedHash } from "../signing/keyed-hash.ts";
import { serviceRow } from "../signing/service-store.ts";
import { keyUsesOf, SystemKeys } from "../tenancy/system-keys.ts";
import { allSystems, allTenants, type SystemRow, type TenantRow } from "../tenancy/tenants-store.ts";
import { readingMemory } from "../witness-memory/witness-memory.ts";

/** The options that all of these commands share. */
export interface DeploymentOptions {
  readonly data?: string;
  readonly json?: true;
}

/** The parts that are open before anything in the database is trusted. */
export interface Opened extends OpenedDatabase {
  readonly folder: DataFolder;
  readonly place: DatabaseLocation;
}

/** An opened deployment. */
export interface Deployment extends Opened {
  readonly config: Config;
  readonly keyedHash: ServerKeyedHash;
  readonly keys: SystemKeys;
  /** The time of the call, a service time. */
  readonly now: string;
}

/** The databases that a command takes although a start would not, and its work before that is known. */
interface Leniency {
  readonly orOlder?: boolean;
  readonly orOfBefore?: boolean;
  readonly first?: (opened: Opened) => Promise<void>;
}

/**
 * Opens the deployment of the options, passes it to `work`, and closes it in any case. Refuses a database of an older
 * release unless `orOlder`, and never upgrades it: a server of that release may be running on it. Refuses one that
 * lacks what was answered or signed, as a start does, unless `orOfBefore`: all that a command makes in it would be gone
 * when the right one is put back. `first` runs before anything in the database is read. Rejects with UsageError,
 * DataFolderError, RangeError for the schema, and the errors of `work`.
 */
export async function withDeployment<Value>(
  program: Program,
  options: DeploymentOptions,
  work: (deployment: Deployment) => Promise<Value>,
  { orOlder = false, orOfBefore = false, first }: Leniency = {},
): Promise<Value> {
  const config = readConfig(program, process.env, options);
  const folder = openDataFolder(config.dataFolder, config);
  const place = locationOfDatabase(folder, config);
  const { database, embedded } = await openDatabaseAt(place);
  try {
    await first?.({ folder, place, database, embedded });
    const now = serviceTime(systemClock());
    await database.read(requireNoStoreMigration);
    const version = await database.read(schemaVersion);
    const { keyedHash } = requireOwnDatabase(folder, version === 0 ? null : await database.read(serviceRow));
    await database.read((reader) => requireSchemas(reader, program.schemas, { orOlder }));
    if (!orOfBefore && version > 0) await refuseLost(database, folder, config, program);
    return await work({
      config,
      folder,
      place,
      database,
      embedded,
      keyedHash,
      keys: new SystemKeys({ database, clock: systemClock, keyedHash, uses: keyUsesOf({ database }) }),
      now,
    });
  } finally {
    await database.close();
  }
}

/** Rejects with DataFolderError for a database that a start would refuse, since it lacks what is remembered of it. */
async function refuseLost(
  database: Pick<Database, "read">,
  { markPath, witnessMemoryPath }: DataFolder,
  { progressFile }: Config,
  { schemas }: Program,
): Promise<void> {
  refuseLoss(await lossOfEither({ first: markPath, configured: progressFile }, database));
  // A database of an older release has other tables, and its own release looks into those.
  const [first] = schemas;
  if (first === undefined || (await database.read(schemaVersion)) < newestVersion(first)) return;
  await readingMemory(witnessMemoryPath, async (memory) =>
    refuseLoss(await lossAgainstWitness(kernel, memory, database)),
  );
}

/** Returns the principal as which the operator's commands act in a tenant. */
export function operatorOf(tenantId: string): Principal {
  return { tenantId, kind: "service", id: "svc-server", roles: [] };
}

/**
 * Resolves to the named system, or to the only one that is not retired without a name. Rejects with UsageError, with
 * the list, if the choice is ambiguous or unknown.
 */
export async function chosenSystem({ database }: Deployment, wanted: string | undefined): Promise<SystemRow> {
  const systems = await database.read(allSystems);
  const recording = systems.filter(({ retired_at }) => retired_at === null);
  const list = recording.map((system) => `  ${system.system_id}  ${system.name}`).join("\n");
  const [only, ...others] = recording;
  const chosen = wanted === undefined ? only : systems.find((system) => system.system_id === wanted);
  if (chosen === undefined)
    throw new UsageError([`There is no system ${JSON.stringify(wanted ?? "")}. There are:\n${list}`]);
  if (wanted === undefined && others.length > 0)
    throw new UsageError([`There are several systems; choose one with --system:\n${list}`]);
  return chosen;
}

/**
 * Resolves to the named tenant, or to the only one without a name. Rejects with UsageError, with the list, if the
 * choice is ambiguous or unknown.
 */
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
  console.log(json ? JSON.stringify(value) : printable(lines.join("\n")));
}

/** Returns lines of columns, each as wide as its widest cell. */
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
