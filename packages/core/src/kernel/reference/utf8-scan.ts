/**
 * Finds the place of ill-formed UTF-8 (protocol section 2, Unicode table 3-7). It decodes nothing: a runtime's decoder
 * does not tell the offset, and the reports of both kernels must name the same one.
 */

/**
 * Returns the offset of the first byte of the first ill-formed sequence, or -1 if all bytes are well-formed UTF-8. The
 * sequence starts at its lead byte, even if only a later byte is wrong or missing (as `valid_up_to` of Rust's
 * `Utf8Error`).
 */
export function findIllFormedUtf8(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    if ((bytes[at] ?? 0) < 0x80) {
      at++;
    } else {
      const length = sequenceLength(bytes, at);
      if (length === 0) return at;
      at += length;
    }
  }
  return -1;
}

/** Returns the length of the well-formed sequence whose lead byte is at `at` and above 0x7f; 0 without one. */
function sequenceLength(bytes: Uint8Array, at: number): 0 | 2 | 3 | 4 {
  const lead = bytes[at] ?? 0;
  if (lead >= 0xc2 && lead <= 0xdf) return isContinuation(bytes[at + 1]) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    // Narrower second bytes exclude overlong forms (e0) and surrogates (ed).
    const isSecond = isWithin(bytes[at + 1], lead === 0xe0 ? 0xa0 : 0x80, lead === 0xed ? 0x9f : 0xbf);
    return isSecond && isContinuation(bytes[at + 2]) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    // Narrower second bytes exclude overlong forms (f0) and values above U+10FFFF (f4).
    const isSecond = isWithin(bytes[at + 1], lead === 0xf0 ? 0x90 : 0x80, lead === 0xf4 ? 0x8f : 0xbf);
    return isSecond && isContinuation(bytes[at + 2]) && isContinuation(bytes[at + 3]) ? 4 : 0;
  }
  return 0;
}

function isContinuation(byte: number | undefined): boolean {
  return isWithin(byte, 0x80, 0xbf);
}

function isWithin(byte: number | undefined, low: number, high: number): boolean {
  return byte !== undefined && byte >= low && byte <= high;
}
