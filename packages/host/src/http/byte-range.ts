/** The Range header (RFC 9110 section 14), as far as downloads need it: one range of bytes. All else may be passed over, and is. */

/** A part of a whole, both ends included. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

const ONE_RANGE = /^bytes=(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))$/i;

/**
 * The part of a whole of `sizeBytes` that a header names; null where it names none that is understood, so that the whole is meant;
 * `unsatisfiable` where it begins behind the end.
 */
export function partOf(header: string | null, sizeBytes: number): Part | null | "unsatisfiable" {
  const [, first, last, suffix] = ONE_RANGE.exec(header?.trim() ?? "") ?? [];
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), sizeBytes);
    return length === 0 ? "unsatisfiable" : { start: sizeBytes - length, end: sizeBytes - 1 };
  }
  if (first === undefined) return null;
  const [start, end] = [Number(first), last === undefined ? sizeBytes - 1 : Number(last)];
  if (end < start && last !== undefined) return null;
  return start >= sizeBytes ? "unsatisfiable" : { start, end: Math.min(end, sizeBytes - 1) };
}
