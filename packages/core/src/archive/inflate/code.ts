/** Huffman codes, which deflate states by the lengths of their codes (RFC 1951 section 3.2.2). */
import type { Bits } from "./bits.ts";
import { DeflateFault } from "./fault.ts";

const MAX_CODE_BITS = 15;
/**
 * Codes up to this length are looked up at once. To fill a larger table would cost more than it saves in a short block.
 */
const FAST_BITS = 9;
export const FAST_MASK = (1 << FAST_BITS) - 1;

/**
 * The meaning of a code in one number, so that reading it is one look-up. Bits 0 to 3 hold the length of the code. Bits
 * 4 to 7 hold how many more bits belong to the value. Bits 8 and 9 hold the sort. Above them stands the value, or the
 * base that it starts from.
 */
export type Entry = number;

/** A value by itself: a literal byte, or a value of another code. */
export const LITERAL = 0;
/** A length or a distance, whose value has more bits. */
export const COUNTED = 1 << 8;
export const END = 2 << 8;
/** A symbol that means nothing. */
export const NONE = 3 << 8;
const SORT = 3 << 8;

export const lengthOf = (entry: Entry): number => entry & 15;
export const addedBits = (entry: Entry): number => (entry >> 4) & 15;
export const sortOf = (entry: Entry): number => entry & SORT;
export const baseOf = (entry: Entry): number => entry >> 10;

/** Returns an entry without the length of its code. */
export function meaning(sort: number, value: number, added = 0): Entry {
  return (value << 10) | sort | (added << 4);
}

/** A canonical Huffman code. */
export interface Code {
  /** Entries by the next FAST_BITS bits; 0 if the code is longer, or if there is none. */
  readonly fast: Int32Array;
  /** The number of codes of each length. */
  readonly counts: Uint16Array;
  /** Entries without lengths, in the order of their codes. */
  readonly ordered: Int32Array;
}

/**
 * Returns the code whose symbols have these meanings and codes of these lengths, 0 for none. An incomplete code may
 * only have a single code, of one bit.
 */
export function codeOf(lengths: Uint8Array, meanings: ArrayLike<Entry>, mayBeSingle = true): Code {
  const counts = new Uint16Array(MAX_CODE_BITS + 1);
  for (const length of lengths) counts[length] = (counts[length] as number) + 1;
  const used = lengths.length - (counts[0] as number);
  counts[0] = 0;
  const firsts = new Uint16Array(MAX_CODE_BITS + 2);
  const places = new Uint16Array(MAX_CODE_BITS + 2);
  let left = 1;
  for (let length = 1; length <= MAX_CODE_BITS; length++) {
    const count = counts[length] as number;
    left = left * 2 - count;
    if (left < 0) throw new DeflateFault("a code in it has too many symbols");
    firsts[length + 1] = ((firsts[length] as number) + count) << 1;
    places[length + 1] = (places[length] as number) + count;
  }
  if (left > 0 && used > 0 && !(mayBeSingle && used === 1 && counts[1] === 1))
    throw new DeflateFault("a code in it is incomplete");
  const fast = new Int32Array(1 << FAST_BITS);
  const ordered = new Int32Array(used);
  lengths.forEach((length, symbol) => {
    if (length === 0) return;
    const code = firsts[length] as number;
    firsts[length] = code + 1;
    const place = places[length] as number;
    places[length] = place + 1;
    const meant = meanings[symbol] as number;
    ordered[place] = meant;
    if (length > FAST_BITS) return;
    for (let at = reversed(code, length); at < fast.length; at += 1 << length) fast[at] = meant | length;
  });
  return { fast, counts, ordered };
}

/** Returns a code in the order of the stream, its first bit lowest. */
function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit++) result |= ((code >> bit) & 1) << (length - 1 - bit);
  return result;
}

/** Returns the entry of the next bits of a stream, for short and long codes. */
export function entryOf(next: number, code: Code): Entry {
  return (code.fast[next & FAST_MASK] as number) || longEntry(next, code);
}

/** Reads the next entry of a stream. */
export function readEntry(bits: Bits, code: Code): Entry {
  const entry = entryOf(bits.peek(), code);
  bits.drop(lengthOf(entry));
  return entry;
}

function longEntry(next: number, { counts, ordered }: Code): Entry {
  let code = 0;
  let first = 0;
  let place = 0;
  for (let length = 1; length <= MAX_CODE_BITS; length++) {
    code |= (next >> (length - 1)) & 1;
    const count = counts[length] as number;
    if (code - first < count) return (ordered[place + code - first] as number) | length;
    place += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  throw new DeflateFault("a symbol in it is none");
}
