/** The content of an entry, held to what its headers declare: size and checksum (protocol section 15). Nothing goes to a disk. */
import { crc32 } from "./crc32.ts";
import { inflate } from "./inflate/inflate.ts";
import type { ArchiveEntry, ArchiveFault } from "./open.ts";

/**
 * Hands out the content of an entry in pieces, in order; each is only lent until the call returns. Answers with what is wrong with the
 * content, known at its end; null where nothing is. Holds no more than a piece of a deflated entry, and copies nothing of a stored one.
 */
export function unpack(entry: ArchiveEntry, take: (piece: Uint8Array) => void): ArchiveFault | null {
  const { path, isDeflated, packed, sizeBytes } = entry;
  const refuse = (what: string): ArchiveFault => ({ code: "archive_malformed", path, message: `The entry ${what}.` });
  let crc = 0;
  const checked = (piece: Uint8Array) => {
    crc = crc32(piece, crc);
    take(piece);
  };
  const wrong = isDeflated ? inflate(packed, sizeBytes, checked) : null;
  if (wrong !== null) return refuse(`is not the deflate stream of ${sizeBytes} bytes that it should be: ${wrong}`);
  if (!isDeflated) checked(packed);
  return crc === entry.crc32 ? null : refuse("has another checksum than its headers state");
}

/** The whole content of an entry, or what is wrong with it. RangeError where this runtime cannot hold as much. */
export function contentOf(
  entry: ArchiveEntry,
): { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly fault: ArchiveFault } {
  const bytes = entry.isDeflated ? new Uint8Array(entry.sizeBytes) : entry.packed;
  let at = 0;
  const fault = unpack(entry, (piece) => {
    if (entry.isDeflated) bytes.set(piece, at);
    at += piece.length;
  });
  return fault === null ? { ok: true, bytes } : { ok: false, fault };
}
