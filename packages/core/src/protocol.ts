/** The constants of SVC-PROOFSTREAM-001, and the few hashes that everything is built from (protocol section 1). */
import { encodeHex } from "./encoding/hex.ts";
import type { Json, Kernel } from "./kernel/kernel.ts";
import type { HashHex } from "./schema/atoms.ts";

/** The protocol identifier; it stands in every seal and at the start of every tagged hash. */
export const PROTOCOL = "SVC-PROOFSTREAM-001";
/** The only signature algorithm of the protocol. */
export const ALGORITHM = "Ed25519";
/** The previous hash of a first element: 64 zeros (Z in protocol section 1). */
export const ZERO_HASH = "0".repeat(64) as HashHex;
/** A payload may nest so deep, so that an accepted payload fits into every object (protocol section 2). */
export const MAX_PAYLOAD_DEPTH = 32;
/** One checkpoint may list so many windows (protocol section 9). */
export const MAX_WINDOWS_PER_CHECKPOINT = 1024;
/** So many endorsements may stand between a pinned key and a signer (protocol section 4). */
export const MAX_ENDORSEMENT_CHAIN = 32;
/** A cosignature may be dated so many seconds before `created_at` (protocol section 10). */
export const COSIGNATURE_SKEW_SECONDS = 300;

/** The object of a tagged digest or a seal; the tag keeps a hash of one kind from standing for another. */
export type Tag =
  | "payload"
  | "event"
  | "head"
  | "receipt"
  | "window"
  | "checkpoint"
  | "policy"
  | "witness-policy"
  | "key"
  | "epoch"
  | "anchor"
  | "bundle"
  | "truth-package";

/**
 * Returns D(tag, value) of protocol section 1: SHA-256 over the tag line and the canonical JSON; 64 lowercase hex
 * characters.
 */
export function digest(kernel: Kernel, tag: Tag, value: Json): HashHex {
  return encodeHex(kernel.taggedHash(tag, kernel.canonicalize(value))) as HashHex;
}

/** Returns the Unix seconds of a service time, rounded down (protocol section 6). */
export function unixSeconds(serviceTime: string): number {
  return Math.floor(Date.parse(serviceTime) / 1000);
}
