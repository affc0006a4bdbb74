/** Reading the key that a program pins. It comes from settings, where it is forgotten, quoted, or another kind of key. */
import type { PublicKeyHex } from "@svc/core";

const PUBLIC_KEY = /^[0-9a-f]{64}$/;

/**
 * Takes a text for an Ed25519 public key, as `pinKeys` wants it: 64 lowercase hex characters, 32 bytes (protocol section 4). Throws TypeError for any
 * other text, and for none. It does not check whose key it is: that is for whoever pins it to know.
 *
 * @example
 * const key = parsePublicKeyHex(process.env.SVC_PUBLIC_KEY);
 * console.log(key.length); // 64
 */
export function parsePublicKeyHex(text: string | undefined): PublicKeyHex {
  if (text !== undefined && PUBLIC_KEY.test(text)) return text as PublicKeyHex;
  const what = text ? `is not 64 lowercase hex characters (it has ${text.length})` : "is missing";
  throw new TypeError(
    `The public key ${what}. Give the service's public_key_hex, as whoever runs the service told you: svc-server init prints it.`,
  );
}
