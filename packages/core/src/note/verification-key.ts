/**
 * C2SP verification keys (c2sp.org/signed-note): `<name>+<key id>+<base64 of the type and the raw key>`, parsed
 * strictly. `verificationKey` of signed-note.ts is the inverse. It does NOT say whether a key may be trusted.
 */
import { parseBase64 } from "../encoding/base64.ts";
import { encodeHex } from "../encoding/hex.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { PublicKeyHex } from "../schema/atoms.ts";
import { formats } from "../schema/formats.ts";
import { COSIGNATURE_LINE, ED25519_LINE, keyIdOf, ML_DSA_LINE } from "./signed-note.ts";

/** The base64 part may hold a plus itself; a name cannot. */
const FORM = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/u;
/** The length of a key in bytes, by its signature type. */
const KEY_BYTES: ReadonlyMap<number, number> = new Map([
  [ED25519_LINE, 32],
  [COSIGNATURE_LINE, 32],
  [ML_DSA_LINE, 1312],
]);

/** A key of any type that this release can name, even if it does not check the signatures. */
export interface AnyVerificationKey {
  /** A C2SP key name. */
  readonly name: string;
  /** 8 lowercase hex characters. */
  readonly keyId: string;
  /** An ordinary signature (0x01), a `cosignature/v1` by a witness (0x04), or a cosignature by ML-DSA-44 (0x06). */
  readonly type: typeof ED25519_LINE | typeof COSIGNATURE_LINE | typeof ML_DSA_LINE;
  /** The encoded key in lowercase hex: 32 bytes of Ed25519, 1312 of ML-DSA-44. */
  readonly keyHex: string;
}

/** A key that may sign a note, and the way in which it signs. */
export interface VerificationKey {
  /** A C2SP key name. */
  readonly name: string;
  /** 8 lowercase hex characters. */
  readonly keyId: string;
  /** An ordinary signature (0x01), or a `cosignature/v1` by a witness (0x04). */
  readonly type: typeof ED25519_LINE | typeof COSIGNATURE_LINE;
  readonly publicKeyHex: PublicKeyHex;
}

interface KeyFault {
  readonly ok: false;
  readonly code: "malformed" | "unsupported_object" | "kid_mismatch";
}

/** A key, or the code of the fault. */
export type ParsedVerificationKey = { readonly ok: true; readonly key: VerificationKey } | KeyFault;

/**
 * Parses a verification key of an Ed25519 signer or witness (c2sp.org/signed-note). `text`:
 * `<name>+<key id>+<base64 of the type and the raw key>`. Returns the key, or one code: `malformed` for a text of
 * another form, or a key of another length than 32 bytes; `unsupported_object` for a signature type other than 0x01 and
 * 0x04; `kid_mismatch` if the key id is not that of the name, the type and the key. It does not say whether the key may
 * be trusted.
 *
 * @example
 * const parsed = parseVerificationKey(kernel, "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW");
 * console.log(parsed.ok && parsed.key.keyId); // c74f20a3
 */
export function parseVerificationKey(kernel: Kernel, text: string): ParsedVerificationKey {
  const read = readVerificationKey(kernel, text, [ED25519_LINE, COSIGNATURE_LINE]);
  if (!read.ok) return read;
  const { name, keyId, type, keyHex } = read.key;
  if (type === ML_DSA_LINE) return { ok: false, code: "unsupported_object" };
  return { ok: true, key: { name, keyId, type, publicKeyHex: keyHex as PublicKeyHex } };
}

/** Parses a verification key of one of these types; by default of any, ML-DSA-44 (0x06, 1312 bytes) included. */
export function readVerificationKey(
  kernel: Kernel,
  text: string,
  types: readonly number[] = [...KEY_BYTES.keys()],
): { readonly ok: true; readonly key: AnyVerificationKey } | KeyFault {
  const [, name = "", keyId = "", base64 = ""] = FORM.exec(text) ?? [];
  const typed = parseBase64(base64);
  if (typed === null || typed.length < 2 || formats["key-name"]?.(name) !== true)
    return { ok: false, code: "malformed" };
  const type = typed[0] ?? 0;
  if (!types.includes(type)) return { ok: false, code: "unsupported_object" };
  if (typed.length !== 1 + (KEY_BYTES.get(type) ?? 0)) return { ok: false, code: "malformed" };
  if (keyId !== keyIdOf(kernel, name, typed)) return { ok: false, code: "kid_mismatch" };
  return {
    ok: true,
    key: { name, keyId, type: type as AnyVerificationKey["type"], keyHex: encodeHex(typed.subarray(1)) },
  };
}
