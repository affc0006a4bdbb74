/**
 * Inflates strictly (RFC 1951): the stream gives exactly the bytes that are declared, ends exactly where its bytes end,
 * and has no bit without a meaning. Libraries pass over such bits, which would let two readers see two contents, or
 * hide data. Memory is constant: output comes in pieces.
 */
import { Bits } from "./bits.ts";
import {
  addedBits,
  baseOf,
  COUNTED,
  type Code,
  codeOf,
  END,
  type Entry,
  LITERAL,
  meaning,
  NONE,
  readEntry,
  sortOf,
} from "./code.ts";
import { DeflateFault } from "./fault.ts";
import { Output, WINDOW_BYTES } from "./output.ts";
import { inflateQuickly } from "./quickly.ts";

const END_OF_BLOCK = 256;
/** Only so many length and distance symbols have a meaning; the fixed codes have a few more. */
const LENGTH_SYMBOLS = 29;
const DISTANCE_SYMBOLS = 30;
/** The order in which a block states the lengths of the codes for its code lengths. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
/** The longest copy, which has the last length symbol to itself. */
const LONGEST = 258;

/** The meanings of the symbols of literals and lengths, of distances, and of code lengths. */
const LITERAL_MEANINGS = /* @__PURE__ */ Array.from({ length: 288 }, (_, symbol) => {
  if (symbol < END_OF_BLOCK) return meaning(LITERAL, symbol);
  if (symbol === END_OF_BLOCK) return meaning(END, 0);
  const which = symbol - END_OF_BLOCK - 1;
  if (which >= LENGTH_SYMBOLS) return meaning(NONE, 0);
  return which === LENGTH_SYMBOLS - 1 ? meaning(COUNTED, LONGEST) : counted(which, 2, 3);
});
const DISTANCE_MEANINGS = /* @__PURE__ */ Array.from({ length: 32 }, (_, symbol) =>
  symbol < DISTANCE_SYMBOLS ? counted(symbol, 1, 1) : meaning(NONE, 0),
);
const PLAIN_MEANINGS = /* @__PURE__ */ LENGTH_ORDER.map((_, symbol) => meaning(LITERAL, symbol));

/**
 * Returns the entry of a length or a distance; `least` is the smallest value. After each 2**`bits` symbols the values
 * have one bit more, but not after the second 2**`bits` of them.
 */
function counted(symbol: number, bits: number, least: number): Entry {
  const row = 1 << bits;
  const added = Math.max(0, (symbol >> bits) - 1);
  return meaning(COUNTED, least + (symbol < row ? symbol : (row + (symbol & (row - 1))) << added), added);
}

/**
 * Inflates a whole deflate stream, and passes the pieces to `take`, in order; a piece is valid only until `take`
 * returns. `sizeBytes`: the declared size of the output. Returns the fault of the stream as a sentence; null if there
 * is none. A bad stream may have passed pieces before, but never more than the declared size.
 */
export function inflate(packed: Uint8Array, sizeBytes: number, take: (piece: Uint8Array) => void): string | null {
  const bits = new Bits(packed);
  const output = new Output(sizeBytes, take);
  let fixed: [Code, Code] | undefined;
  try {
    for (let isLast = false; !isLast; ) {
      isLast = bits.take(1) === 1;
      const type = bits.take(2);
      if (type === 3) throw new DeflateFault("it has a block of no kind");
      if (type === 0) copyStored(bits, output);
      else if (type === 2) inflateBlock(bits, output, ...readCodes(bits));
      else {
        fixed ??= fixedCodes();
        inflateBlock(bits, output, ...fixed);
      }
    }
    bits.expectEnd();
    output.end();
    return null;
  } catch (error) {
    if (error instanceof DeflateFault) return error.message;
    throw error;
  }
}

/** Returns the whole output of such a stream. Throws RangeError for a bad one. */
export function inflateWhole(packed: Uint8Array, sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(sizeBytes);
  let at = 0;
  const wrong = inflate(packed, sizeBytes, (piece) => {
    bytes.set(piece, at);
    at += piece.length;
  });
  if (wrong !== null) throw new RangeError(wrong);
  return bytes;
}

function copyStored(bits: Bits, output: Output): void {
  bits.align();
  const length = bits.take(16);
  if (bits.take(16) !== (~length & 0xffff)) throw new DeflateFault("a stored block states two lengths");
  const bytes = bits.takeBytes(length);
  // In parts that leave room for the window.
  for (let at = 0; at < length; at += WINDOW_BYTES) output.bytes(bytes.subarray(at, at + WINDOW_BYTES));
}

/** Returns the codes of a block with fixed codes. */
function fixedCodes(): [Code, Code] {
  const lengths = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
  return [codeOf(lengths, LITERAL_MEANINGS), codeOf(new Uint8Array(32).fill(5), DISTANCE_MEANINGS)];
}

/** Reads the codes that a block states: the code of literals and lengths, and the code of distances. */
function readCodes(bits: Bits): [Code, Code] {
  const literals = 257 + bits.take(5);
  const distances = 1 + bits.take(5);
  const stated = 4 + bits.take(4);
  if (literals > END_OF_BLOCK + 1 + LENGTH_SYMBOLS || distances > DISTANCE_SYMBOLS)
    throw new DeflateFault("a block in it states more symbols than there are");
  const ofLengths = new Uint8Array(LENGTH_ORDER.length);
  for (const symbol of LENGTH_ORDER.slice(0, stated)) ofLengths[symbol] = bits.take(3);
  const code = codeOf(ofLengths, PLAIN_MEANINGS, false);
  const lengths = new Uint8Array(literals + distances);
  for (let at = 0; at < lengths.length; ) {
    const symbol = baseOf(readEntry(bits, code));
    if (symbol < 16) {
      lengths[at++] = symbol;
      continue;
    }
    if (symbol === 16 && at === 0) throw new DeflateFault("a block in it repeats what is not there");
    const repeated = symbol === 16 ? (lengths[at - 1] as number) : 0;
    const count = symbol === 16 ? 3 + bits.take(2) : symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7);
    if (at + count > lengths.length) throw new DeflateFault("a block in it states more lengths than symbols");
    lengths.fill(repeated, at, at + count);
    at += count;
  }
  if (lengths[END_OF_BLOCK] === 0) throw new DeflateFault("a block in it cannot end");
  return [
    codeOf(lengths.subarray(0, literals), LITERAL_MEANINGS),
    codeOf(lengths.subarray(literals), DISTANCE_MEANINGS),
  ];
}

function inflateBlock(bits: Bits, output: Output, literals: Code, distances: Code): void {
  while (!inflateQuickly(bits, output, literals, distances)) {
    const entry = readEntry(bits, literals);
    const sort = sortOf(entry);
    if (sort === END) return;
    if (sort === NONE) throw new DeflateFault("a length in it is none");
    if (sort === LITERAL) {
      output.byte(baseOf(entry));
      continue;
    }
    const length = baseOf(entry) + bits.take(addedBits(entry));
    const distance = readEntry(bits, distances);
    if (sortOf(distance) === NONE) throw new DeflateFault("a distance in it is none");
    output.copy(baseOf(distance) + bits.take(addedBits(distance)), length);
  }
}
