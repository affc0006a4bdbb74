/**
 * Checks that the database of a data folder belongs to its key files, and finds the pepper of now among them. A server
 * that starts on another one would issue evidence that nobody can verify, or hide recorded events.
 */

import type { WitnessKey } from "@svc/core";
import { equalHashes } from "@svc/host/keyed-hash";
import type { Reader } from "@svc/host/store";
import { type DataFolder, DataFolderError } from "../data-folder/data-folder.ts";
import { cosignsHere, ownWitness } from "../policies/own-witness.ts";
import type { KidSigner } from "../signing/file-signer.ts";
import type { KeySource } from "../signing/key-source.ts";
import { keyedHashOf, type ServerKeyedHash } from "../signing/keyed-hash.ts";
import { earlierPepper, type ServiceRow } from "../signing/service-store.ts";

/** The row of a deployment whose database belongs to its folder, and the keyed hash of what it stores. */
export interface OwnDatabase extends ServiceRow {
  readonly keyedHash: ServerKeyedHash;
}

/** The copy of both files that a folder lacks after a rotation of the pepper on another machine. */
const ROTATED = "If the pepper was rotated, copy pepper and pepper.next from the folder in which that was done.";

/**
 * Returns the row of the deployment, with the keyed hash under its pepper. Throws DataFolderError for a database
 * without a deployment, and for one whose stored hashes were made with another pepper file.
 */
export function requireOwnDatabase(
  folder: Pick<DataFolder, "path" | "databaseFile" | "pepper" | "nextPepper">,
  row: ServiceRow | null,
): OwnDatabase {
  const { path } = folder;
  const isInFolder = folder.databaseFile !== null;
  if (row === null)
    throw new DataFolderError(
      isInFolder
        ? `The database in ${path} holds no deployment: it was emptied or replaced. Put it back from a backup. ` +
            `Keep the keys in the folder in any case: evidence may be sealed with them.`
        : `The database of SVC_DATABASE_URL holds no deployment, and ${path} belongs to one. Name the right ` +
            `database, or put it back from a backup. Keep the keys in the folder in any case: evidence may stand ` +
            `under them.`,
    );
  const keyedHash = keyedHashOf(folder, row.pepper_mac);
  if (keyedHash === null)
    throw new DataFolderError(
      isInFolder
        ? `The file pepper in ${path} is not the one that this database was made with: no API key would be ` +
            `recognised. Put the original back. ${ROTATED}`
        : `The database of SVC_DATABASE_URL is that of another deployment, ${row.evidence_origin}, or the file ` +
            `pepper in ${path} is not the original: no API key would be recognised. Name the right database, or put ` +
            `the file back. ${ROTATED}`,
    );
  return { ...row, keyedHash };
}

/**
 * Rejects with DataFolderError where the database may hold hashes under an earlier pepper that is not in the folder.
 * `reader`: that of a database of this release's schema.
 */
export async function requireEarlierPepper(
  reader: Reader,
  { path }: Pick<DataFolder, "path">,
  { earlier }: ServerKeyedHash,
): Promise<void> {
  const needed = await earlierPepper(reader);
  if (needed === null || (earlier !== null && equalHashes(needed.mac, earlier.hash("pepper", "")))) return;
  throw new DataFolderError(
    `The pepper was rotated at ${needed.rotated_at}, and the one before it is not in ${path}: keys that have not ` +
      `been used since, and repeated requests, would not be recognised. ${ROTATED} If it is lost for good: keys ` +
      `rotate-pepper --finish --revoke-unused.`,
  );
}

/**
 * Resolves to the key of the service's own witness. Rejects with DataFolderError if the witness is in the server and
 * its private half is not here, and for a key that seals too: it would witness itself. `source`: the witness's keys.
 */
export async function requireOwnWitness(
  reader: Reader,
  { evidence_origin: origin }: Pick<ServiceRow, "evidence_origin">,
  signer: Pick<KidSigner, "publicKeyHex">,
  source: Pick<KeySource, "keys" | "place">,
): Promise<WitnessKey> {
  const own = await ownWitness(reader);
  const isOther = own.public_key_hex !== signer.publicKeyHex;
  if (!cosignsHere(own, origin) && isOther) return own;
  const here = await source.keys();
  if (isOther && here.some(({ publicKeyHex }) => publicKeyHex === own.public_key_hex)) return own;
  throw new DataFolderError(
    `${source.place} is ${here.map(({ kid }) => kid).join(", ") || "not there"}, which is not the key that the ` +
      `witness policy lists: nothing would be cosigned. Put the original back; if it is lost for good, keys ` +
      `rotate-witness makes another one.`,
  );
}
