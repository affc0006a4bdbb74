/** Parses the key that a program pins. Settings often lack it, quote it, or hold another kind of key. */
import type { PublicKeyHex } from "@svc/core";

const PUBLIC_KEY = /^[0-9a-f]{64}$/;

/**
 * Returns a text as an Ed25519 public key for `pinKeys`: 64 lowercase hex characters, 32 bytes (protocol section 4).
 * `text`: from your settings. Throws TypeError for any other text, and for undefined. It does not check whose key it
 * is: only you can know that.
 *
 * @example
 * const key = parsePublicKeyHex(process.env.SVC_PUBLIC_KEY);
 * console.log(key.length); // 64
 */
export function parsePublicKeyHex(text: string | undefined): PublicKeyHex {
  if (text !== undefined && PUBLIC_KEY.test(text)) return text as PublicKeyHex;
  const what = text ? `is not 64 lowercase hex characters (it has ${text.length})` : "is missing";
  throw new TypeError(
    `The public key ${what}. Give the service's public_key_hex, as the operator of the service told you: ` +
      `svc-server init prints it.`,
  );
}
