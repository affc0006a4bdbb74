/** Checks that each secret of the database opens, at its own place. The secret itself is NOT checked. */
import type { Fault } from "@svc/host/checks";
import { KeptSecretsKeys, openSecret, placeOf, SecretError, type SecretPlace, secretsAfter } from "@svc/host/secrets";
import type { CheckContext } from "@svc/server/program";
import { placesOf } from "./deployment-keys.ts";
import { secretsSettings } from "./settings.ts";

const PORTION = 200;

/** Yields the secrets that do not open. Without the folder of the keys, none is looked at. */
export async function* checkSecrets({
  database,
  privateFolder,
  settings,
}: Pick<CheckContext, "database" | "privateFolder" | "settings">): AsyncGenerator<Fault> {
  if (privateFolder === null) return;
  const keys = new KeptSecretsKeys(placesOf(privateFolder, settings(secretsSettings)));
  let after: SecretPlace = { tenant: "", kind: "", object: "", version: 0 };
  for (;;) {
    const rows = await database.read((reader) => secretsAfter(reader, after, PORTION));
    for (const row of rows) {
      after = placeOf(row);
      if (row.sealed === null) continue;
      try {
        openSecret(keys.current(), after, row.sealed);
      } catch (error) {
        if (!(error instanceof SecretError)) throw error;
        const { tenant: tenant_id, kind, object: object_id, version: object_version } = after;
        yield { table: "secrets", row: { tenant_id, kind, object_id, object_version }, fault: error.message };
      }
    }
    if (rows.length < PORTION) return;
  }
}
