/**
 * Seals and key identifiers (protocol sections 3 and 4): the bytes that a signature covers, and how an issuer makes
 * one. ./trust decides whether a key may be trusted; this file never does.
 */
import { concatBytes } from "./encoding/bytes.ts";
import { encodeHex, hexToBytes } from "./encoding/hex.ts";
import type { JsonObject, Kernel } from "./kernel/kernel.ts";
import {
  ALGORITHM,
  IVC_RECOMPUTE,
  lineOf,
  PROTOCOL,
  PROVENANCE,
  type Tag,
  VAULT_ATTESTATION,
  type WordOf,
  wordOf,
} from "./protocol.ts";
import { Closed, type Kid, KidText, type PublicKeyHex, Signature, type SignatureHex } from "./schema/atoms.ts";
import * as Type from "./schema/type.ts";

/** Returns the schema of the seals of a word. */
const sealOf = <const Word extends WordOf<Tag>>(word: Word) =>
  Closed({ protocol: Type.Literal(word), alg: Type.Literal(ALGORITHM), kid: KidText, signature: Signature });

/**
 * The members that a seal adds to a body (protocol section 3). As JSON, shortened:
 *
 * ```json
 * {"protocol":"SVC-PROOFSTREAM-001","alg":"Ed25519","kid":"ed25519-4c869819ecf028ae","signature":"e5082e…"}
 * ```
 */
export const Seal = sealOf(PROTOCOL);
export type Seal = Type.Static<typeof Seal>;
/**
 * A seal of an envelope or of what belongs to envelopes (protocol section 17). As JSON, shortened:
 *
 * ```json
 * {"protocol":"SVC-PROVENANCE-001","alg":"Ed25519","kid":"ed25519-4c869819ecf028ae","signature":"e5082e…"}
 * ```
 */
export const ProvenanceSeal = sealOf(PROVENANCE);
export type ProvenanceSeal = Type.Static<typeof ProvenanceSeal>;
/**
 * A seal of a vault's attestation, or of what belongs to vaults (protocol section 17). As JSON, shortened:
 *
 * ```json
 * {"protocol":"SVC-VAULT-ATTESTATION-001","alg":"Ed25519","kid":"ed25519-4c869819ecf028ae","signature":"e5082e…"}
 * ```
 */
export const AttestationSeal = sealOf(VAULT_ATTESTATION);
export type AttestationSeal = Type.Static<typeof AttestationSeal>;
/**
 * A seal of an epoch that is recomputed (protocol section 17). As JSON, shortened:
 *
 * ```json
 * {"protocol":"SVC-IVC-RECOMPUTE-001","alg":"Ed25519","kid":"ed25519-4c869819ecf028ae","signature":"e5082e…"}
 * ```
 */
export const IvcSeal = sealOf(IVC_RECOMPUTE);
export type IvcSeal = Type.Static<typeof IvcSeal>;

/** A seal of any word. */
export type AnySeal = Omit<Seal, "protocol"> & { readonly protocol: WordOf<Tag> };
/** A seal of the word of a tag. */
export type SealUnder<T extends Tag> = Omit<Seal, "protocol"> & { protocol: WordOf<T> };

/** Holds a private Ed25519 key. `sign` returns, or resolves to, the 64-byte RFC 8032 signature of the message. */
export interface Signer {
  readonly publicKeyHex: PublicKeyHex;
  sign(message: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/**
 * Returns the identifier of a raw public key: `ed25519-` and 16 hex characters of its SHA-256. It is derived, so it
 * needs no registry (protocol section 3). `publicKeyHex`: 64 lowercase hex characters. Throws TypeError for a key that
 * is not hex.
 *
 * @example
 * console.log(kidOf(kernel, service.publicKeyHex) === receipt.receipt.kid); // true
 */
export function kidOf(kernel: Kernel, publicKeyHex: PublicKeyHex): Kid {
  return `ed25519-${encodeHex(kernel.sha256(hexToBytes(publicKeyHex))).slice(0, 16)}` as Kid;
}

/** Returns the bytes that a seal signs: the tag line, and J of the body with protocol, alg and kid. */
export function sealedBytes(kernel: Kernel, tag: Tag, body: JsonObject, kid: string): Uint8Array {
  return concatBytes([lineOf(tag), kernel.canonicalize({ ...body, protocol: wordOf(tag), alg: ALGORITHM, kid })]);
}

/** The kids of signers that have sealed before: they seal often, and a kid never changes. */
const kids = new WeakMap<Signer, Kid>();

/** Seals a body with the signer's key, under the tag's word. */
export async function makeSeal<T extends Tag>(
  kernel: Kernel,
  tag: T,
  body: JsonObject,
  signer: Signer,
): Promise<SealUnder<T>> {
  const kid = kids.get(signer) ?? kidOf(kernel, signer.publicKeyHex);
  kids.set(signer, kid);
  const signature = encodeHex(await signer.sign(sealedBytes(kernel, tag, body, kid))) as SignatureHex;
  return { protocol: wordOf(tag), alg: ALGORITHM, kid, signature };
}
