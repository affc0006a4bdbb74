/**
 * SHA-256 and H(tag, bytes) of protocol section 1. D(tag, x) is not here: it is H of canonical bytes, and protocol.ts
 * makes it.
 */

import { sha256 as nobleSha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "../../encoding/bytes.ts";
import type { Hasher } from "../kernel.ts";
import { tagLine } from "../tag.ts";

/** Returns SHA-256 of bytes of any length; 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return nobleSha256(bytes);
}

/** Returns a hasher for bytes that come piece by piece. */
export function hasher(): Hasher {
  return nobleSha256.create();
}

/** Returns SHA-256 of two byte strings, one behind the other; 32 bytes. */
export function sha256Of(prefix: Uint8Array, bytes: Uint8Array): Uint8Array {
  return nobleSha256.create().update(prefix).update(bytes).digest();
}

/** Returns H(tag, bytes); 32 bytes. Throws TypeError for a bad tag. */
export function taggedHash(tag: string, bytes: Uint8Array, word?: string): Uint8Array {
  return sha256Of(tagLine(tag, word), bytes);
}

/** Returns H(tag, bytes) of each, in order; 32 bytes each, in one byte string. Throws TypeError for a bad tag. */
export function taggedHashes(tag: string, messages: readonly Uint8Array[], word?: string): Uint8Array {
  const prefix = tagLine(tag, word);
  return concatBytes(messages.map((message) => sha256Of(prefix, message)));
}
