/** The nesting of payloads, and the offset in a request at which it becomes too deep. */
import type { Json } from "@svc/core";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = [0x5b, 0x7b];
const CLOSING = [0x5d, 0x7d];

/** Returns whether a value nests deeper than `depth` arrays and objects. The recursion ends at that depth. */
export function nestsDeeper(value: Json, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((member) => nestsDeeper(member as Json, depth - 1));
}

/**
 * Returns the offset of the first bracket that opens a level deeper than `depth`; null if none does. `text` must be
 * JSON that has been parsed.
 */
export function offsetBelow(text: Uint8Array, depth: number): number | null {
  let level = 0;
  let inString = false;
  for (let offset = 0; offset < text.length; offset++) {
    const byte = text[offset] ?? 0;
    if (byte === QUOTE) inString = !inString;
    else if (inString) offset += Number(byte === BACKSLASH);
    else if (OPENING.includes(byte) && ++level > depth) return offset;
    else if (CLOSING.includes(byte)) level--;
  }
  return null;
}
