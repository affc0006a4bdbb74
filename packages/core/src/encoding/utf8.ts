/** UTF-8, by the encoder that every runtime has. */

// Declared here because core compiles without any runtime's global types.
declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };
declare const TextDecoder: new (
  label: "utf-8",
  options: { fatal: true; ignoreBOM: true },
) => { decode(bytes: Uint8Array): string };

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns the UTF-8 bytes of a text. A lone surrogate would become U+FFFD, so callers pass well-formed text. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Returns the text of UTF-8 bytes, with a byte-order mark kept as a character; null if the bytes are ill-formed. */
export function parseUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
