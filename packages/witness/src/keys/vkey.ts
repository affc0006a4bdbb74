/** The verification key of a witness: what logs and verifiers pin (c2sp.org/tlog-cosignature). */
import {
  COSIGNATURE_LINE,
  encodeBase64,
  hexToBytes,
  type Kernel,
  noteKeyId,
  type PublicKeyHex,
  parseVerificationKey,
} from "@svc/core";
import { WitnessError } from "../witness-error.ts";

/** Returns the vkey of a witness: name, key id, and base64 of type 0x04 and the raw key, joined by `+`. */
export function witnessVkey(kernel: Kernel, name: string, publicKeyHex: PublicKeyHex): string {
  const typed = Uint8Array.of(COSIGNATURE_LINE, ...hexToBytes(publicKeyHex));
  return `${name}+${noteKeyId(kernel, name, COSIGNATURE_LINE, publicKeyHex)}+${encodeBase64(typed)}`;
}

/** Returns the name and the key of a witness's vkey. Throws WitnessError for any other text. */
export function readWitnessVkey(kernel: Kernel, vkey: string): { name: string; publicKeyHex: PublicKeyHex } {
  const parsed = parseVerificationKey(kernel, vkey);
  if (!parsed.ok || parsed.key.type !== COSIGNATURE_LINE)
    throw new WitnessError(`${JSON.stringify(vkey)} is not the verification key of a witness`);
  return { name: parsed.key.name, publicKeyHex: parsed.key.publicKeyHex };
}
