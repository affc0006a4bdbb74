/**
 * `witness-keys.json` in the data folder: the keys of the service's own witness that came after its first one. It is
 * public. A database that is restored from before a rotation does not know the new key, and the old key is gone by
 * then.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atoms, type Kernel } from "@svc/core";
import { replaceFile } from "@svc/host/durable-file";
import { problemsOf } from "@svc/host/http/shapes";
import Type from "typebox";
import { DataFolderError } from "../data-folder/data-folder.ts";
import type { WitnessSuccessor } from "../policies/switch-witness.ts";

/** The file of these keys. */
export const WITNESS_KEYS = "witness-keys.json";

const problems = problemsOf(
  Type.Array(
    atoms.Closed({
      name: atoms.KeyName,
      public_key_hex: atoms.PublicKey,
      key_epoch: atoms.Ordinal,
      valid_from: atoms.ServiceTime,
    }),
  ),
);

/** Writes all of these keys, and replaces the earlier file. */
export function keepWitnessKeys(dataFolder: string, keys: readonly WitnessSuccessor[]): void {
  const text = `${JSON.stringify(
    keys.map(({ name, public_key_hex, key_epoch, valid_from }) => ({ name, public_key_hex, key_epoch, valid_from })),
  )}\n`;
  if (textIn(dataFolder) !== text) replaceFile(join(dataFolder, WITNESS_KEYS), text);
}

/** Returns the keys of the file; empty if the file is missing. Throws DataFolderError for a damaged file. */
export function storedWitnessKeys(dataFolder: string, kernel: Kernel): readonly WitnessSuccessor[] {
  const text = textIn(dataFolder);
  if (text === null) return [];
  const parsed = kernel.parseJson(Buffer.from(text));
  if (parsed.ok && problems(parsed.value).length === 0) return parsed.value as unknown as WitnessSuccessor[];
  throw new DataFolderError(
    `${join(dataFolder, WITNESS_KEYS)} is damaged. Put it back; it is the same on every server and in every copy ` +
      `of the keys.`,
  );
}

function textIn(dataFolder: string): string | null {
  try {
    return readFileSync(join(dataFolder, WITNESS_KEYS), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
