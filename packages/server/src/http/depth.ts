/** Where a JSON text first nests deeper than so many arrays and objects. */

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** The offset of the bracket that goes beyond `depth`, in bytes that have been parsed before; null where none does. */
export function offsetOfDepth(bytes: Uint8Array, depth: number): number | null {
  let level = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (inString && byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) inString = !inString;
    else if (inString) continue;
    else if (CLOSING.has(byte)) level -= 1;
    else if (OPENING.has(byte)) {
      level += 1;
      if (level > depth) return at;
    }
  }
  return null;
}
