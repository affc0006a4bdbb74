/**
 * Sealing keys in the data folder: `signing-key.pem`, and during a rotation its successor, `signing-key.next.pem`. Only
 * the owner can read them. The successor takes the other's name once it seals, which deletes the old key.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Kernel } from "@svc/core";
import { renameDurably, replaceFile } from "@svc/host/durable-file";
import { NEXT_SIGNING_KEY, SIGNING_KEY } from "../data-folder/data-folder.ts";
import { type KidSigner, newSigningKeyPem, signerOf } from "./file-signer.ts";
import type { KeySource } from "./key-source.ts";

/** Returns the source of keys in the data folder. */
export function fileKeys(kernel: Kernel, dataFolder: string): KeySource {
  const read = (name: string): KidSigner[] => {
    try {
      return [signerOf(kernel, readFileSync(join(dataFolder, name), "utf8"), name)];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  };
  // The successor is read first: between two reads it may take the other's name, but never the other way round.
  const both = () => [...read(NEXT_SIGNING_KEY), ...read(SIGNING_KEY)];
  return {
    place: `${SIGNING_KEY} in ${dataFolder}`,
    isLive: true,
    keys: async () => both(),
    first: async () => {
      if (!existsSync(join(dataFolder, SIGNING_KEY))) replaceFile(join(dataFolder, SIGNING_KEY), newSigningKeyPem());
      const [made] = read(SIGNING_KEY);
      if (made === undefined) throw new Error(`${SIGNING_KEY} cannot be read back`);
      return made;
    },
    successor: async (known) => {
      const [kept] = read(NEXT_SIGNING_KEY);
      if (kept !== undefined && !known.has(kept.kid)) return kept;
      replaceFile(join(dataFolder, NEXT_SIGNING_KEY), newSigningKeyPem());
      const [made] = read(NEXT_SIGNING_KEY);
      if (made === undefined) throw new Error(`${NEXT_SIGNING_KEY} cannot be read back`);
      return made;
    },
    settle: (current) => {
      const [next] = read(NEXT_SIGNING_KEY);
      if (next?.kid === current) renameDurably(join(dataFolder, NEXT_SIGNING_KEY), join(dataFolder, SIGNING_KEY));
    },
    close: () => undefined,
  };
}
