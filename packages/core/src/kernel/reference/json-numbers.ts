/** The number literals that a double does not carry (protocol section 2). The parser knows the grammar of literals. */

/**
 * Says whether a complete, well-formed literal is `lossy_number`; `value` is the double nearest to it. A literal is
 * lossy if it overflows to infinity, if it underflows to zero without being zero, or if it is an integer literal (no
 * fraction, no exponent) that is neither the double exactly nor J of it. J of a double is the text that JavaScript's
 * `String` gives (RFC 8785 section 3.2.2.3).
 */
export function isLossy(literal: string, isInteger: boolean, value: number): boolean {
  if (!Number.isFinite(value)) return true;
  if (value === 0) return /^[^eE]*[1-9]/.test(literal);
  if (!isInteger || Number.isSafeInteger(value)) return false;
  // The literal has at most 309 digits here, since a longer integer literal has overflowed: BigInt stays cheap.
  return literal !== String(value) && BigInt(literal) !== BigInt(value);
}
