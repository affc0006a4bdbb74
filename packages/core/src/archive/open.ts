/**
 * Opens a ZIP archive in the form of packages (protocol section 15). Every byte belongs to exactly one record, and
 * local and central headers say the same: a reader that follows the one and a reader that follows the other see one
 * content. This file unpacks nothing.
 */
import { areEqual } from "../encoding/bytes.ts";
import { parseUtf8 } from "../encoding/utf8.ts";
import {
  CENTRAL_BYTES,
  END_BYTES,
  LOCAL_BYTES,
  METHOD,
  SHARED,
  SHARED_AT,
  SHARED_BYTES,
  SIGNATURE,
  UTF8_FLAG,
  VERSION_NEEDED,
  ZIP64_16,
  ZIP64_32,
} from "./format.ts";
import { forbiddenPath, isAsciiName } from "./names.ts";

/** All entries together may expand to so many bytes: 4 GiB. */
export const MAX_EXPANDED_BYTES = 2 ** 32;
/** One byte of an entry may expand to so many. */
export const MAX_EXPANSION_RATIO = 200;
/** The flags by which a deflating program says how hard it tried; they change nothing. */
const EFFORT_FLAGS = 0x0006;
const ENCRYPTED_FLAGS = 0x2041;
const DESCRIPTOR_FLAG = 0x0008;

/** One file of an archive. Nothing of its content has been looked at. */
export interface ArchiveEntry {
  readonly path: string;
  readonly isDeflated: boolean;
  readonly crc32: number;
  /** The declared size of the content, in bytes. */
  readonly sizeBytes: number;
  /** The bytes that are in the archive. */
  readonly packed: Uint8Array;
}

/** The reason to refuse an archive. */
export interface ArchiveFault {
  readonly code: "archive_malformed" | "archive_path_forbidden" | "archive_too_large";
  /** The path of the entry; null if the fault is about no entry, or is found before paths are known. */
  readonly path: string | null;
  /** A sentence that says where. */
  readonly message: string;
}

/**
 * The entries in the order in which they stand, or every reason to refuse the archive: those of the entries, in their
 * order, each code once for a path, and then that of the whole.
 */
export type OpenedArchive =
  | { readonly ok: true; readonly entries: readonly ArchiveEntry[] }
  | { readonly ok: false; readonly faults: readonly ArchiveFault[] };

/**
 * Opens an archive (protocol section 15). `bytes`: the whole archive. Returns its entries, or all of its faults:
 * `archive_malformed`, `archive_path_forbidden`, `archive_too_large`. Never throws because of the bytes. It unpacks
 * nothing: `unpack` and `contentOf` check each content.
 *
 * @example
 * const opened = openArchive(archive);
 * console.log(opened.ok && opened.entries.map(({ path }) => path)); // [ 'hello.txt' ]
 */
export function openArchive(bytes: Uint8Array): OpenedArchive {
  const read = readHeaders(bytes);
  if (typeof read === "string") return { ok: false, faults: [malformed(null, read)] };
  const faults = once([...entryFaults(read), ...sumFaults(read)]);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, entries: read.map(({ entry }) => entry) };
}

/** An entry, with the rest of its headers. */
interface Header {
  readonly entry: ArchiveEntry;
  readonly versionNeeded: number;
  readonly flags: number;
  readonly method: number;
  readonly attributes: number;
  /** The offset of the local header. */
  readonly offset: number;
}

/** Follows both sorts of headers through the whole archive. Returns a sentence if a byte is not in its place. */
function readHeaders(bytes: Uint8Array): Header[] | string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = bytes.length - END_BYTES;
  if (end < 0 || view.getUint32(end, true) !== SIGNATURE.end)
    return (
      "It does not end with the end record of a ZIP archive: it is cut off, something follows it, or it is not a " +
      "ZIP archive."
    );
  const count = view.getUint16(end + 10, true);
  const directoryBytes = view.getUint32(end + 12, true);
  const directory = view.getUint32(end + 16, true);
  if (count === ZIP64_16 || directoryBytes === ZIP64_32 || directory === ZIP64_32) return "It is in the form ZIP64.";
  if (view.getUint32(end + 4, true) !== 0 || view.getUint16(end + 8, true) !== count)
    return "It is a part of an archive of several.";
  if (view.getUint16(end + 20, true) !== 0) return "It has a comment, or is cut off inside of one.";
  if (directory + directoryBytes !== end)
    return (
      `Its directory should end at byte ${end}, and by the end record it ends at byte ` +
      `${directory + directoryBytes}.`
    );
  const headers: Header[] = [];
  let at = directory;
  let local = 0;
  for (let number = 1; number <= count; number++) {
    if (at + CENTRAL_BYTES > end || view.getUint32(at, true) !== SIGNATURE.central)
      return `Entry ${number} has no header in the directory at byte ${at}.`;
    const shared = at + SHARED_AT.central;
    const nameBytes = view.getUint16(shared + SHARED.nameBytes, true);
    const packedBytes = view.getUint32(shared + SHARED.packedBytes, true);
    const start = view.getUint32(at + 42, true);
    if (view.getUint16(shared + SHARED.extraBytes, true) !== 0 || view.getUint16(at + 32, true) !== 0)
      return `Entry ${number} has extra fields or a comment, at byte ${at}: another program packed it.`;
    if (view.getUint16(at + 34, true) !== 0) return `Entry ${number} is on another disk, by byte ${at + 34}.`;
    if (start !== local)
      return `Entry ${number} should begin at byte ${local}, and by the directory begins at ${start}.`;
    const name = bytes.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameBytes);
    const content = local + LOCAL_BYTES + nameBytes;
    if (at + CENTRAL_BYTES + nameBytes > end || content + packedBytes > directory)
      return `Entry ${number}, whose header is at byte ${at}, reaches past its place.`;
    const own = bytes.subarray(local + SHARED_AT.local, local + LOCAL_BYTES);
    const isSame =
      view.getUint32(local, true) === SIGNATURE.local &&
      areEqual(own, bytes.subarray(shared, shared + SHARED_BYTES)) &&
      areEqual(name, bytes.subarray(local + LOCAL_BYTES, content));
    if (!isSame)
      return (
        `The header of entry ${number} at byte ${local} and that in the directory at byte ${at} do not say the ` +
        `same.`
      );
    const path = parseUtf8(name);
    if (path === null || !isAsciiName(path))
      return `The entry at byte ${local} has a name that is not printable ASCII.`;
    const method = view.getUint16(shared + SHARED.method, true);
    headers.push({
      entry: {
        path,
        isDeflated: method === METHOD.deflated,
        crc32: view.getUint32(shared + SHARED.crc32, true),
        sizeBytes: view.getUint32(shared + SHARED.sizeBytes, true),
        packed: bytes.subarray(content, content + packedBytes),
      },
      versionNeeded: view.getUint16(shared, true),
      flags: view.getUint16(shared + SHARED.flags, true),
      method,
      attributes: view.getUint32(at + 38, true),
      offset: local,
    });
    at += CENTRAL_BYTES + nameBytes;
    local = content + packedBytes;
  }
  if (at !== end) return `The directory has data behind its entries, at byte ${at}.`;
  return local === directory ? headers : `There is data between the entries and the directory, at byte ${local}.`;
}

function entryFaults(headers: readonly Header[]): ArchiveFault[] {
  const seen = new Set<string>();
  return headers.flatMap((header) => {
    const name = header.entry.path.toLowerCase();
    const faults = headerFaults(header, seen.has(name));
    seen.add(name);
    return faults;
  });
}

function headerFaults(header: Header, isRepeated: boolean): ArchiveFault[] {
  const { entry, versionNeeded, flags, method, attributes, offset } = header;
  const { path, sizeBytes, packed } = entry;
  const where = `The entry at byte ${offset}`;
  const faults: ArchiveFault[] = [];
  const refuse = (condition: boolean, what: string) => {
    if (condition) faults.push(malformed(path, `${where} ${what}.`));
  };
  const isStored = method === METHOD.stored;
  const allowed = UTF8_FLAG | (isStored ? 0 : EFFORT_FLAGS);
  refuse((flags & ENCRYPTED_FLAGS) !== 0, "is encrypted");
  refuse((flags & DESCRIPTOR_FLAG) !== 0, "states its size behind its content, where not every reader finds it");
  refuse((flags & ~(allowed | ENCRYPTED_FLAGS | DESCRIPTOR_FLAG)) !== 0, `has flags that mean nothing here (${flags})`);
  refuse(!isStored && method !== METHOD.deflated, `is packed by method ${method}; only 0 and 8 may be used`);
  refuse(
    versionNeeded > VERSION_NEEDED,
    `needs version ${versionNeeded} of the format, and ${VERSION_NEEDED} is the highest here`,
  );
  refuse(isStored && sizeBytes !== packed.length, "is not packed, and states two sizes");
  refuse(!isPlainFile(attributes), "is no ordinary file");
  refuse(path.endsWith("/"), "is a folder");
  refuse(isRepeated, "has a name that some systems take for that of another entry");
  const why = forbiddenPath(path);
  if (why !== null) faults.push({ code: "archive_path_forbidden", path, message: `${where} has a path that ${why}.` });
  // The declared sizes are checked before anything is unpacked; unpacking holds the entries to them.
  if (sizeBytes > MAX_EXPANSION_RATIO * packed.length) {
    const message = `${where} expands from ${packed.length} bytes to ${sizeBytes}, over ${MAX_EXPANSION_RATIO}:1.`;
    faults.push({ code: "archive_too_large", path, message });
  }
  return faults;
}

/** A volume label, a folder, a device, a link (reparse point). */
const NO_FILE_OF_DOS = 0x08 | 0x10 | 0x40 | 0x400;

/**
 * Says whether an entry is neither a link, a device nor a folder, by the attributes of Unix (the upper half) and of
 * DOS.
 */
function isPlainFile(attributes: number): boolean {
  const type = attributes >>> 28;
  return (type === 0 || type === 8) && (attributes & NO_FILE_OF_DOS) === 0;
}

function sumFaults(headers: readonly Header[]): ArchiveFault[] {
  const total = headers.reduce((sum, { entry }) => sum + entry.sizeBytes, 0);
  if (total <= MAX_EXPANDED_BYTES) return [];
  const message = `Its entries expand to ${total} bytes, over ${MAX_EXPANDED_BYTES}.`;
  return [{ code: "archive_too_large", path: null, message }];
}

/** Returns the first fault of each code and path. */
function once(faults: readonly ArchiveFault[]): ArchiveFault[] {
  const first = new Map<string, ArchiveFault>();
  for (const fault of faults) {
    const key = `${fault.code} ${fault.path ?? "/"}`;
    if (!first.has(key)) first.set(key, fault);
  }
  return [...first.values()];
}

function malformed(path: string | null, message: string): ArchiveFault {
  return { code: "archive_malformed", path, message };
}
