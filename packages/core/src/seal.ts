/**
 * Seals and key identifiers (protocol sections 3 and 4): the bytes that a signature covers, and how an issuer makes
 * one. ./trust decides whether a key may be trusted; this file never does.
 */
import { concatBytes } from "./encoding/bytes.ts";
import { encodeHex, hexToBytes } from "./encoding/hex.ts";
import type { JsonObject, Kernel } from "./kernel/kernel.ts";
import { tagLine } from "./kernel/tag.ts";
import { ALGORITHM, PROTOCOL, type Tag } from "./protocol.ts";
import { Closed, type Kid, KidText, type PublicKeyHex, Signature, type SignatureHex } from "./schema/atoms.ts";
import * as Type from "./schema/type.ts";

/**
 * The members that a seal adds to a body (protocol section 3). As JSON, shortened:
 *
 * ```json
 * {"protocol":"SVC-PROOFSTREAM-001","alg":"Ed25519","kid":"ed25519-4c869819ecf028ae","signature":"e5082e…"}
 * ```
 */
export const Seal = Closed({
  protocol: Type.Literal(PROTOCOL),
  alg: Type.Literal(ALGORITHM),
  kid: KidText,
  signature: Signature,
});
export type Seal = Type.Static<typeof Seal>;

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
  return concatBytes([tagLine(tag), kernel.canonicalize({ ...body, protocol: PROTOCOL, alg: ALGORITHM, kid })]);
}

/** The kids of signers that have sealed before: they seal often, and a kid never changes. */
const kids = new WeakMap<Signer, Kid>();

/** Seals a body with the signer's key. */
export async function makeSeal(kernel: Kernel, tag: Tag, body: JsonObject, signer: Signer): Promise<Seal> {
  const kid = kids.get(signer) ?? kidOf(kernel, signer.publicKeyHex);
  kids.set(signer, kid);
  const signature = encodeHex(await signer.sign(sealedBytes(kernel, tag, body, kid))) as SignatureHex;
  return { protocol: PROTOCOL, alg: ALGORITHM, kid, signature };
}
