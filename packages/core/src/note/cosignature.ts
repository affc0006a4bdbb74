/**
 * C2SP `cosignature/v1` by Ed25519 witnesses (c2sp.org/tlog-cosignature): the bytes that a witness signs, and its note
 * line.
 */
import { hexToBytes } from "../encoding/hex.ts";
import { encodeUtf8 } from "../encoding/utf8.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { PublicKeyHex, SignatureHex } from "../schema/atoms.ts";
import { COSIGNATURE_LINE, type NoteLine, noteKeyId } from "./signed-note.ts";

const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;
const ML_DSA_SIGNATURE_BYTES = 2420;

/** The timestamped signature in the note line of a cosignature. */
export interface Cosignature {
  /** Unix seconds. */
  readonly cosignedAt: number;
  /** 64 bytes. */
  readonly signature: Uint8Array;
}

/**
 * Returns the bytes that a witness signs (c2sp.org/tlog-cosignature): the header, its time, and the note's text.
 * `cosignedAt`: Unix seconds, 1 to 2^53-1; not checked. `noteText`: up to and including its last newline.
 *
 * @example
 * const { text = "" } = parseNote(checkpoint.note) ?? {};
 * const lines = new TextDecoder().decode(cosignedBytes(1772357412, text)).split("\n");
 * console.log(lines[0], lines[1]); // cosignature/v1 time 1772357412
 */
export function cosignedBytes(cosignedAt: number, noteText: string): Uint8Array {
  return encodeUtf8(`cosignature/v1\ntime ${cosignedAt}\n${noteText}`);
}

/**
 * Returns the note line of a cosignature by a witness (c2sp.org/tlog-cosignature). `name`: the witness's C2SP key name.
 * `publicKeyHex`: its Ed25519 key, 64 lowercase hex characters. `cosignedAt`: Unix seconds, 1 to 2^53-1.
 * `signatureHex`: over `cosignedBytes`, 128 lowercase hex characters. Throws TypeError for a signature that is not hex.
 * It does not verify the signature.
 *
 * @example
 * const { text = "" } = parseNote(checkpoint.note) ?? {};
 * const cosignedAt = 1772357412;
 * const signatureHex = encodeHex(await signer.sign(cosignedBytes(cosignedAt, text))) as SignatureHex;
 * const line = cosignatureLine(kernel, "witness.example/w1", signer.publicKeyHex, cosignedAt, signatureHex);
 * console.log(line.name, line.signature.length); // witness.example/w1 72
 */
export function cosignatureLine(
  kernel: Kernel,
  name: string,
  publicKeyHex: PublicKeyHex,
  cosignedAt: number,
  signatureHex: SignatureHex,
): NoteLine {
  const signature = new Uint8Array(TIME_BYTES + SIGNATURE_BYTES);
  new DataView(signature.buffer).setBigUint64(0, BigInt(cosignedAt));
  signature.set(hexToBytes(signatureHex), TIME_BYTES);
  return { name, keyId: noteKeyId(kernel, name, COSIGNATURE_LINE, publicKeyHex), signature };
}

/**
 * Says whether the bytes behind the key id of a note line have the length of a timestamped ML-DSA-44 signature. No
 * other type has that length.
 */
export function isMlDsaCosignature(bytes: Uint8Array): boolean {
  return bytes.length === TIME_BYTES + ML_DSA_SIGNATURE_BYTES;
}

/**
 * Parses the bytes behind the key id of a note line as a cosignature (c2sp.org/tlog-cosignature). `bytes`:
 * `NoteLine.signature`. Returns its time and signature; null if they are not 72 bytes, or if the time is 0 or above
 * 2^53-1. It verifies nothing.
 *
 * @example
 * const bytes = new Uint8Array(72);
 * bytes[7] = 60; // the time is a 64-bit big-endian integer
 * console.log(parseCosignature(bytes)?.cosignedAt, parseCosignature(new Uint8Array(72))); // 60 null
 */
export function parseCosignature(bytes: Uint8Array): Cosignature | null {
  if (bytes.length !== TIME_BYTES + SIGNATURE_BYTES) return null;
  const time = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
  if (time < 1n || time > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  return { cosignedAt: Number(time), signature: bytes.subarray(TIME_BYTES) };
}
