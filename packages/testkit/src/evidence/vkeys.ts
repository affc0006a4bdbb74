/** C2SP verification keys of test keys, in the form of policies and notes. */
import {
  COSIGNATURE_LINE,
  cosignatureLine,
  cosignedBytes,
  ED25519_LINE,
  encodeBase64,
  encodeHex,
  hexToBytes,
  type NoteLine,
  referenceKernel,
  type SignatureHex,
  type Signer,
} from "@svc/core";

const kernel = referenceKernel;
/** A signature type that this release knows but does not check. */
export const ML_DSA = 0x06;

/** Returns bytes with the length of an ML-DSA-44 key that are not such a key. */
export function mlDsaKey(label: string): Uint8Array {
  const seed = kernel.sha256(new TextEncoder().encode(label));
  return Uint8Array.from({ length: 1312 }, (_, i) => seed[i % 32] ?? 0);
}

/** Returns a verification key of any type and any bytes. */
export function vkeyOf(name: string, type: number, key: Uint8Array): string {
  const typed = Uint8Array.of(type, ...key);
  const hashed = Uint8Array.of(...new TextEncoder().encode(name), 0x0a, ...typed);
  return `${name}+${encodeHex(kernel.sha256(hashed).subarray(0, 4))}+${encodeBase64(typed)}`;
}

/** Returns the key of a log under a name. */
export function logVkey(name: string, { publicKeyHex }: Signer): string {
  return vkeyOf(name, ED25519_LINE, hexToBytes(publicKeyHex));
}

/** Returns the key of a witness under a name. */
export function witnessVkey(name: string, { publicKeyHex }: Signer): string {
  return vkeyOf(name, COSIGNATURE_LINE, hexToBytes(publicKeyHex));
}

/** Resolves to a witness's cosignature of a note's text. */
export async function cosignLine(name: string, signer: Signer, text: string, time: number): Promise<NoteLine> {
  const signature = encodeHex(await signer.sign(cosignedBytes(time, text))) as SignatureHex;
  return cosignatureLine(kernel, name, signer.publicKeyHex, time, signature);
}
