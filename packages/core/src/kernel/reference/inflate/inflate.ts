/**
 * Inflates strictly (RFC 1951): the stream gives exactly the bytes that are declared, ends exactly where its bytes end,
 * and has no bit without a meaning. Libraries pass over such bits, which would let two readers see two contents, or
 * hide data. Memory is constant: output comes in pieces. One function holds the state of a stream, because every step
 * needs all of it.
 */
import { type Code, codeOf, DeflateFault, demand } from "./code.ts";

/** A copy can reach so far back, in bytes. */
const WINDOW_BYTES = 32_768;
/** The past and a piece of output, in bytes. */
const BUFFER_BYTES = WINDOW_BYTES + 65_536;
const END_OF_BLOCK = 256;
/** The longest copy has a length symbol to itself, the last one; the fixed codes have two more. */
const LONGEST_COPY = 258;
const LONGEST_SYMBOL = 285;
/** The order in which a block states the lengths of the codes for its code lengths. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Does what Kernel.inflate says. */
export function inflate(packed: Uint8Array, sizeBytes: number, take: (piece: Uint8Array) => void): boolean {
  /** The first byte that is not held, and the held bits, the next one lowest. */
  let at = 0;
  let held = 0;
  let count = 0;
  /** As much of the past as a copy can reach, and what has not been passed on from `passed` on. */
  const buffer = new Uint8Array(Math.min(sizeBytes, BUFFER_BYTES));
  let filled = 0;
  let passed = 0;
  let left = sizeBytes;
  let fixed: [Code, Code] | undefined;

  /** Returns the next bits, 17 at least, without taking them; zeros behind the end. */
  function peek(): number {
    for (; count <= 16 && at < packed.length; count += 8) held |= (packed[at++] as number) << count;
    return held;
  }

  function drop(bits: number): void {
    demand(bits <= count);
    held >>>= bits;
    count -= bits;
  }

  /** Takes a number of so many bits, at most 16. */
  function number(bits: number): number {
    const value = peek() & ((1 << bits) - 1);
    drop(bits);
    return value;
  }

  /** Goes on to the next byte; the bits before it must be zeros. */
  function align(): void {
    demand(number(count & 7) === 0);
  }

  function symbol(code: Code): number {
    const entry = code[peek() & (code.length - 1)] as number;
    demand(entry > 0);
    drop(entry & 15);
    return entry >> 4;
  }

  /**
   * Takes the rest of a length or a distance, and returns it less the smallest of all. After each 2**`row` symbols the
   * values have one bit more, but not after the second 2**`row` of them.
   */
  function counted(symbol: number, row: number): number {
    const added = Math.max(0, (symbol >> row) - 1);
    return ((symbol - (added << row)) << added) + number(added);
  }

  /** Returns both codes from the lengths of all their codes, so many of literals first. */
  function codes(lengths: Uint8Array, literals: number): [Code, Code] {
    return [codeOf(lengths.subarray(0, literals)), codeOf(lengths.subarray(literals))];
  }

  function statedCodes(): [Code, Code] {
    const literals = 257 + number(5);
    const distances = 1 + number(5);
    const stated = 4 + number(4);
    demand(literals <= LONGEST_SYMBOL + 1 && distances <= 30);
    const own = new Uint8Array(LENGTH_ORDER.length);
    for (const symbol of LENGTH_ORDER.slice(0, stated)) own[symbol] = number(3);
    const ofLengths = codeOf(own, false);
    const lengths = new Uint8Array(literals + distances);
    for (let to = 0; to < lengths.length; ) {
      const one = symbol(ofLengths);
      demand(one !== 16 || to > 0);
      const repeated = one < 16 ? one : one > 16 ? 0 : (lengths[to - 1] as number);
      const times = one < 16 ? 1 : one > 17 ? 11 + number(7) : 3 + number(one - 14);
      lengths.fill(repeated, to, to + times);
      to += times;
      demand(to <= lengths.length);
    }
    demand(lengths[END_OF_BLOCK] !== 0);
    return codes(lengths, literals);
  }

  function fixedCodes(): [Code, Code] {
    // Blocks may name them again and again.
    fixed ??= codes(new Uint8Array(320).fill(8).fill(9, 144).fill(7, END_OF_BLOCK).fill(8, 280).fill(5, 288), 288);
    return fixed;
  }

  /** Makes room for bytes. It checks the size first, so that memory never holds a byte past the declared size. */
  function reserve(bytes: number): void {
    demand(bytes <= left);
    left -= bytes;
    if (filled + bytes <= buffer.length) return;
    pass();
    buffer.copyWithin(0, filled - WINDOW_BYTES, filled);
    filled = passed = WINDOW_BYTES;
  }

  function pass(): void {
    if (filled > passed) take(buffer.subarray(passed, filled));
    passed = filled;
  }

  function byte(value: number): void {
    reserve(1);
    buffer[filled++] = value;
  }

  function copyStored(): void {
    align();
    let bytes = number(16);
    demand(number(16) === (~bytes & 0xffff));
    while (bytes-- > 0) byte(number(8));
  }

  function readSymbols([ofLiterals, ofDistances]: [Code, Code]): void {
    for (;;) {
      const one = symbol(ofLiterals);
      if (one === END_OF_BLOCK) return;
      if (one < END_OF_BLOCK) {
        byte(one);
        continue;
      }
      demand(one <= LONGEST_SYMBOL);
      const length = one === LONGEST_SYMBOL ? LONGEST_COPY : 3 + counted(one - END_OF_BLOCK - 1, 2);
      const other = symbol(ofDistances);
      demand(other < 30);
      const distance = 1 + counted(other, 1);
      demand(distance <= filled);
      reserve(length);
      // Byte by byte: a copy may reach into itself.
      for (const end = filled + length; filled < end; filled++) buffer[filled] = buffer[filled - distance] as number;
    }
  }

  try {
    for (let isLast = 0; isLast === 0; ) {
      isLast = number(1);
      const type = number(2);
      demand(type < 3);
      if (type === 0) copyStored();
      else readSymbols(type === 1 ? fixedCodes() : statedCodes());
    }
    align();
    demand(count === 0 && at === packed.length && left === 0);
    pass();
    return true;
  } catch (error) {
    if (error instanceof DeflateFault) return false;
    throw error;
  }
}
