/** UTF-8, by the encoder that every runtime has. */

// Declared here because core compiles without any runtime's global types.
declare const TextEncoder: new () => {
  encode(text: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, bytes: Uint8Array): { readonly read: number; readonly written: number };
};
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

/**
 * Does the same in the memory of an earlier result, which is lost, if it suffices: fresh memory costs more than
 * encoding.
 */
export function encodeInto(text: string, { buffer }: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(buffer);
  const { read, written } = encoder.encodeInto(text, bytes);
  return read < text.length ? encodeUtf8(text) : bytes.subarray(0, written);
}

/** Returns the text of UTF-8 bytes, with a byte-order mark kept as a character; null if the bytes are ill-formed. */
export function parseUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
