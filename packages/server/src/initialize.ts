/**
 * Making a deployment: keys, database, the built-in policy, and a tenant with one system and one stream. The origin chosen here stands
 * in every checkpoint and can never be changed.
 */
import type { Kernel, Kid, PublicKeyHex } from "@svc/core";
import { type Clock, serviceTime } from "@svc/host/clock";
import type { Principal } from "@svc/host/principal";
import { migrate, openSqlite } from "@svc/host/store";
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
import { newId } from "./ids.ts";
import { newSigningKeyPem, signerOf } from "./keys/file-signer.ts";
import type { KeySettings } from "./keys/key-settings.ts";
import { openKeySource } from "./keys/key-source.ts";
import { keyedHashUnder } from "./keys/keyed-hash.ts";
import { MIGRATIONS } from "./migrations/all.ts";
import { originFault } from "./origin.ts";
import { DEFAULT_POLICY_ID, defaultPolicy } from "./policies/default-policy.ts";
import { insertPolicyVersion } from "./policies/policies-store.ts";
import { createStreamIn } from "./streams/create-stream.ts";
import { recordAccess } from "./tenancy/access-log-store.ts";
import { insertService, insertSigningKey } from "./tenancy/service-store.ts";
import { SystemKeys } from "./tenancy/system-keys.ts";
import { insertPrincipal, insertSystem, insertTenant } from "./tenancy/tenants-store.ts";

export interface InitializeOptions {
  readonly dataFolder: string;
  /** The evidence origin, or how to name one after the sealing key's kid. */
  readonly origin: string | ((kid: string) => string);
  readonly tenantName: string;
  readonly systemName: string;
  readonly useCase: string;
  /** Whether to make a system key now; without one, `keys create` makes it. */
  readonly withKey: boolean;
  /** Where the sealing key is kept; in the folder where nothing else is said. */
  readonly keySettings?: KeySettings;
  readonly kernel: Kernel;
  readonly clock: Clock;
  /** What opens the database of a path; `openSqlite` where it is not given. */
  readonly openDatabase?: typeof openSqlite;
}

/** What was made. */
export interface Made {
  readonly origin: string;
  readonly data_folder: string;
  readonly kid: Kid;
  readonly public_key_hex: PublicKeyHex;
  readonly policy_id: string;
  readonly tenant_id: string;
  readonly system_id: string;
  readonly stream_id: string;
  /** Null where none was asked for. */
  readonly api_key: string | null;
}

/** Makes the deployment and answers what was made. Throws DataFolderError where the folder is in use, or is just being made by another process. */
export async function initialize(options: InitializeOptions): Promise<Made> {
  if (typeof options.origin === "string") requireOrigin(options.origin);
  const { dataFolder } = options;
  prepareDataFolder(dataFolder);
  // Or one that begins would take what another is making for what was cut off, and throw it away.
  const unlock = lockFolder(dataFolder);
  try {
    return await makeIn(createDataFolder(dataFolder, newSigningKeyPem), options);
  } catch (error) {
    if (stateOf(dataFolder) === "unfinished") discardDataFolder(dataFolder);
    throw error;
  } finally {
    unlock();
  }
}

async function makeIn(folder: DataFolder, options: InitializeOptions): Promise<Made> {
  const { kernel, clock, openDatabase = openSqlite } = options;
  const source = openKeySource(options.keySettings ?? { kind: "file" }, kernel, folder.path);
  const database = openDatabase(folder.databasePath);
  try {
    const signer = await source.first();
    const witness = signerOf(kernel, folder.witnessKeyPem, "witness-key.pem");
    const origin = typeof options.origin === "string" ? options.origin : options.origin(signer.kid);
    requireOrigin(origin);
    const keyedHash = keyedHashUnder(folder.pepper);
    const now = serviceTime(clock());
    await migrate(database, () => now, MIGRATIONS);
    await database.prepareForgetting();
    const made = await database.write(async (writer) => {
      const tenantId = newId("tnt");
      const systemId = newId("sys");
      const actor: Principal = { tenantId, kind: "service", id: "svc-server", roles: [] };
      await insertService(writer, origin, keyedHash.hash("pepper", ""), now);
      await insertSigningKey(writer, { kid: signer.kid, public_key_hex: signer.publicKeyHex, valid_from: now });
      await insertTenant(writer, { tenantId, name: options.tenantName, timeZone: "UTC" }, now);
      await insertPrincipal(writer, actor, now);
      await insertSystem(writer, { tenantId, systemId, name: options.systemName, sourceTimezone: null }, now);
      await insertPolicyVersion(writer, defaultPolicy(kernel, origin, witness.publicKeyHex, now), now);
      await recordAccess(writer, actor, "service.initialised", origin, {}, now);
      const keys = new SystemKeys({ database, clock, keyedHash });
      const apiKey = options.withKey ? await keys.create(writer, { tenantId, systemId }, actor) : null;
      const request = { system_id: systemId, use_case: options.useCase, policy_id: DEFAULT_POLICY_ID, metadata: {} };
      const stream = await createStreamIn(writer, { clock, kernel }, actor, request);
      return { tenant_id: tenantId, system_id: systemId, stream_id: stream.stream_id, api_key: apiKey };
    });
    await database.close();
    finishDataFolder(options.dataFolder);
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

function requireOrigin(origin: string): void {
  const fault = originFault(origin);
  if (fault !== null) throw new DataFolderError(`The origin ${JSON.stringify(origin)} cannot be used: ${fault}.`);
}
