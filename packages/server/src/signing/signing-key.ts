/**
 * The key that seals now. The database says which key that is, and each transaction that seals reads it: a rotation
 * (rotate.ts) is the commit that changes it, so no two keys can ever seal the same number. The private half comes from
 * the deployment's key source.
 */
import { type Kernel, type KeyEndorsement, type KeyHint, keyHint } from "@svc/core";
import type { Reader, Writer } from "@svc/host/store";
import { DataFolderError } from "../data-folder/data-folder.ts";
import { keyEndorsements } from "./endorsements-store.ts";
import type { KidSigner } from "./file-signer.ts";
import type { KeySource } from "./key-source.ts";
import { currentSigningKey, lockSigningKey, type SigningKeyRow, signingKeys } from "./service-store.ts";

/** A key, and the time since which it seals: nothing that it seals may have an earlier time (protocol section 4). */
export type CurrentKey = KidSigner & { readonly validFrom: string };

/**
 * The keys and endorsements that travel with evidence, so that a verifier that pins any key of the service can follow
 * to its successors.
 */
export interface CarriedKeys {
  readonly key_hints: KeyHint[];
  readonly key_endorsements: KeyEndorsement[];
}

/** Finds the sealing key of a deployment, and keeps its signer. */
export class SigningKey {
  readonly #kernel: Kernel;
  readonly #source: Pick<KeySource, "keys" | "place">;
  #held: CurrentKey | null = null;

  constructor(kernel: Kernel, source: Pick<KeySource, "keys" | "place">) {
    this.#kernel = kernel;
    this.#source = source;
  }

  /** Resolves to the key that seals now. Rejects with DataFolderError if its private half is not here. */
  async current(reader: Reader): Promise<CurrentKey> {
    return this.#signerOf(await currentSigningKey(reader));
  }

  /**
   * Resolves to the key that seals in this transaction, and keeps it from being retired until its end; `update` for a
   * transaction that retires it. Rejects with DataFolderError if its private half is not here.
   */
  async held(writer: Writer, mode: "share" | "update" = "share"): Promise<CurrentKey> {
    return this.#signerOf(await lockSigningKey(writer, mode));
  }

  async #signerOf(row: SigningKeyRow | null): Promise<CurrentKey> {
    const held = this.#held;
    if (row !== null && held?.kid === row.kid && held.publicKeyHex === row.public_key_hex) return held;
    const here = await this.#source.keys();
    const signer = here.find(({ kid, publicKeyHex }) => kid === row?.kid && publicKeyHex === row.public_key_hex);
    if (row === null || signer === undefined)
      throw new DataFolderError(
        `This deployment seals with ${row?.kid ?? "no key"}, and ${this.#source.place} holds ` +
          `${here.map(({ kid }) => kid).join(", ") || "none"}. Put the original of the key, or of the database, ` +
          `back.`,
      );
    this.#held = { ...signer, validFrom: row.valid_from };
    return this.#held;
  }

  /** Resolves to every key that the service has sealed with, and the endorsements between them. */
  carried(reader: Reader): Promise<CarriedKeys> {
    return carriedKeys(reader, this.#kernel);
  }
}

/**
 * Resolves to every key that the service has sealed with, and the endorsements between them. It needs no private key.
 */
export async function carriedKeys(reader: Reader, kernel: Kernel): Promise<CarriedKeys> {
  const keys = await signingKeys(reader);
  return {
    key_hints: keys.map(({ public_key_hex }) => keyHint(kernel, public_key_hex)),
    key_endorsements: await keyEndorsements(reader, kernel),
  };
}
