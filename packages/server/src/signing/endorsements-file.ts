/**
 * `key-endorsements.json` in the data folder: the endorsements from key to key, beside the keys themselves. It is
 * public. A database that is restored from before a rotation does not know the new key, and the old key is gone by
 * then.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decode, type Kernel, type KeyEndorsement } from "@svc/core";
import { replaceFile } from "@svc/host/durable-file";
import { DataFolderError } from "../data-folder/data-folder.ts";

/** The file of the endorsements. */
export const ENDORSEMENTS = "key-endorsements.json";

/** Writes all endorsements, and replaces the earlier file. */
export function keepEndorsements(dataFolder: string, endorsements: readonly KeyEndorsement[]): void {
  const text = `${JSON.stringify(endorsements)}\n`;
  if (textIn(dataFolder) !== text) replaceFile(join(dataFolder, ENDORSEMENTS), text);
}

/**
 * Returns the endorsements of the file; empty if the file is missing. Throws DataFolderError for a damaged file. It
 * does not verify signatures.
 */
export function storedEndorsements(dataFolder: string, kernel: Kernel): KeyEndorsement[] {
  const text = textIn(dataFolder);
  if (text === null) return [];
  const parsed = kernel.parseJson(Buffer.from(text));
  if (!parsed.ok || !Array.isArray(parsed.value)) throw damaged(dataFolder);
  return parsed.value.map((one) => {
    const decoded = decode(kernel, Buffer.from(JSON.stringify(one)));
    if (!decoded.ok || decoded.kind !== "key") throw damaged(dataFolder);
    return decoded.value as KeyEndorsement;
  });
}

function textIn(dataFolder: string): string | null {
  try {
    return readFileSync(join(dataFolder, ENDORSEMENTS), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function damaged(dataFolder: string): DataFolderError {
  return new DataFolderError(
    `${join(dataFolder, ENDORSEMENTS)} is damaged. Put it back, or take the endorsements from a copy of GET /v2/keys.`,
  );
}
