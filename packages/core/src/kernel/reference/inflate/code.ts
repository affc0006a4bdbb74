/** Huffman codes, which deflate states by the lengths of their codes (RFC 1951 section 3.2.2). */

/** A stream is malformed. It is thrown and caught inside this folder. */
export class DeflateFault extends Error {}

/** Throws DeflateFault unless something holds that holds for every good stream. */
export function demand(condition: boolean): void {
  if (!condition) throw new DeflateFault();
}

/**
 * A canonical Huffman code: for the next bits of a stream, as many as its longest code has, 16 times the symbol, plus
 * the length of its code; 0 where no code fits.
 */
export type Code = Uint16Array;

/**
 * Returns the code whose symbols have codes of these lengths, 0 for none. An incomplete code may only have a single
 * code, of one bit. Throws DeflateFault if there is no such code. Its time is that of a few copies of the table, also
 * for a hostile code.
 */
export function codeOf(lengths: Uint8Array, mayBeSingle = true): Code {
  const longest = Math.max(...lengths);
  const table = new Uint16Array(1 << longest);
  // The next code in the order of the stream, its first bit lowest, and how many entries no code has.
  let code = 0;
  let free = 1;
  for (let length = 1; length <= longest; length++) {
    // Shorter codes are there whatever the next bit is.
    const lastBit = 1 << (length - 1);
    table.copyWithin(lastBit, 0, lastBit);
    free *= 2;
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue;
      demand(free-- > 0);
      table[code] = (symbol << 4) | length;
      let bit = lastBit;
      for (; code & bit; bit >>= 1) code ^= bit;
      code |= bit;
    }
  }
  demand(free === 0 || longest === 0 || (longest === 1 && mayBeSingle));
  return table;
}
