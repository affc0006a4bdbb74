/**
 * Inflating (RFC 1951), strictly: the stream gives exactly the bytes that are declared, ends exactly where its bytes end, and has no bit
 * that means nothing. What libraries pass over would let two readers see two contents, or hide data. Constant memory: output comes in pieces.
 */

/** How far back a copy can reach. */
const WINDOW_BYTES = 32_768;
/** How much output comes at a time, at most. */
const PIECE_BYTES = 65_536;
const MAX_CODE_BITS = 15;
/** Codes up to this length are looked up at once. A larger table would cost more to fill than a short block has to say. */
const FAST_BITS = 9;
const END_OF_BLOCK = 256;
/** How many length and distance symbols mean something; the fixed codes have a few more. */
const LENGTH_SYMBOLS = 29;
const DISTANCE_SYMBOLS = 30;
/** The order in which a block states the lengths of the codes for its code lengths. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
/** Of each length symbol the length that it starts from, and how many bits are added. */
const LENGTH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];

class Fault extends Error {}

/**
 * Inflates a whole deflate stream of which `sizeBytes` must come out, and hands out the pieces in order; each is only lent until the call
 * returns. Answers with what is wrong with the stream, as a sentence; null where nothing is. Pieces of a bad stream have been handed out
 * then, never more than is declared.
 */
export function inflate(packed: Uint8Array, sizeBytes: number, take: (piece: Uint8Array) => void): string | null {
  const bits = new Bits(packed);
  const output = new Output(sizeBytes, take);
  let fixed: [Code, Code] | undefined;
  try {
    for (let isLast = false; !isLast; ) {
      isLast = bits.take(1) === 1;
      const type = bits.take(2);
      if (type === 3) throw new Fault("it has a block of no kind");
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
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

/** The bits of the stream, the lowest bit of each byte first. */
class Bits {
  readonly #bytes: Uint8Array;
  #at = 0;
  #held = 0;
  #count = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The next bits without taking them, at most 16; zeros behind the end. */
  peek(): number {
    while (this.#count <= 16 && this.#at < this.#bytes.length) {
      this.#held |= (this.#bytes[this.#at++] as number) << this.#count;
      this.#count += 8;
    }
    return this.#held;
  }

  drop(count: number): void {
    if (count > this.#count) throw new Fault("it ends early");
    this.#held >>>= count;
    this.#count -= count;
  }

  /** A number of so many bits, at most 16. */
  take(count: number): number {
    const value = this.peek() & ((1 << count) - 1);
    this.drop(count);
    return value;
  }

  /** Whole bytes; only where a byte begins. */
  takeBytes(count: number): Uint8Array {
    this.#at -= this.#count >> 3;
    this.#held = this.#count = 0;
    const bytes = this.#bytes.subarray(this.#at, this.#at + count);
    if (bytes.length < count) throw new Fault("it ends early");
    this.#at += count;
    return bytes;
  }

  /** Goes on to the next byte; the bits before it must be zeros. */
  align(): void {
    if (this.take(this.#count & 7) !== 0) throw new Fault("bits stand in it that mean nothing");
  }

  expectEnd(): void {
    this.align();
    if (this.#count > 0 || this.#at < this.#bytes.length) throw new Fault("data stands behind its end");
  }
}

/** What comes out, in one buffer that keeps as much of the past as a copy can reach. */
class Output {
  readonly #sizeBytes: number;
  readonly #take: (piece: Uint8Array) => void;
  readonly #buffer: Uint8Array;
  /** What is in the buffer, and how much of that was handed out. */
  #filled = 0;
  #taken = 0;
  /** How much may still come. */
  #left: number;

  constructor(sizeBytes: number, take: (piece: Uint8Array) => void) {
    this.#sizeBytes = sizeBytes;
    this.#left = sizeBytes;
    this.#take = take;
    this.#buffer = new Uint8Array(Math.min(sizeBytes, WINDOW_BYTES + PIECE_BYTES));
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#filled++] = value;
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  /** Repeats what came `distance` bytes before, byte by byte: a copy may reach into itself. */
  copy(distance: number, length: number): void {
    if (distance > this.#sizeBytes - this.#left) throw new Fault("it copies from before its beginning");
    this.#reserve(length);
    const buffer = this.#buffer;
    for (let end = this.#filled + length; this.#filled < end; this.#filled++)
      buffer[this.#filled] = buffer[this.#filled - distance] as number;
  }

  end(): void {
    if (this.#left > 0) throw new Fault(`${this.#sizeBytes - this.#left} bytes come out of it`);
    this.#hand();
  }

  /** Makes room; checked before anything is written, so that nothing past the declared size is ever held. */
  #reserve(count: number): void {
    if (count > this.#left) throw new Fault("more comes out of it");
    this.#left -= count;
    if (this.#filled + count <= this.#buffer.length) return;
    this.#hand();
    const kept = this.#filled - WINDOW_BYTES;
    this.#buffer.copyWithin(0, kept, this.#filled);
    this.#filled = this.#taken = WINDOW_BYTES;
  }

  #hand(): void {
    if (this.#filled > this.#taken) this.#take(this.#buffer.subarray(this.#taken, this.#filled));
    this.#taken = this.#filled;
  }
}

function copyStored(bits: Bits, output: Output): void {
  bits.align();
  const length = bits.take(16);
  if (bits.take(16) !== (~length & 0xffff)) throw new Fault("a stored block states two lengths");
  const bytes = bits.takeBytes(length);
  // In parts that leave room for the window.
  for (let at = 0; at < length; at += WINDOW_BYTES) output.bytes(bytes.subarray(at, at + WINDOW_BYTES));
}

/** A canonical Huffman code. */
interface Code {
  /** By the next FAST_BITS bits: the symbol times 16 and its length; 0 where the code is longer, or none. */
  readonly fast: Uint16Array;
  /** How many codes there are of each length. */
  readonly counts: Uint16Array;
  /** The symbols, in the order of their codes. */
  readonly symbols: Uint16Array;
}

/** The code whose symbols have codes of these lengths, 0 for none. One that is incomplete may only have a single code, of one bit. */
function codeOf(lengths: Uint8Array, mayBeSingle = true): Code {
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
    if (left < 0) throw new Fault("a code in it has too many symbols");
    firsts[length + 1] = ((firsts[length] as number) + count) << 1;
    places[length + 1] = (places[length] as number) + count;
  }
  if (left > 0 && used > 0 && !(mayBeSingle && used === 1 && counts[1] === 1))
    throw new Fault("a code in it is incomplete");
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

function readSymbol(bits: Bits, { fast, counts, symbols }: Code): number {
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
  throw new Fault("a symbol in it is none");
}

/** The codes of a block with fixed codes. */
function fixedCodes(): [Code, Code] {
  const lengths = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
  return [codeOf(lengths), codeOf(new Uint8Array(32).fill(5))];
}

/** The codes that a block states: those of literals and lengths, and those of distances. */
function readCodes(bits: Bits): [Code, Code] {
  const literals = 257 + bits.take(5);
  const distances = 1 + bits.take(5);
  const stated = 4 + bits.take(4);
  if (literals > END_OF_BLOCK + 1 + LENGTH_SYMBOLS || distances > DISTANCE_SYMBOLS)
    throw new Fault("a block in it states more symbols than there are");
  const ofLengths = new Uint8Array(LENGTH_ORDER.length);
  for (const symbol of LENGTH_ORDER.slice(0, stated)) ofLengths[symbol] = bits.take(3);
  const code = codeOf(ofLengths, false);
  const lengths = new Uint8Array(literals + distances);
  for (let at = 0; at < lengths.length; ) {
    const symbol = readSymbol(bits, code);
    if (symbol < 16) {
      lengths[at++] = symbol;
      continue;
    }
    if (symbol === 16 && at === 0) throw new Fault("a block in it repeats what is not there");
    const repeated = symbol === 16 ? (lengths[at - 1] as number) : 0;
    const count = symbol === 16 ? 3 + bits.take(2) : symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7);
    if (at + count > lengths.length) throw new Fault("a block in it states more lengths than symbols");
    lengths.fill(repeated, at, at + count);
    at += count;
  }
  if (lengths[END_OF_BLOCK] === 0) throw new Fault("a block in it cannot end");
  return [codeOf(lengths.subarray(0, literals)), codeOf(lengths.subarray(literals))];
}

function inflateBlock(bits: Bits, output: Output, literals: Code, distances: Code): void {
  for (let symbol = readSymbol(bits, literals); symbol !== END_OF_BLOCK; symbol = readSymbol(bits, literals)) {
    if (symbol < END_OF_BLOCK) {
      output.byte(symbol);
      continue;
    }
    const which = symbol - END_OF_BLOCK - 1;
    if (which >= LENGTH_SYMBOLS) throw new Fault("a length in it is none");
    const length = (LENGTH_BASE[which] as number) + bits.take(LENGTH_BITS[which] as number);
    const distance = readSymbol(bits, distances);
    if (distance >= DISTANCE_SYMBOLS) throw new Fault("a distance in it is none");
    output.copy(distanceOf(bits, distance), length);
  }
}

/** From symbol 4 on every second symbol has one more bit. */
function distanceOf(bits: Bits, symbol: number): number {
  if (symbol < 4) return symbol + 1;
  const added = (symbol >> 1) - 1;
  return ((2 + (symbol & 1)) << added) + 1 + bits.take(added);
}
