/**
 * A stranger who signs: somebody whom no trust policy knows. The keys come from fixed seeds, the same each time, and are secret to nobody.
 */
import { getPublicKey, hashes, sign } from "@noble/ed25519";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { encodeHex } from "../../encoding/hex.ts";
import { encodeUtf8 } from "../../encoding/utf8.ts";
import type { PublicKeyHex } from "../../schema/atoms.ts";

// The library brings no SHA-512 of its own for signing at once.
hashes.sha512 = sha512;

/** One key of the stranger. */
export interface StrangerKey {
  readonly publicKeyHex: PublicKeyHex;
  /** The 64-byte RFC 8032 signature of a message. */
  sign(message: Uint8Array): Uint8Array;
}

const keys = new Map<string, StrangerKey>();

/** The stranger's key of a name. */
export function strangerKey(name: string): StrangerKey {
  const known = keys.get(name);
  if (known !== undefined) return known;
  const seed = sha256(encodeUtf8(`svc tamper stranger ${name}`));
  let publicKeyHex: PublicKeyHex | undefined;
  const key = {
    // Computed when it is asked for: it takes as long as a program that only has this module on board takes to start.
    get publicKeyHex() {
      publicKeyHex ??= encodeHex(getPublicKey(seed)) as PublicKeyHex;
      return publicKeyHex;
    },
    sign: (message: Uint8Array) => sign(message, seed),
  };
  keys.set(name, key);
  return key;
}
