/**
 * The key that seals now. Which one that is stands in the database, and is read in the very transaction that seals: a rotation (rotate.ts) is the
 * commit that changes it, and no two keys can ever seal the same number. The private half comes from where the deployment keeps it.
 */
import { type Kernel, type KeyEndorsement, type KeyHint, keyHint } from "@svc/core";
import type { Reader } from "@svc/host/store";
import { DataFolderError } from "../data-folder/data-folder.ts";
import { currentSigningKey, signingKeys } from "../tenancy/service-store.ts";
import { keyEndorsements } from "./endorsements-store.ts";
import type { KidSigner } from "./file-signer.ts";
import type { KeySource } from "./key-source.ts";

/** A key, and since when it seals: nothing that it seals may say an earlier time (protocol section 4). */
export type CurrentKey = KidSigner & { readonly validFrom: string };

/** What travels with evidence, so that whoever pins any key of the service can follow to its successors. */
export interface CarriedKeys {
  readonly key_hints: KeyHint[];
  readonly key_endorsements: KeyEndorsement[];
}

export class SigningKey {
  readonly #kernel: Kernel;
  readonly #source: Pick<KeySource, "keys" | "place">;
  #held: CurrentKey | null = null;

  constructor(kernel: Kernel, source: Pick<KeySource, "keys" | "place">) {
    this.#kernel = kernel;
    this.#source = source;
  }

  /** The key that seals in this transaction. Throws DataFolderError where its private half is not here. */
  async current(reader: Reader): Promise<CurrentKey> {
    const row = await currentSigningKey(reader);
    const held = this.#held;
    if (row !== null && held?.kid === row.kid && held.publicKeyHex === row.public_key_hex) return held;
    const here = await this.#source.keys();
    const signer = here.find(({ kid, publicKeyHex }) => kid === row?.kid && publicKeyHex === row.public_key_hex);
    if (row === null || signer === undefined)
      throw new DataFolderError(
        `This deployment seals with ${row?.kid ?? "no key"}, and ${this.#source.place} holds ${here.map(({ kid }) => kid).join(", ") || "none"}. Put the original of the key, or of the database, back.`,
      );
    this.#held = { ...signer, validFrom: row.valid_from };
    return this.#held;
  }

  /** Every key that the service has sealed with, and what leads from one to the next. */
  carried(reader: Reader): Promise<CarriedKeys> {
    return carriedKeys(reader, this.#kernel);
  }
}

/** Every key that the service has sealed with, and what leads from one to the next. Needs no private key. */
export async function carriedKeys(reader: Reader, kernel: Kernel): Promise<CarriedKeys> {
  const keys = await signingKeys(reader);
  return {
    key_hints: keys.map(({ public_key_hex }) => keyHint(kernel, public_key_hex)),
    key_endorsements: await keyEndorsements(reader, kernel),
  };
}
