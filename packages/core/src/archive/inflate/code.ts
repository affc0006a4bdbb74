/** Huffman codes as deflate states them: by the lengths of their codes (RFC 1951 section 3.2.2). */
import type { Bits } from "./bits.ts";
import { DeflateFault } from "./fault.ts";

const MAX_CODE_BITS = 15;
/** Codes up to this length are looked up at once. A larger table would cost more to fill than a short block has to say. */
const FAST_BITS = 9;

/** A canonical Huffman code. */
export interface Code {
  /** By the next FAST_BITS bits: the symbol times 16 and its length; 0 where the code is longer, or none. */
  readonly fast: Uint16Array;
  /** How many codes there are of each length. */
  readonly counts: Uint16Array;
  /** The symbols, in the order of their codes. */
  readonly symbols: Uint16Array;
}

/** The code whose symbols have codes of these lengths, 0 for none. One that is incomplete may only have a single code, of one bit. */
export function codeOf(lengths: Uint8Array, mayBeSingle = true): Code {
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
  const fast = new Uint16Array(1 << FAST_BITS);
  const symbols = new Uint16Array(used);
  lengths.forEach((length, symbol) => {
    if (length === 0) return;
    const code = firsts[length] as number;
    firsts[length] = code + 1;
    const place = places[length] as number;
    places[length] = place + 1;
    symbols[place] = symbol;
    if (length > FAST_BITS) return;
    for (let at = reversed(code, length); at < fast.length; at += 1 << length) fast[at] = symbol * 16 + length;
  });
  return { fast, counts, symbols };
}

/** A code as it comes out of the stream, its first bit lowest. */
function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit++) result |= ((code >> bit) & 1) << (length - 1 - bit);
  return result;
}

/** The next symbol. */
export function readSymbol(bits: Bits, { fast, counts, symbols }: Code): number {
  const next = bits.peek();
  const entry = fast[next & ((1 << FAST_BITS) - 1)] as number;
  if (entry !== 0) {
    bits.drop(entry & 15);
    return entry >> 4;
  }
  let code = 0;
  let first = 0;
  let place = 0;
  for (let length = 1; length <= MAX_CODE_BITS; length++) {
    code |= (next >> (length - 1)) & 1;
    const count = counts[length] as number;
    if (code - first < count) {
      bits.drop(length);
      return symbols[place + code - first] as number;
    }
    place += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  throw new DeflateFault("a symbol in it is none");
}
