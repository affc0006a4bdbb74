/**
 * The Range header (RFC 9110 section 14), as far as downloads need it: one range of bytes. The RFC lets a server ignore
 * all other forms, and this one does.
 */

/** A part of a whole, in bytes from 0, both ends included. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

const ONE_RANGE = /^bytes=(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))$/i;

/**
 * Returns the part of a whole of `sizeBytes` that a header names. Returns null for a header that names no part or is
 * not understood, which means the whole; returns `unsatisfiable` if the part begins behind the end.
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
