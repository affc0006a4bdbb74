/**
 * C2SP verification keys (c2sp.org/signed-note): `<name>+<key id>+<base64 of the type and the raw key>`, read strictly. The inverse is
 * `verificationKey` of signed-note.ts. Nothing here says whether the key may be trusted.
 */
import { parseBase64 } from "../encoding/base64.ts";
import { encodeHex } from "../encoding/hex.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { PublicKeyHex } from "../schema/atoms.ts";
import { formats } from "../schema/formats.ts";
import { COSIGNATURE_LINE, ED25519_LINE, noteKeyId } from "./signed-note.ts";

const PUBLIC_KEY_BYTES = 32;
/** The base64 part may hold a plus itself; a name cannot. */
const FORM = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/u;

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

/** A key, or the code of what keeps the text from being one. */
export type ParsedVerificationKey =
  | { readonly ok: true; readonly key: VerificationKey }
  | { readonly ok: false; readonly code: "malformed" | "unsupported_object" | "kid_mismatch" };

/**
 * Reads a verification key. `malformed`: not of that form, or a key of another length than 32 bytes. `unsupported_object`: a
 * signature type other than 0x01 and 0x04. `kid_mismatch`: the key id is not that of the name, the type and the key.
 */
export function parseVerificationKey(kernel: Kernel, text: string): ParsedVerificationKey {
  const [, name = "", keyId = "", base64 = ""] = FORM.exec(text) ?? [];
  const typed = parseBase64(base64);
  if (typed === null || typed.length < 2 || formats["key-name"]?.(name) !== true)
    return { ok: false, code: "malformed" };
  const [type] = typed;
  if (type !== ED25519_LINE && type !== COSIGNATURE_LINE) return { ok: false, code: "unsupported_object" };
  if (typed.length !== 1 + PUBLIC_KEY_BYTES) return { ok: false, code: "malformed" };
  const publicKeyHex = encodeHex(typed.subarray(1)) as PublicKeyHex;
  if (keyId !== noteKeyId(kernel, name, type, publicKeyHex)) return { ok: false, code: "kid_mismatch" };
  return { ok: true, key: { name, keyId, type, publicKeyHex } };
}
