/** The folder of fork evidence: one file for each row, so that evidence can be handed on without the program. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolderDurably, replaceFile } from "@svc/host/durable-file";
import type { Database, Reader } from "@svc/host/store";
import { evidenceOf, forkIds } from "./forks-store.ts";

/** Returns the folder of evidence in the data folder. */
export function forksFolder(dataFolder: string): string {
  return join(dataFolder, "forks");
}

/** Writes evidence durably, and returns its path. */
export function writeEvidence(dataFolder: string, forkId: string, evidence: string): string {
  makeFolderDurably(forksFolder(dataFolder));
  const file = fileOf(dataFolder, forkId);
  replaceFile(file, evidence);
  return file;
}

/** Writes the files that are missing, as after a crash between the database and the folder, or are not as they were. */
export async function completeFolder(dataFolder: string, database: Pick<Database, "read">): Promise<void> {
  for (const forkId of await database.read(forkIds)) {
    const evidence = await database.read((reader) => evidenceOf(reader, forkId));
    if (evidence !== null && !hasFile(dataFolder, forkId, evidence)) writeEvidence(dataFolder, forkId, evidence);
  }
}

/** Resolves to the path of a file that is missing or is not the evidence of its row, or to null. */
export async function wrongFile(dataFolder: string, reader: Reader): Promise<string | null> {
  for (const forkId of await forkIds(reader)) {
    const evidence = await evidenceOf(reader, forkId);
    if (evidence !== null && !hasFile(dataFolder, forkId, evidence)) return fileOf(dataFolder, forkId);
  }
  return null;
}

/** Returns the path of the file of evidence. */
export function fileOf(dataFolder: string, forkId: string): string {
  return join(forksFolder(dataFolder), `${forkId}.json`);
}

function hasFile(dataFolder: string, forkId: string, evidence: string): boolean {
  try {
    return readFileSync(fileOf(dataFolder, forkId), "utf8") === evidence;
  } catch {
    return false;
  }
}
