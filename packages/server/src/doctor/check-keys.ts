/** The keys of a deployment: that the sealing key is here and is the database's, that the witness's and the pepper belong to it, and nothing is lost. */
import { existsSync } from "node:fs";
import type { Kernel } from "@svc/core";
import type { DataFolder } from "../data-folder.ts";
import { signerOf } from "../keys/file-signer.ts";
import type { KeySource } from "../keys/key-source.ts";
import { KeyedHash } from "../keys/keyed-hash.ts";
import { SigningKey } from "../keys/signing-key.ts";
import { requireOwnDatabase, requireOwnWitness } from "../own-database.ts";
import { lossOf } from "../progress/progress-file.ts";
import type { Reader } from "../store/database.ts";
import { serviceRow } from "../tenancy/service-store.ts";
import { DEFAULT_POLICY_ID } from "../witnesses/default-policy.ts";
import { newestPolicy } from "../witnesses/policies-store.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";
import { lastRecordedAt } from "./operation-store.ts";

const DAY_MS = 86_400_000;
const OLD_DAYS = 365;

export async function checkSigningKey(
  reader: Reader,
  kernel: Kernel,
  source: KeySource,
  now: number,
): Promise<Finding[]> {
  const { kid, validFrom } = await new SigningKey(kernel, source).current(reader);
  const days = Math.floor((now - Date.parse(validFrom)) / DAY_MS);
  const says = `${kid}, ${source.place}, for ${Math.max(0, days)} days`;
  return [days > OLD_DAYS ? warn("sealing key", `${says}. Run: keys rotate-signing`) : ok("sealing key", says)];
}

export async function checkBelongings(reader: Reader, kernel: Kernel, folder: DataFolder, source: KeySource) {
  requireOwnDatabase(folder.path, new KeyedHash(folder.pepper), await serviceRow(reader));
  const signer = await new SigningKey(kernel, source).current(reader);
  const witness = signerOf(kernel, folder.witnessKeyPem, "witness-key.pem");
  requireOwnWitness(folder, signer, witness, await newestPolicy(reader, DEFAULT_POLICY_ID));
  return [ok("folder's files", "pepper and witness key are those of the database")];
}

/** What a start would refuse the database for. */
export async function checkProgress(reader: Reader, { progressPath }: DataFolder): Promise<Finding[]> {
  const loss = await lossOf(progressPath, { read: (work) => work(reader) });
  if (!existsSync(progressPath) && (await lastRecordedAt(reader)) !== null)
    return [
      warn(
        "progress",
        `${progressPath} is not there, so a start would not notice an older database. Put it back; the next start makes it anew, of the database that it finds.`,
      ),
    ];
  return loss === null
    ? [ok("progress", "the database has the last event that a receipt was noted for")]
    : [fail("progress", `${loss.words} If it is lost for good: accept-loss.`)];
}
