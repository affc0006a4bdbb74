/**
 * Unpacks an entry, and checks it against the size and the checksum that its headers declare (protocol section 15). It
 * writes nothing to a disk.
 */
import { roomFor } from "../encoding/bytes.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { crc32 } from "./crc32.ts";
import type { ArchiveEntry, ArchiveFault } from "./open.ts";

/**
 * Passes the content of an entry to `take`, piece by piece, in order; a piece is valid only until `take` returns.
 * `kernel`: inflates. `entry`: from `openArchive`. Returns null, or the fault of the content, which is known only at
 * its end: `archive_malformed` for a bad deflate stream, another size or another checksum. It holds at most one piece
 * of a deflated entry, and copies nothing of a stored one. It does not check any hash of the content.
 *
 * @example
 * const opened = openArchive(archive);
 * const sizes: number[] = [];
 * if (opened.ok)
 *   for (const entry of opened.entries) unpack(selectKernel(), entry, (piece) => sizes.push(piece.length));
 * console.log(sizes); // [ 5 ]
 */
export function unpack(kernel: Kernel, entry: ArchiveEntry, take: (piece: Uint8Array) => void): ArchiveFault | null {
  const { crc32: checksum = crc32 } = kernel;
  const { path, isDeflated, packed, sizeBytes } = entry;
  const refuse = (what: string): ArchiveFault => ({ code: "archive_malformed", path, message: `The entry ${what}.` });
  let crc = 0;
  const checked = (piece: Uint8Array) => {
    crc = checksum(piece, crc);
    take(piece);
  };
  if (!isDeflated) checked(packed);
  else if (!kernel.inflate(packed, sizeBytes, checked))
    return refuse(`is not the deflate stream of ${sizeBytes} bytes that it should be`);
  return crc === entry.crc32 ? null : refuse("has another checksum than its headers state");
}

/**
 * Returns the whole content of an entry, or its fault, as `unpack` does: `archive_malformed`. `kernel`: inflates.
 * `entry`: from `openArchive`. Throws RangeError if this runtime cannot hold so many bytes.
 *
 * @example
 * const opened = openArchive(archive);
 * const content = opened.ok && opened.entries[0] ? contentOf(selectKernel(), opened.entries[0]) : null;
 * console.log(content?.ok && new TextDecoder().decode(content.bytes)); // hello
 */
export function contentOf(
  kernel: Kernel,
  entry: ArchiveEntry,
): { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly fault: ArchiveFault } {
  const { bytes, take } = roomForEntry(entry);
  const fault = unpack(kernel, entry, take);
  return fault === null ? { ok: true, bytes } : { ok: false, fault };
}

/** Returns the memory for the content of an entry, and the function that gathers its pieces there. */
export function roomForEntry({ isDeflated, sizeBytes, packed }: ArchiveEntry) {
  return isDeflated ? roomFor(sizeBytes) : { bytes: packed, take: () => undefined };
}
