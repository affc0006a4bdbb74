/** Joins, copies and compares byte strings. */

/** Returns the parts joined, in order. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Returns memory for so many bytes, and a function that gathers them there, piece by piece. */
export function roomFor(sizeBytes: number) {
  const bytes = new Uint8Array(sizeBytes);
  let at = 0;
  const take = (piece: Uint8Array) => {
    bytes.set(piece, at);
    at += piece.length;
  };
  return { bytes, take };
}

/** So many bytes at a time are copied through ordinary memory; a multiple of 8. */
const CHUNK_BYTES = 65_536;

/**
 * Copies byte strings into `target`, from the offset `at` on, one behind the other. Neighbours in one memory, such as
 * the hashes of a column, are copied together: a call for every 32 bytes costs more than the bytes.
 */
export function copyAll(target: Uint8Array, texts: readonly Uint8Array[], at: number): void {
  let place = at;
  for (let index = 0; index < texts.length; ) {
    const first = texts[index] as Uint8Array;
    let end = first.byteOffset;
    for (let text = texts[index]; text?.buffer === first.buffer && text.byteOffset === end; text = texts[++index])
      end += text.length;
    const run = new Uint8Array(first.buffer, first.byteOffset, end - first.byteOffset);
    copyBytes(target, run, place);
    place += run.length;
  }
}

/**
 * Copies bytes into `target`, from the offset `at` on. V8 copies shared memory byte by byte if source and target are
 * not aligned alike, which takes three times as long: then the bytes are copied through ordinary memory.
 */
export function copyBytes(target: Uint8Array, bytes: Uint8Array, at: number): void {
  const shift = bytes.byteOffset % 8;
  if (!isShared(bytes) || bytes.length < CHUNK_BYTES || (target.byteOffset + at) % 8 === shift) {
    target.set(bytes, at);
    return;
  }
  const chunk = new Uint8Array(CHUNK_BYTES + 8);
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    const part = bytes.subarray(start, start + CHUNK_BYTES);
    chunk.set(part, shift);
    target.set(chunk.subarray(shift, shift + part.length), at + start);
  }
}

/** Says whether two byte strings are the same. Not in constant time: all that is compared here is public. */
export function areEqual(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false;
  return true;
}

/** Says whether bytes lie in memory that threads can share. */
export function isShared(bytes: Uint8Array): boolean {
  return typeof SharedArrayBuffer === "function" && bytes.buffer instanceof SharedArrayBuffer;
}
