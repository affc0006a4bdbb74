/**
 * Lowercase hexadecimal, the only spelling the protocol knows (protocol section 1). Uppercase digits are refused.
 */

import { parseUtf8 } from "./utf8.ts";

const DIGITS = "0123456789abcdef";
const PAIRS: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) => `${DIGITS.charAt(byte >> 4)}${DIGITS.charAt(byte & 15)}`,
);

/**
 * Returns bytes as lowercase hex, two digits a byte. `bytes`: any number of them.
 *
 * @example
 * console.log(encodeHex(Uint8Array.of(0, 255))); // 00ff
 */
export function encodeHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += PAIRS[byte];
  return text;
}

/** Does the same for many bytes, for which a decoder is faster than joining texts. */
export function encodeLongHex(bytes: Uint8Array): string {
  const digits = new Uint8Array(2 * bytes.length);
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    digits[2 * at] = DIGITS.charCodeAt(byte >> 4);
    digits[2 * at + 1] = DIGITS.charCodeAt(byte & 15);
  }
  return parseUtf8(digits) ?? "";
}

/**
 * Returns the bytes of lowercase hex; null for any other text. `text`: refused are an odd length, uppercase digits and
 * every other character.
 *
 * @example
 * console.log(parseHex("00ff")?.length, parseHex("00FF")); // 2 null
 */
export function parseHex(text: string): Uint8Array | null {
  if (text.length % 2 !== 0) return null;
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    const high = digit(text.charCodeAt(2 * i));
    const low = digit(text.charCodeAt(2 * i + 1));
    if (high < 0 || low < 0) return null;
    bytes[i] = (high << 4) | low;
  }
  return bytes;
}

/**
 * Returns the bytes of hex that a schema has already checked. `text`: lowercase hex, two digits a byte. Throws
 * TypeError for anything else, which is a caller's mistake: use `parseHex` for text from outside.
 *
 * @example
 * console.log(hexToBytes("00ff")[1]); // 255
 */
export function hexToBytes(text: string): Uint8Array {
  const bytes = parseHex(text);
  if (bytes === null) throw new TypeError(`not lowercase hex: ${JSON.stringify(text.slice(0, 80))}`);
  return bytes;
}

function digit(code: number): number {
  // A character before the digits gives a negative number too.
  if (code <= 57) return code - 48;
  if (code >= 97 && code <= 102) return code - 87;
  return -1;
}
