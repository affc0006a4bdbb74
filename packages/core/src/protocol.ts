/** The constants of the protocol, and the few hashes that everything is built from (protocol sections 1 and 17). */
import { encodeHex } from "./encoding/hex.ts";
import type { Json, Kernel } from "./kernel/kernel.ts";
import { tagLine } from "./kernel/tag.ts";
import type { HashHex } from "./schema/atoms.ts";

/**
 * The first word of hashes and seals of evidence streams. A word is in every seal and at the start of every tagged
 * hash, so that no signature of one word is one of another.
 */
export const PROTOCOL = "SVC-PROOFSTREAM-001";
/** The word of envelopes and what belongs to them (protocol section 17). */
export const PROVENANCE = "SVC-PROVENANCE-001";
/** The word of vaults and their attestations (protocol section 17). */
export const VAULT_ATTESTATION = "SVC-VAULT-ATTESTATION-001";
/** The word of epochs that are recomputed (protocol section 17). */
export const IVC_RECOMPUTE = "SVC-IVC-RECOMPUTE-001";
/** The only signature algorithm of the protocol. */
export const ALGORITHM = "Ed25519";
/** The previous hash of a first element: 64 zeros (Z in protocol section 1). */
export const ZERO_HASH = "0".repeat(64) as HashHex;
/** A payload may nest so deep, so that an accepted payload fits into every object (protocol section 2). */
export const MAX_PAYLOAD_DEPTH = 32;
/** One checkpoint may list so many windows (protocol section 9). */
export const MAX_WINDOWS_PER_CHECKPOINT = 1024;
/** So many endorsements may be between a pinned key and a signer (protocol section 4). */
export const MAX_ENDORSEMENT_CHAIN = 32;
/** A cosignature may be dated so many seconds before `created_at` (protocol section 10). */
export const COSIGNATURE_SKEW_SECONDS = 300;

/** Every tag with its word. No tag is under two words, so a tag alone says which bytes are hashed or signed. */
const WORDS = {
  payload: PROTOCOL,
  event: PROTOCOL,
  head: PROTOCOL,
  receipt: PROTOCOL,
  window: PROTOCOL,
  checkpoint: PROTOCOL,
  policy: PROTOCOL,
  "witness-policy": PROTOCOL,
  key: PROTOCOL,
  epoch: PROTOCOL,
  anchor: PROTOCOL,
  bundle: PROTOCOL,
  "truth-package": PROTOCOL,
  commitment: PROVENANCE,
  slot: PROVENANCE,
  content: PROVENANCE,
  leaf: PROVENANCE,
  spool: PROVENANCE,
  envelope: PROVENANCE,
  "envelope-start": PROVENANCE,
  disclosure: PROVENANCE,
  migration: PROVENANCE,
  "provider-policy": PROVENANCE,
  "key-status": PROVENANCE,
  enroll: VAULT_ATTESTATION,
  handover: VAULT_ATTESTATION,
  record: VAULT_ATTESTATION,
  result: VAULT_ATTESTATION,
  evidence: VAULT_ATTESTATION,
  start: VAULT_ATTESTATION,
  measure: VAULT_ATTESTATION,
  "start-key": VAULT_ATTESTATION,
  quote: VAULT_ATTESTATION,
  "reference-values": VAULT_ATTESTATION,
  ceremony: VAULT_ATTESTATION,
  activation: VAULT_ATTESTATION,
  genesis: IVC_RECOMPUTE,
  "ivc-epoch": IVC_RECOMPUTE,
} as const;

/** The object of a tagged digest or a seal; the tag keeps a hash of one kind from standing for another. */
export type Tag = keyof typeof WORDS;
/** The word of a tag. */
export type WordOf<T extends Tag> = (typeof WORDS)[T];

/** Returns the word of a tag. */
export function wordOf<T extends Tag>(tag: T): WordOf<T> {
  return WORDS[tag];
}

/** Returns the line before the bytes that are hashed or signed under a tag: its word, `/`, the tag and one newline. */
export function lineOf(tag: Tag): Uint8Array {
  return tagLine(tag, wordOf(tag));
}

/** Returns H(tag, bytes) of protocol sections 1 and 17, with the tag's own word; 32 bytes. */
export function taggedHash(kernel: Kernel, tag: Tag, bytes: Uint8Array): Uint8Array {
  return kernel.taggedHash(tag, bytes, wordOf(tag));
}

/**
 * Returns D(tag, value) of protocol sections 1 and 17: SHA-256 over the tag line and the canonical JSON; 64 lowercase
 * hex characters.
 */
export function digest(kernel: Kernel, tag: Tag, value: Json): HashHex {
  return encodeHex(taggedHash(kernel, tag, kernel.canonicalize(value))) as HashHex;
}

/** Returns the Unix seconds of a service time, rounded down (protocol section 6). */
export function unixSeconds(serviceTime: string): number {
  return Math.floor(Date.parse(serviceTime) / 1000);
}
