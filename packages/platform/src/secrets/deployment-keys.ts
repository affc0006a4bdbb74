/**
 * The keys of the secrets of a deployment, and the proof that they are its own: a secret of the service itself, sealed
 * under the key with which the database was first used.
 */
import { join } from "node:path";
import {
  findSecret,
  KeptSecretsKeys,
  type KeyPlaces,
  kidsOfSecrets,
  SECRETS_TABLE,
  type SecretPlace,
  Secrets,
  writeSecretsKey,
} from "@svc/host/secrets";
import type { ValuesOf } from "@svc/host/settings";
import type { Database } from "@svc/host/store";
import { DataFolderError, NEXT_SECRETS_KEY, SECRETS_KEY } from "@svc/server/program";
import type { secretsSettings } from "./settings.ts";

/** Returns the place of the secret that shows whether a key is the deployment's. One that was given up is followed. */
const ownPlace = (version: number): SecretPlace => ({ tenant: "", kind: "key-check", object: "service", version });

/** Returns the places of the keys of a data folder. */
export function placesOf(folder: string, settings: ValuesOf<typeof secretsSettings>): KeyPlaces {
  return {
    file: join(folder, SECRETS_KEY),
    nextFile: join(folder, NEXT_SECRETS_KEY),
    given: settings.secretsKey,
    nextGiven: settings.nextSecretsKey,
  };
}

/**
 * Resolves to the keys of a deployment; makes the first one in a database that has no secret yet. Rejects with
 * DataFolderError where they are not those under which the database's secrets are sealed. `now`: a service time.
 */
export async function openKeys(database: Database, places: KeyPlaces, now: string): Promise<KeptSecretsKeys> {
  const kids = await database.read(kidsOfSecrets);
  let keys = new KeptSecretsKeys(places);
  if (keys.current().length === 0) {
    if (kids.length > 0) throw foreign(kids, places);
    writeSecretsKey(places.file);
    keys = new KeptSecretsKeys(places);
  }
  await database.write(
    async (writer) => {
      await writer.lockTable(SECRETS_TABLE.name);
      for (let version = 1; ; version++) {
        const row = await findSecret(writer, ownPlace(version));
        if (row === null) return new Secrets(keys).put(writer, ownPlace(version), new TextEncoder().encode("own"), now);
        if (row.sealed !== null) return requireKnown([row.kid], keys, places);
      }
    },
    { isLocking: true },
  );
  requireKnown(await database.read(kidsOfSecrets), keys, places);
  return keys;
}

/** Throws DataFolderError where secrets are sealed under keys that are not here. */
function requireKnown(kids: readonly string[], keys: KeptSecretsKeys, places: KeyPlaces): void {
  // Another process may have begun a rotation, or ended one.
  if (!kids.every((kid) => isKnown(kid, keys))) keys.reload();
  const strange = kids.filter((kid) => !isKnown(kid, keys));
  if (strange.length > 0) throw foreign(strange, places);
}

function isKnown(kid: string, keys: KeptSecretsKeys): boolean {
  return keys.current().some((key) => key.kid === kid);
}

function foreign(kids: readonly string[], { file, given }: KeyPlaces): DataFolderError {
  const place = given === null ? `${file} is not there or another one` : "SVC_SECRETS_KEY is another one";
  return new DataFolderError(
    `Secrets in the database are sealed under the key ${kids.join(" and ")}, and ${place}. Put the key back that ` +
      `belongs to this database, from a backup or from another server's folder. Where it is lost for good, ` +
      `"svc-platform secrets forget" gives up what it sealed.`,
  );
}
