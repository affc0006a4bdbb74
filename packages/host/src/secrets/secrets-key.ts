/** The key under which secrets are sealed: 32 random bytes, and a name that says nothing about them. */
import { createHash, createSecretKey, type KeyObject } from "node:crypto";
import { randomBytes } from "../random.ts";

const KEY_BYTES = 32;
/** The name is a hash over this and the key, so that it is no hash of the key for anything else. */
const PURPOSE = "svc-secrets-key\n";
const KID_CHARACTERS = 16;
const BASE64 = /^[A-Za-z0-9+/]{43}=$/;

/** A key. */
export interface SecretsKey {
  /** 16 lowercase hex characters. */
  readonly kid: string;
  readonly key: KeyObject;
}

/** Returns the 32 bytes of a new key. */
export function newSecretsKey(): Uint8Array {
  return randomBytes(KEY_BYTES);
}

/** Returns a key. Throws RangeError for another number of bytes than 32. */
export function secretsKeyOf(bytes: Uint8Array): SecretsKey {
  if (bytes.length !== KEY_BYTES) throw new RangeError(`a key of secrets has ${KEY_BYTES} bytes, not ${bytes.length}`);
  const hash = createHash("sha256").update(PURPOSE).update(bytes).digest("hex");
  return { kid: hash.slice(0, KID_CHARACTERS), key: createSecretKey(bytes) };
}

/** Returns the bytes of a key as base64 has them; null for any other text. */
export function secretsKeyFromText(text: string): Uint8Array | null {
  if (!BASE64.test(text)) return null;
  const bytes = Buffer.from(text, "base64");
  // The last character has four bits: another spelling of the same bytes is refused.
  return bytes.toString("base64") === text ? bytes : null;
}
