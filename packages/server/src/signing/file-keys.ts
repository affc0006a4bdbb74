/**
 * Keys in the data folder: `signing-key.pem`, and during a rotation its successor, `signing-key.next.pem`; the
 * witness's in separate files. Only the owner can read them. The successor takes the other's name once the old key
 * signs nothing more, which deletes that.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Kernel } from "@svc/core";
import { renameDurably, replaceFile } from "@svc/host/durable-file";
import { NEXT_SIGNING_KEY, SIGNING_KEY } from "../data-folder/data-folder.ts";
import { type KidSigner, newSigningKeyPem, signerOf } from "./file-signer.ts";
import type { KeySource } from "./key-source.ts";

/** The names of the two files. */
export interface KeyFileNames {
  readonly current: string;
  readonly next: string;
}

/** Returns the source of keys in the data folder; by default of those that seal. */
export function fileKeys(
  kernel: Kernel,
  dataFolder: string,
  names: KeyFileNames = { current: SIGNING_KEY, next: NEXT_SIGNING_KEY },
): KeySource {
  const read = (name: string): KidSigner[] => {
    try {
      return [signerOf(kernel, readFileSync(join(dataFolder, name), "utf8"), name)];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  };
  // The successor is read first: between two reads it may take the other's name, but never the other way round.
  const both = () => [...read(names.next), ...read(names.current)];
  return {
    place: `${names.current} in ${dataFolder}`,
    isLive: true,
    keys: async () => both(),
    first: async () => {
      if (!existsSync(join(dataFolder, names.current)))
        replaceFile(join(dataFolder, names.current), newSigningKeyPem());
      const [made] = read(names.current);
      if (made === undefined) throw new Error(`${names.current} cannot be read back`);
      return made;
    },
    successor: async (known) => {
      const [kept] = read(names.next);
      if (kept !== undefined && !known.has(kept.kid)) return kept;
      replaceFile(join(dataFolder, names.next), newSigningKeyPem());
      const [made] = read(names.next);
      if (made === undefined) throw new Error(`${names.next} cannot be read back`);
      return made;
    },
    settle: (current) => {
      const [next] = read(names.next);
      if (next?.kid === current) renameDurably(join(dataFolder, names.next), join(dataFolder, names.current));
    },
    close: () => undefined,
  };
}
