/**
 * A bundle's text without its receipts, which are most of it. Where the receipts stand is guessed from the bytes, and nothing is taken for
 * granted: who uses a frame parses it strictly, finds an empty array where the receipts were, and parses these strictly as well.
 */
import { concatBytes } from "../../encoding/bytes.ts";
import { encodeUtf8 } from "../../encoding/utf8.ts";
import type { Span } from "../../kernel/document.ts";

/** Fewer bytes of receipts are read whole: it costs nothing to speak of. */
const MIN_BYTES = 32_768;
/** What stands before the receipts of a canonical bundle, and behind them. */
const BEFORE = encodeUtf8('"receipts.json":[');
const BEHIND = encodeUtf8('],"windows.json":');
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/** A text and the part that was cut out of it. */
export interface Frame {
  /** The text with an empty array in the place of the receipts. */
  readonly bytes: Uint8Array;
  /** Where the array of receipts stands in the whole text, brackets included. The empty one begins at the same place. */
  readonly receipts: Span;
}

/** Takes the receipts out of a canonical text; null where it has not enough of them to be worth it, or is no bundle. */
export function frameOf(canonical: Uint8Array): Frame | null {
  const start = find(canonical, BEFORE, BEFORE.length - 1, OPEN_ARRAY, 0);
  if (start === null) return null;
  const last = find(canonical, BEHIND, 0, CLOSE_ARRAY, start);
  if (last === null || last - start < MIN_BYTES) return null;
  const bytes = concatBytes([canonical.subarray(0, start + 1), canonical.subarray(last)]);
  return { bytes, receipts: { start, end: last + 1 } };
}

/** The first place of a byte, from `from` on, that stands at `index` of a text; found byte by byte, as runtimes search for those fast. */
function find(bytes: Uint8Array, text: Uint8Array, index: number, byte: number, from: number): number | null {
  for (let at = bytes.indexOf(byte, from); at >= 0; at = bytes.indexOf(byte, at + 1)) {
    if (text.every((expected, offset) => bytes[at - index + offset] === expected)) return at;
  }
  return null;
}
