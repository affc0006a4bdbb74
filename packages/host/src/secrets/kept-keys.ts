/**
 * The places of the keys of secrets: two files of 32 bytes, closed to others, or the environment of the program.
 * The next key is there only during a rotation, and it is the newest: it seals.
 */
import { readFileSync } from "node:fs";
import { renameDurably, replaceFile } from "../durable-file.ts";
import type { SecretsKeys } from "./secrets.ts";
import { newSecretsKey, type SecretsKey, secretsKeyOf } from "./secrets-key.ts";

/** The places of the keys. */
export interface KeyPlaces {
  /** The path of the file of the key. */
  readonly file: string;
  /** The path of the file of the next key. */
  readonly nextFile: string;
  /** The key that was given with the start; null: it is in the file. The files are not read where there is one. */
  readonly given: Uint8Array | null;
  /** The next key that was given with it. */
  readonly nextGiven: Uint8Array | null;
}

/** The keys of a deployment. */
export class KeptSecretsKeys implements SecretsKeys {
  readonly #places: KeyPlaces;
  #keys: readonly SecretsKey[];

  /** Throws RangeError for a file that does not have 32 bytes, and the errors of reading it. */
  constructor(places: KeyPlaces) {
    this.#places = places;
    this.#keys = readKeys(places);
  }

  /** Returns the keys, the newest first; none before the first was made. */
  current(): readonly SecretsKey[] {
    return this.#keys;
  }

  reload(): void {
    this.#keys = readKeys(this.#places);
  }
}

/** Returns the keys that are there, the newest first. */
function readKeys({ file, nextFile, given, nextGiven }: KeyPlaces): SecretsKey[] {
  if (given !== null) return [...(nextGiven === null ? [] : [nextGiven]), given].map(secretsKeyOf);
  // The next one is read first: between two reads it may take the other's name, but never the other way round.
  return [nextFile, file].flatMap((path) => readIfThere(path) ?? []);
}

function readIfThere(path: string): SecretsKey | null {
  try {
    return secretsKeyOf(readFileSync(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    if (error instanceof RangeError) throw new RangeError(`${path}: ${error.message}. Put the original back.`);
    throw error;
  }
}

/** Writes a new key to a file, closed to others and on the disk. */
export function writeSecretsKey(path: string): void {
  replaceFile(path, newSecretsKey());
}

/** Puts the next key in the place of the key. */
export function takeNextKey({ file, nextFile }: Pick<KeyPlaces, "file" | "nextFile">): void {
  renameDurably(nextFile, file);
}
