/**
 * Writes deflate streams bit by bit (RFC 1951): blocks with any codes, repeats and lies that a test wants. Streams are
 * texts of 0 and 1 in the order of reading, until they are packed.
 */

/** Returns a number of so many bits, its lowest first. */
export function number(value: number, bits: number): string {
  return Array.from({ length: bits }, (_, bit) => (value >> bit) & 1).join("");
}

/** Returns a stream's bytes; the bits behind its end are zeros. */
export function packed(...parts: readonly string[]): Uint8Array {
  const all = parts.join("");
  return Uint8Array.from({ length: Math.ceil(all.length / 8) }, (_, index) =>
    Number.parseInt([...all.slice(8 * index, 8 * index + 8).padEnd(8, "0")].reverse().join(""), 2),
  );
}

/** Returns the head of a block: 0 stored, 1 with fixed codes, 2 with its own codes. */
export function block(type: number, isLast = true): string {
  return number(isLast ? 1 : 0, 1) + number(type, 2);
}

/** Returns the codes of symbols with codes of these lengths, 0 for none (RFC 1951 section 3.2.2, step by step). */
export function canonical(lengths: readonly number[]): readonly string[] {
  const codes = lengths.map(() => "");
  let code = 0;
  for (let length = 1; length <= 15; length++) {
    code <<= 1;
    lengths.forEach((own, symbol) => {
      if (own === length) codes[symbol] = (code++).toString(2).padStart(length, "0");
    });
  }
  return codes;
}

/** The fixed codes (section 3.2.6). */
export const FIXED = {
  literals: canonical(Array.from({ length: 288 }, (_, at) => (at < 144 ? 8 : at < 256 ? 9 : at < 280 ? 7 : 8))),
  distances: canonical(Array.from({ length: 32 }, () => 5)),
} as const;

/** A length of a code, or a repeat: its symbol, and the number that follows it. */
export type Stated = number | readonly [symbol: 16 | 17 | 18, more: number];

/** The order in which the lengths of the codes for code lengths stand (section 3.2.7). */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
/** A complete code for code lengths in which every symbol has one. */
const OF_LENGTHS = Array.from({ length: 19 }, (_, symbol) => (symbol < 13 ? 4 : 5));

/** The statement of a block's codes, for a block with a fault. */
export interface Head {
  /** The numbers of codes, less what the format adds. */
  readonly literals?: number;
  readonly distances?: number;
  /** The lengths of the codes for code lengths. */
  readonly ofLengths?: readonly number[];
  /** The number of them in the block, less four; fewer if those at the end are 0. */
  readonly stated?: number;
}

/** Returns the codes that a block states, for literals and lengths and for distances, one after the other. */
export function codes(literals: readonly Stated[], distances: readonly Stated[], head: Head = {}): string {
  const { ofLengths = OF_LENGTHS, stated = 15 } = head;
  const own = canonical(ofLengths);
  return [
    number(head.literals ?? expanded(literals).length - 257, 5),
    number(head.distances ?? expanded(distances).length - 1, 5),
    number(stated, 4),
    ...ORDER.slice(0, stated + 4).map((symbol) => number(ofLengths[symbol] ?? 0, 3)),
    ...[...literals, ...distances].map((one) =>
      typeof one === "number" ? own[one] : `${own[one[0]]}${number(one[1], REPEATS[one[0]].bits)}`,
    ),
  ].join("");
}

/** The least number that a repeat stands for, and the number of bits that follow it. */
const REPEATS = { 16: { least: 3, bits: 2 }, 17: { least: 3, bits: 3 }, 18: { least: 11, bits: 7 } } as const;

/** Returns stated lengths with their repeats written out. */
export function expanded(stated: readonly Stated[]): number[] {
  const all: number[] = [];
  for (const one of stated) {
    if (typeof one === "number") all.push(one);
    else {
      const repeated = one[0] === 16 ? (all.at(-1) ?? 0) : 0;
      for (let count = REPEATS[one[0]].least + one[1]; count > 0; count--) all.push(repeated);
    }
  }
  return all;
}

/** Returns lengths of codes: each named symbol has its own, all others have none. */
export function lengths(count: number, own: Readonly<Record<number, number>>): number[] {
  return Array.from({ length: count }, (_, symbol) => own[symbol] ?? 0);
}
