/**
 * Standard base64 with padding, canonical only (RFC 4648 section 4): each byte string has one text, as signed notes
 * need it.
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = new Map([...ALPHABET].map((character, value) => [character.charCodeAt(0), value]));

/**
 * Returns bytes as padded standard base64. `bytes`: any number of them.
 *
 * @example
 * console.log(encodeBase64(Uint8Array.of(255, 239))); // /+8=
 */
export function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const b0 = bytes[i] ?? 0;
    const b1 = bytes[i + 1];
    const b2 = bytes[i + 2];
    text += ALPHABET.charAt(b0 >> 2) + ALPHABET.charAt(((b0 & 3) << 4) | ((b1 ?? 0) >> 4));
    text += b1 === undefined ? "=" : ALPHABET.charAt(((b1 & 15) << 2) | ((b2 ?? 0) >> 6));
    text += b2 === undefined ? "=" : ALPHABET.charAt(b2 & 63);
  }
  return text;
}

/**
 * Returns the bytes of padded standard base64; null for any other text. `text`: refused are also the url-safe alphabet,
 * missing padding, whitespace, and trailing bits that are not zero.
 *
 * @example
 * console.log(parseBase64("/+8=")?.length, parseBase64("_-8=")); // 2 null
 */
export function parseBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0) return null;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let at = 0;
  for (let i = 0; i < text.length; i += 4) {
    let group = 0;
    for (let j = 0; j < 4; j++) {
      const isPadding = i + j >= text.length - padding;
      const value = isPadding ? 0 : VALUES.get(text.charCodeAt(i + j));
      if (value === undefined) return null;
      group = (group << 6) | value;
    }
    for (let shift = 16; shift >= 0; shift -= 8) {
      const byte = (group >> shift) & 255;
      if (at < bytes.length) bytes[at++] = byte;
      else if (byte !== 0) return null;
    }
  }
  return bytes;
}
