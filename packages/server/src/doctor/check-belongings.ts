/**
 * Checks that pepper and witness key belong to the database, and that the database has every event that the server
 * remembers.
 */
import { existsSync } from "node:fs";
import type { Kernel } from "@svc/core";
import { type Finding, fail, ok, warn } from "@svc/host/checks";
import type { Database, Reader } from "@svc/host/store";
import type { DataFolder } from "../data-folder/data-folder.ts";
import { requireOwnDatabase, requireOwnWitness } from "../deployment/own-database.ts";
import { lossOfEither } from "../high-water-mark/second-file.ts";
import { lossAgainstWitness } from "../high-water-mark/witness-loss.ts";
import { cosignsHere } from "../policies/own-witness.ts";
import { isSigned } from "../sealing/statements-store.ts";
import type { KeySource } from "../signing/key-source.ts";
import { serviceRow } from "../signing/service-store.ts";
import { SigningKey } from "../signing/signing-key.ts";
import { witnessKeys } from "../signing/witness-keys.ts";
import { lastRecordedAt } from "../streams/streams-store.ts";
import { readingMemory } from "../witness-memory/witness-memory.ts";

/**
 * Resolves to one finding. Rejects with DataFolderError for a pepper or a witness key that belongs to another database.
 */
export async function checkBelongings(reader: Reader, kernel: Kernel, folder: DataFolder, source: KeySource) {
  const service = requireOwnDatabase(folder, await serviceRow(reader));
  const signer = await new SigningKey(kernel, source).current(reader);
  const own = await requireOwnWitness(reader, service, signer, witnessKeys(kernel, folder.path));
  return [
    ok(
      "folder's files",
      cosignsHere(own, service.evidence_origin)
        ? "pepper and witness key are those of the database"
        : `the pepper is that of the database; the service's own witness is a separate process, ${own.name}`,
    ),
  ];
}

/** Resolves to the reason for which a start would refuse a database that lacks what its witness has signed. */
export function checkWitness(reader: Reader, kernel: Kernel, { witnessMemoryPath }: DataFolder): Promise<Finding[]> {
  const database: Pick<Database, "read"> = { read: (work) => work(reader) };
  return readingMemory(witnessMemoryPath, async (memory) => {
    const loss = await lossAgainstWitness(kernel, memory, database);
    if (loss !== null) return [fail("witness", `${loss.words} If it is lost for good: accept-loss.`)];
    const count = await memory.count();
    if (count === 0 && (await isSigned(reader)))
      return [
        warn(
          "witness",
          "witness.db remembers nothing, and the database has signed trees: by it, a start would not notice an " +
            "older database. After a restore that is so until the next start; otherwise put the file back.",
        ),
      ];
    return [ok("witness", `the database has what its witness signed last; it remembers ${count} streams`)];
  });
}

/**
 * Resolves to the reason for which a start would refuse the database, or to warnings about missing files of the mark.
 */
export async function checkMark(
  reader: Reader,
  { markPath }: DataFolder,
  progressFile: string | null,
): Promise<Finding[]> {
  const places = { first: markPath, configured: progressFile };
  const database: Pick<Database, "read"> = { read: (work) => work(reader) };
  const loss = await lossOfEither(places, database);
  if (loss !== null) {
    const isMissing = "missing_progress_file" in loss.detail;
    const then = isMissing ? "Put it back, or mount its disk. If it is" : "If it is";
    const how = isMissing ? "start --renew-progress-file" : "accept-loss";
    return [fail("progress", `${loss.words} ${then} lost for good: ${how}.`)];
  }
  const hasEvents = (await lastRecordedAt(reader)) !== null;
  const missing = [markPath, ...(progressFile === null ? [] : [progressFile])].filter((path) => !existsSync(path));
  if (hasEvents && missing.length > 0)
    return missing.map((path) =>
      warn(
        "progress",
        `${path} is not there, so a start would not notice an older database by it. Put it back; the next start ` +
          `makes it anew, of the database that it finds.`,
      ),
    );
  return [ok("progress", "the database has the last event that a receipt was noted for")];
}
