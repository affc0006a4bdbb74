/**
 * C2SP verification keys (c2sp.org/signed-note): `<name>+<key id>+<base64 of the type and the raw key>`, read strictly. The inverse is
 * `verificationKey` of signed-note.ts. Nothing here says whether the key may be trusted.
 */
import { parseBase64 } from "../encoding/base64.ts";
import { encodeHex } from "../encoding/hex.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { PublicKeyHex } from "../schema/atoms.ts";
import { formats } from "../schema/formats.ts";
import { COSIGNATURE_LINE, ED25519_LINE, keyIdOf, ML_DSA_LINE } from "./signed-note.ts";

/** The base64 part may hold a plus itself; a name cannot. */
const FORM = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/u;
/** How long a key is, by its signature type. */
const KEY_BYTES: ReadonlyMap<number, number> = new Map([
  [ED25519_LINE, 32],
  [COSIGNATURE_LINE, 32],
  [ML_DSA_LINE, 1312],
]);

/** A key of any type that this release can name: also one whose signatures it does not check. */
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

/** Who may sign a note, with which key and in which way. */
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

/** A key, or the code of what keeps the text from being one. */
export type ParsedVerificationKey = { readonly ok: true; readonly key: VerificationKey } | KeyFault;

/**
 * Reads a verification key. `malformed`: not of that form, or a key of another length than 32 bytes. `unsupported_object`: a
 * signature type other than 0x01 and 0x04. `kid_mismatch`: the key id is not that of the name, the type and the key.
 */
export function parseVerificationKey(kernel: Kernel, text: string): ParsedVerificationKey {
  const read = readVerificationKey(kernel, text, [ED25519_LINE, COSIGNATURE_LINE]);
  if (!read.ok) return read;
  const { name, keyId, type, keyHex } = read.key;
  if (type === ML_DSA_LINE) return { ok: false, code: "unsupported_object" };
  return { ok: true, key: { name, keyId, type, publicKeyHex: keyHex as PublicKeyHex } };
}

/** The same for keys of the given types, ML-DSA-44 (0x06, 1312 bytes) among them unless told otherwise. */
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
