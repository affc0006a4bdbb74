/**
 * Random bytes for identifiers and salts, from the operating system, drawn in large portions: one call for each salt
 * would cost more than all hashes of its event.
 */
import { randomFillSync } from "node:crypto";

const portion = new Uint8Array(4096);
let used = portion.length;

/** Returns fresh random bytes. `length`: at most 4096; throws RangeError above it. No byte is ever returned twice. */
export function randomBytes(length: number): Uint8Array {
  if (length > portion.length) throw new RangeError(`at most ${portion.length} random bytes at a time`);
  if (used + length > portion.length) {
    randomFillSync(portion);
    used = 0;
  }
  const bytes = portion.slice(used, used + length);
  portion.fill(0, used, used + length);
  used += length;
  return bytes;
}
