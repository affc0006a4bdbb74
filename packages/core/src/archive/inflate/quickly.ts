/**
 * The inner loop of inflating. It does the same as reading symbol by symbol, but on local variables, while neither the
 * input nor the room for the output can end within a symbol. It checks no less: the faults that it does not look for
 * cannot happen so far from the ends.
 */
import type { Bits } from "./bits.ts";
import { addedBits, baseOf, type Code, END, entryOf, FAST_MASK, LITERAL, lengthOf, NONE, sortOf } from "./code.ts";
import { DeflateFault } from "./fault.ts";
import type { Output } from "./output.ts";

/**
 * The longest symbol with its distance has 15 + 5 + 15 + 13 bits. The loop reads as many more bytes ahead as the held
 * bits take.
 */
const INPUT_MARGIN = 12;
/** The longest copy. */
const OUTPUT_MARGIN = 258;
/** From this length on the runtime makes the copy, if nothing of it is copied twice. */
const LONG_COPY = 64;

/** Inflates symbols of a block far from the ends. Returns whether the block has ended. */
export function inflateQuickly(bits: Bits, output: Output, literals: Code, distances: Code): boolean {
  const { bytes } = bits;
  const { buffer } = output;
  const [ofLiterals, ofDistances] = [literals.fast, distances.fast];
  const lastInput = bytes.length - INPUT_MARGIN;
  const start = output.filled;
  const lastOutput = Math.min(buffer.length, start + output.left) - OUTPUT_MARGIN;
  const before = output.sizeBytes - output.left - start;
  let { at, held, count } = bits;
  let filled = start;
  let hasEnded = false;
  while (at <= lastInput && filled <= lastOutput) {
    if (count < 15) {
      held |= ((bytes[at] as number) | ((bytes[at + 1] as number) << 8)) << count;
      at += 2;
      count += 16;
    }
    let entry = (ofLiterals[held & FAST_MASK] as number) || entryOf(held, literals);
    held >>= lengthOf(entry);
    count -= lengthOf(entry);
    const sort = sortOf(entry);
    if (sort === LITERAL) {
      buffer[filled++] = baseOf(entry);
      continue;
    }
    if (sort === END) {
      hasEnded = true;
      break;
    }
    if (sort === NONE) throw new DeflateFault("a length in it is none");
    // Enough for 5 more bits of the length and the 15 of a distance's code.
    for (; count <= 22; count += 8) held |= (bytes[at++] as number) << count;
    let added = addedBits(entry);
    const length = baseOf(entry) + (held & ((1 << added) - 1));
    held >>= added;
    count -= added;
    entry = (ofDistances[held & FAST_MASK] as number) || entryOf(held, distances);
    held >>= lengthOf(entry);
    count -= lengthOf(entry);
    if (sortOf(entry) === NONE) throw new DeflateFault("a distance in it is none");
    for (; count <= 22; count += 8) held |= (bytes[at++] as number) << count;
    added = addedBits(entry);
    const distance = baseOf(entry) + (held & ((1 << added) - 1));
    held >>= added;
    count -= added;
    if (distance > before + filled) throw new DeflateFault("it copies from before its beginning");
    const end = filled + length;
    if (length >= LONG_COPY && (distance === 1 || distance >= length)) {
      if (distance === 1) buffer.fill(buffer[filled - 1] as number, filled, end);
      else buffer.copyWithin(filled, filled - distance, end - distance);
      filled = end;
    }
    for (; filled < end; filled++) buffer[filled] = buffer[filled - distance] as number;
  }
  Object.assign(bits, { at, held, count });
  output.advance(filled - start);
  return hasEnded;
}
