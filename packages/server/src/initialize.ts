/**
 * Makes a deployment: keys, database, the built-in policy, and a tenant with one system and one stream. The origin
 * chosen here is in every checkpoint and can never be changed.
 */
import type { Kernel, Kid, PublicKeyHex } from "@svc/core";
import { type Clock, serviceTime } from "@svc/host/clock";
import type { Principal } from "@svc/host/principal";
import { migrate, schemaVersion } from "@svc/host/store";
import {
  createDataFolder,
  type DataFolder,
  DataFolderError,
  discardDataFolder,
  finishDataFolder,
  prepareDataFolder,
  stateOf,
} from "./data-folder/data-folder.ts";
import { lockFolder } from "./data-folder/folder-lock.ts";
import {
  type DatabaseSettings,
  IN_FOLDER,
  locationOfDatabase,
  type OpenFile,
  openDatabaseAt,
} from "./deployment/database.ts";
import { requireNoStoreMigration } from "./deployment/store-migration.ts";
import { newId } from "./ids.ts";
import { originFault } from "./origin.ts";
import { DEFAULT_POLICY_ID, defaultPolicy } from "./policies/default-policy.ts";
import { insertPolicyVersion } from "./policies/policies-store.ts";
import type { Program } from "./program/program.ts";
import { newSigningKeyPem } from "./signing/file-signer.ts";
import type { KeySettings } from "./signing/key-settings.ts";
import { openKeySource } from "./signing/key-source.ts";
import { keyedHashUnder } from "./signing/keyed-hash.ts";
import { insertService, insertSigningKey, serviceRow } from "./signing/service-store.ts";
import { witnessKeys } from "./signing/witness-keys.ts";
import { createStreamIn } from "./streams/create-stream.ts";
import { recordAccess } from "./tenancy/access-log-store.ts";
import { recordAtFirst } from "./tenancy/administration.ts";
import { keyUsesOf, SystemKeys } from "./tenancy/system-keys.ts";
import { insertPrincipal, insertSystem, insertTenant } from "./tenancy/tenants-store.ts";

/** The names and the places of a new deployment. */
export interface InitializeOptions {
  /** The program whose schemas its database gets. */
  readonly program: Pick<Program, "schemas">;
  readonly dataFolder: string;
  /** The evidence origin, or a function that names one after the sealing key's kid. */
  readonly origin: string | ((kid: string) => string);
  readonly tenantName: string;
  readonly systemName: string;
  readonly useCase: string;
  /** Whether to make a system key now; without one, `keys create` makes it. */
  readonly withKey: boolean;
  /** The place of the sealing key; by default a file in the folder. */
  readonly keySettings?: KeySettings;
  readonly kernel: Kernel;
  readonly clock: Clock;
  /** Where the database is to be; by default in the folder. */
  readonly databaseSettings?: DatabaseSettings;
  /** Opens the file of the database in another way than usual. */
  readonly openDatabase?: OpenFile;
}

/** The new deployment, as `init` prints it. */
export interface Made {
  readonly origin: string;
  readonly data_folder: string;
  readonly kid: Kid;
  readonly public_key_hex: PublicKeyHex;
  readonly policy_id: string;
  readonly tenant_id: string;
  readonly system_id: string;
  readonly stream_id: string;
  /** The system key; null if none was asked for. */
  readonly api_key: string | null;
}

/**
 * Makes the deployment and resolves to its names. Rejects with DataFolderError if the folder is in use, if another
 * process is making a deployment in it, or if the origin cannot be used.
 */
export async function initialize(options: InitializeOptions): Promise<Made> {
  if (typeof options.origin === "string") requireOrigin(options.origin);
  const { dataFolder } = options;
  prepareDataFolder(dataFolder);
  // Without the lock, a second `init` would take a deployment in the making for one that was cut off, and discard it.
  const unlock = lockFolder(dataFolder);
  try {
    const { databaseSettings = IN_FOLDER } = options;
    const onServer = databaseSettings.databaseUrl !== null;
    return await makeIn(createDataFolder(dataFolder, newSigningKeyPem, { onServer }), options, databaseSettings);
  } catch (error) {
    if (stateOf(dataFolder) === "unfinished") discardDataFolder(dataFolder);
    throw error;
  } finally {
    unlock();
  }
}

async function makeIn(folder: DataFolder, options: InitializeOptions, settings: DatabaseSettings): Promise<Made> {
  const { program, kernel, clock } = options;
  const source = openKeySource(options.keySettings ?? { kind: "file" }, kernel, folder.path);
  const { database, embedded } = await openNew(folder, options, settings);
  try {
    const signer = await source.first();
    const witness = await witnessKeys(kernel, folder.path).first();
    const origin = typeof options.origin === "string" ? options.origin : options.origin(signer.kid);
    requireOrigin(origin);
    const keyedHash = keyedHashUnder(folder.pepper);
    const now = serviceTime(clock());
    await migrate(database, () => now, program.schemas);
    await embedded?.prepareForgetting();
    const made = await database.write(async (writer) => {
      const tenantId = newId("tnt");
      const systemId = newId("sys");
      const actor: Principal = { tenantId, kind: "service", id: "svc-server", roles: [] };
      await insertService(writer, origin, keyedHash.pepperMac, now);
      await insertSigningKey(writer, { kid: signer.kid, public_key_hex: signer.publicKeyHex, valid_from: now });
      await insertTenant(writer, { tenantId, name: options.tenantName, timeZone: "UTC" }, now);
      await insertPrincipal(writer, actor, now);
      await insertSystem(writer, { tenantId, systemId, name: options.systemName, sourceTimezone: null }, now);
      await insertPolicyVersion(writer, defaultPolicy(kernel, origin, witness.publicKeyHex, now), now);
      await recordAccess(writer, actor, "service.initialised", origin, {}, now);
      const keys = new SystemKeys({ database, clock, keyedHash, uses: keyUsesOf({ database }) });
      const record = recordAtFirst(writer);
      const apiKey = options.withKey ? await keys.create(writer, { tenantId, systemId }, actor, record) : null;
      const request = { system_id: systemId, use_case: options.useCase, policy_id: DEFAULT_POLICY_ID, metadata: {} };
      const stream = await createStreamIn(writer, { clock, kernel }, actor, request);
      return { tenant_id: tenantId, system_id: systemId, stream_id: stream.stream_id, api_key: apiKey };
    });
    await database.close();
    finishDataFolder(folder);
    return {
      origin,
      data_folder: folder.path,
      kid: signer.kid,
      public_key_hex: signer.publicKeyHex,
      policy_id: DEFAULT_POLICY_ID,
      ...made,
    };
  } finally {
    source.close();
    await database.close();
  }
}

/** Opens the database of a deployment to be made. Rejects with DataFolderError for one on a server that has tables. */
async function openNew(folder: DataFolder, { openDatabase }: InitializeOptions, settings: DatabaseSettings) {
  if (openDatabase !== undefined && folder.databaseFile !== null) {
    const database = openDatabase(folder.databaseFile);
    return { database, embedded: database };
  }
  const opened = await openDatabaseAt(locationOfDatabase(folder, settings));
  if (folder.databaseFile !== null) return opened;
  try {
    await opened.database.read(requireNoStoreMigration);
    const [row, tables] = await opened.database.read(async (reader) => [
      (await schemaVersion(reader)) === 0 ? null : await serviceRow(reader),
      await reader.tables(),
    ]);
    if (row !== null)
      throw new DataFolderError(
        `The database of SVC_DATABASE_URL holds a deployment already, ${row.evidence_origin}. Name an empty ` +
          `database. To serve that one from here too, copy its data folder.`,
      );
    if (tables.length > 0)
      throw new DataFolderError(
        `The database of SVC_DATABASE_URL is not empty: it has a table ${tables[0]}. Name an empty database.`,
      );
    return opened;
  } catch (error) {
    await opened.database.close();
    throw error;
  }
}

function requireOrigin(origin: string): void {
  const fault = originFault(origin);
  if (fault !== null) throw new DataFolderError(`The origin ${JSON.stringify(origin)} cannot be used: ${fault}.`);
}
