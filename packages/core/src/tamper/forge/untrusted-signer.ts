/**
 * A stranger who signs, and whom no trust policy knows. The keys come from fixed seeds, the same each time, and are
 * secret to nobody.
 */
import { getPublicKey, hashes, sign } from "@noble/ed25519";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { encodeHex } from "../../encoding/hex.ts";
import { encodeUtf8 } from "../../encoding/utf8.ts";
import type { PublicKeyHex } from "../../schema/atoms.ts";

// The library brings no synchronous SHA-512.
hashes.sha512 = sha512;

/** One key of the stranger. */
export interface UntrustedSigner {
  readonly publicKeyHex: PublicKeyHex;
  /** Returns the 64-byte RFC 8032 signature of a message. */
  sign(message: Uint8Array): Uint8Array;
}

const keys = new Map<string, UntrustedSigner>();

/** Returns the stranger's key of a name. */
export function untrustedSigner(name: string): UntrustedSigner {
  const known = keys.get(name);
  if (known !== undefined) return known;
  const seed = sha256(encodeUtf8(`svc tamper stranger ${name}`));
  let publicKeyHex: PublicKeyHex | undefined;
  const key = {
    // Computed on demand: it takes as long as starting a program that only contains this module.
    get publicKeyHex() {
      publicKeyHex ??= encodeHex(getPublicKey(seed)) as PublicKeyHex;
      return publicKeyHex;
    },
    sign: (message: Uint8Array) => sign(message, seed),
  };
  keys.set(name, key);
  return key;
}
