/**
 * Checks that the database of a data folder belongs to its key files. A server that starts on another one would issue
 * evidence that nobody can verify, or hide recorded events.
 */

import { equalHashes } from "@svc/host/keyed-hash";
import { type DataFolder, DataFolderError } from "./data-folder/data-folder.ts";
import type { KidSigner } from "./keys/file-signer.ts";
import type { ServerKeyedHash } from "./keys/keyed-hash.ts";
import type { PolicyVersion } from "./policies/policies-store.ts";
import type { ServiceRow } from "./tenancy/service-store.ts";

/**
 * Returns the row of the deployment. Throws DataFolderError for a database without a deployment, and for one whose
 * stored hashes were made with another pepper file.
 */
export function requireOwnDatabase(
  { path, databaseFile }: Pick<DataFolder, "path" | "databaseFile">,
  keyedHash: ServerKeyedHash,
  row: ServiceRow | null,
): ServiceRow {
  if (databaseFile === null) return requireOwnOnServer(path, keyedHash, row);
  if (row === null)
    throw new DataFolderError(
      `The database in ${path} holds no deployment: it was emptied or replaced. Put it back from a backup. Keep the keys in the folder in any case: evidence may stand under them.`,
    );
  if (!equalHashes(row.pepper_mac, keyedHash.hash("pepper", "")))
    throw new DataFolderError(
      `The file pepper in ${path} is not the one that this database was made with: no API key would be recognised. Put the original back.`,
    );
  return row;
}

function requireOwnOnServer(path: string, keyedHash: ServerKeyedHash, row: ServiceRow | null): ServiceRow {
  if (row === null)
    throw new DataFolderError(
      `The database of SVC_DATABASE_URL holds no deployment, and ${path} belongs to one. Name the right database, or put it back from a backup. Keep the keys in the folder in any case: evidence may stand under them.`,
    );
  if (!equalHashes(row.pepper_mac, keyedHash.hash("pepper", "")))
    throw new DataFolderError(
      `The database of SVC_DATABASE_URL is that of another deployment, ${row.evidence_origin}, or the file pepper in ${path} is not the original: no API key would be recognised. Name the right database, or put the file back.`,
    );
  return row;
}

/**
 * Throws DataFolderError for a witness key that the policy does not list as the service's own, and for one that seals
 * too: it would witness itself.
 */
export function requireOwnWitness(
  { path }: Pick<DataFolder, "path">,
  signer: Pick<KidSigner, "publicKeyHex">,
  witness: KidSigner,
  policy: PolicyVersion | null,
): void {
  const listed = policy?.witnessPolicy.witnessKeys.some(
    (key) => key.managed && key.public_key_hex === witness.publicKeyHex,
  );
  if (listed === true && witness.publicKeyHex !== signer.publicKeyHex) return;
  throw new DataFolderError(
    `witness-key.pem in ${path} is ${witness.kid}, which is not the key that the witness policy lists: nothing would be cosigned. Put the original back.`,
  );
}
