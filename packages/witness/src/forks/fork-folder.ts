/** The folder of fork evidence: one file for each row, so that evidence can be handed on without the program. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeFolderDurably, replaceFile } from "@svc/host/durable-file";
import type { Database } from "@svc/host/store";
import { evidenceOf, forkIds } from "./forks-store.ts";

/** Returns the folder of evidence in the data folder. */
export function forksFolder(dataFolder: string): string {
  return join(dataFolder, "forks");
}

/** Writes evidence durably, and returns its path. */
export function writeEvidence(dataFolder: string, forkId: string, evidence: string): string {
  makeFolderDurably(forksFolder(dataFolder));
  const file = join(forksFolder(dataFolder), `${forkId}.json`);
  replaceFile(file, evidence);
  return file;
}

/** Writes the files that are missing, as after a crash between the database and the folder. */
export async function completeFolder(dataFolder: string, database: Pick<Database, "read">): Promise<void> {
  for (const forkId of await database.read(forkIds)) {
    if (existsSync(join(forksFolder(dataFolder), `${forkId}.json`))) continue;
    const evidence = await database.read((reader) => evidenceOf(reader, forkId));
    if (evidence !== null) writeEvidence(dataFolder, forkId, evidence);
  }
}
