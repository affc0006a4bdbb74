/** The keys of a deployment: that the sealing key is here and is the database's, that the witness's and the pepper belong to it, and nothing is lost. */
import { existsSync } from "node:fs";
import type { Kernel } from "@svc/core";
import type { Database, Reader } from "@svc/host/store";
import type { DataFolder } from "../data-folder.ts";
import { keptEndorsements } from "../keys/endorsements-file.ts";
import { signerOf } from "../keys/file-signer.ts";
import type { KeySource } from "../keys/key-source.ts";
import { keyedHashUnder } from "../keys/keyed-hash.ts";
import { SigningKey } from "../keys/signing-key.ts";
import { requireOwnDatabase, requireOwnWitness } from "../own-database.ts";
import { DEFAULT_POLICY_ID } from "../policies/default-policy.ts";
import { newestPolicy } from "../policies/policies-store.ts";
import { lossOfEither } from "../progress/second-file.ts";
import { serviceRow } from "../tenancy/service-store.ts";
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
  requireOwnDatabase(folder.path, keyedHashUnder(folder.pepper), await serviceRow(reader));
  const signer = await new SigningKey(kernel, source).current(reader);
  const witness = signerOf(kernel, folder.witnessKeyPem, "witness-key.pem");
  requireOwnWitness(folder, signer, witness, await newestPolicy(reader, null, DEFAULT_POLICY_ID));
  return [ok("folder's files", "pepper and witness key are those of the database")];
}

/** What a start would refuse the database for. */
export async function checkProgress(
  reader: Reader,
  { progressPath }: DataFolder,
  progressFile: string | null,
): Promise<Finding[]> {
  const places = { first: progressPath, configured: progressFile };
  const database: Pick<Database, "read"> = { read: (work) => work(reader) };
  const loss = await lossOfEither(places, database);
  if (loss !== null) {
    const isMissing = "missing_progress_file" in loss.detail;
    const then = isMissing ? "Put it back, or mount its disk. If it is" : "If it is";
    const how = isMissing ? "start --renew-progress-file" : "accept-loss";
    return [fail("progress", `${loss.words} ${then} lost for good: ${how}.`)];
  }
  const hasEvents = (await lastRecordedAt(reader)) !== null;
  const missing = [progressPath, ...(progressFile === null ? [] : [progressFile])].filter((path) => !existsSync(path));
  if (hasEvents && missing.length > 0)
    return missing.map((path) =>
      warn(
        "progress",
        `${path} is not there, so a start would not notice an older database by it. Put it back; the next start makes it anew, of the database that it finds.`,
      ),
    );
  return [ok("progress", "the database has the last event that a receipt was noted for")];
}

/** What led from key to key, which a start refuses where it is damaged. */
export function checkEndorsements(folder: DataFolder, kernel: Kernel): Finding[] {
  const { length } = keptEndorsements(folder.path, kernel);
  return [ok("endorsements", `${length} of keys that sealed before`)];
}
