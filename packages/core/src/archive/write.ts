/**
 * Writes archives in the form of packages (protocol section 15): the same entries give the same bytes. Entries are
 * stored, sorted by path, at one fixed time, without extra fields. Contents pass through piece by piece; memory holds
 * one header for each entry.
 */
import { concatBytes } from "../encoding/bytes.ts";
import { crc32 } from "./crc32.ts";
import { CENTRAL_BYTES, LOCAL_BYTES } from "./format.ts";
import { forbiddenPath, isAsciiName } from "./names.ts";
import { centralHeader, endRecord, localHeader, sharedHeader } from "./records.ts";

const MAX_BYTES = 0xfffffffe;
const MAX_ENTRIES = 0xfffe;

/**
 * A file to write. Its size and checksum are before the content in the archive, so they must be known before the
 * content is read.
 */
export interface NewEntry {
  /** Printable ASCII, relative, with slashes. */
  readonly path: string;
  readonly sizeBytes: number;
  /** CRC-32 of the content, unsigned. */
  readonly crc32: number;
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/**
 * Returns an entry of bytes that are in memory. `path`: printable ASCII, relative, with slashes; `writeArchive` checks
 * it. `bytes`: its content, which is not copied.
 *
 * @example
 * console.log(storedEntry("hello.txt", new TextEncoder().encode("hello")).crc32); // 907060870
 */
export function storedEntry(path: string, bytes: Uint8Array): NewEntry {
  return { path, sizeBytes: bytes.length, crc32: crc32(bytes), content: [bytes] };
}

/**
 * Yields the bytes of an archive piece by piece, in order (protocol section 15). `entries`: with ascending paths,
 * compared as ASCII. Throws TypeError for a path that may not be in a package. Throws RangeError if paths do not
 * ascend, if a content has another size or checksum than its entry says, and above 4 GiB or 65,534 entries.
 *
 * @example
 * const written: Uint8Array[] = [];
 * for await (const piece of writeArchive([storedEntry("hello.txt", new TextEncoder().encode("hello"))]))
 *   written.push(piece);
 * console.log(openArchive(Buffer.concat(written)).ok); // true
 */
export async function* writeArchive(entries: Iterable<NewEntry> | AsyncIterable<NewEntry>): AsyncGenerator<Uint8Array> {
  const listed: Uint8Array[] = [];
  let before = "";
  let offset = 0;
  let directoryBytes = 0;
  for await (const entry of entries) {
    const { path, sizeBytes } = entry;
    const forbidden = isAsciiName(path) ? forbiddenPath(path) : "is not printable ASCII";
    if (forbidden !== null) throw new TypeError(`the path ${JSON.stringify(path)} ${forbidden}`);
    if (path <= before) throw new RangeError(`${path} does not come after ${before}`);
    before = path;
    const shared = sharedHeader(entry);
    listed.push(centralHeader(shared, path, offset));
    offset += LOCAL_BYTES + path.length + sizeBytes;
    directoryBytes += CENTRAL_BYTES + path.length;
    if (offset + directoryBytes > MAX_BYTES || listed.length > MAX_ENTRIES)
      throw new RangeError("a ZIP archive without ZIP64 does not hold as much");
    yield localHeader(shared, path);
    yield* checked(entry);
  }
  yield concatBytes(listed);
  yield endRecord(listed.length, directoryBytes, offset);
}

async function* checked({ path, sizeBytes, crc32: stated, content }: NewEntry): AsyncGenerator<Uint8Array> {
  let length = 0;
  let crc = 0;
  for await (const piece of content) {
    length += piece.length;
    crc = crc32(piece, crc);
    yield piece;
  }
  if (length !== sizeBytes || crc !== stated)
    throw new RangeError(`the content of ${path} is not the one that was stated`);
}
