/**
 * C2SP `cosignature/v1` by Ed25519 witnesses (c2sp.org/tlog-cosignature): the bytes that a witness signs, and its note line.
 */
import { hexToBytes } from "../encoding/hex.ts";
import { encodeUtf8 } from "../encoding/utf8.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { PublicKeyHex, SignatureHex } from "../schema/atoms.ts";
import { COSIGNATURE_LINE, type NoteLine, noteKeyId } from "./signed-note.ts";

const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;
const ML_DSA_SIGNATURE_BYTES = 2420;

/** A cosignature as a note line carries it. */
export interface Cosignature {
  /** Unix seconds. */
  readonly cosignedAt: number;
  /** 64 bytes. */
  readonly signature: Uint8Array;
}

/** What a witness signs: the header, its time in Unix seconds, and the note's text. */
export function cosignedBytes(cosignedAt: number, noteText: string): Uint8Array {
  return encodeUtf8(`cosignature/v1\ntime ${cosignedAt}\n${noteText}`);
}

/** The note line of a cosignature by a witness. */
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

/** Whether the part of a note line after the key id has the length of a timestamped ML-DSA-44 signature, as no other type has. */
export function isMlDsaCosignature(bytes: Uint8Array): boolean {
  return bytes.length === TIME_BYTES + ML_DSA_SIGNATURE_BYTES;
}

/** Reads the part of a note line after the key id, or answers null where it is none. Times past 2^53-1 are none. */
export function parseCosignature(bytes: Uint8Array): Cosignature | null {
  if (bytes.length !== TIME_BYTES + SIGNATURE_BYTES) return null;
  const time = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
  if (time < 1n || time > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  return { cosignedAt: Number(time), signature: bytes.subarray(TIME_BYTES) };
}
