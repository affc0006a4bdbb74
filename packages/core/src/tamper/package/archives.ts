/**
 * Edits a package's archive, except for its contents (protocol section 15): files that are gone, repeated or misnamed,
 * bytes where none belong, and every number of every record. Some of these edits change nothing that a reader sees, and
 * are free.
 */
import { SHARED, SHARED_AT } from "../../archive/format.ts";
import { concatBytes } from "../../encoding/bytes.ts";
import { pointerTo } from "../../schema/pointer.ts";
import { codes, type PackageEdit } from "./edit.ts";
import { archiveOf, type Layout, type PackageFile } from "./files.ts";

const MALFORMED = codes("archive_malformed");
/** Bytes that do not begin as an archive are parsed as JSON, unless somebody says what they are. */
const UNMARKED = codes("archive_malformed", "json_malformed", "invalid_unicode");
const LIES = codes("archive_malformed", "archive_too_large");
const MISSING = codes("archive_entry_missing");
const X = Uint8Array.of(0x78);
/** Widths of two bytes and of four, with all of their bits. */
const WIDTHS = { 2: 0xffff, 4: 0xffffffff } as const;

/** A number of a record: its offset, its width, and the other values that change nothing. */
interface Field {
  readonly name: string;
  readonly at: number;
  readonly bytes: 2 | 4;
  isFree(value: number): boolean;
}

const never = () => false;
const always = () => true;

function field(name: string, at: number, bytes: 2 | 4, isFree: (value: number) => boolean = never): Field {
  return { name, at, bytes, isFree };
}

/**
 * The members that local and central headers share, from the first byte of the shared block on. A value is free if both
 * headers state it.
 */
const SHARED_FIELDS: readonly Field[] = [
  field("version needed", SHARED.versionNeeded, 2, (value) => value < 20),
  field("flags", SHARED.flags, 2, (value) => value === 0x0800),
  field("method", SHARED.method, 2),
  field("time", SHARED.time, 2, always),
  field("date", SHARED.date, 2, always),
  field("checksum", SHARED.crc32, 4),
  field("packed size", SHARED.packedBytes, 4),
  field("size", SHARED.sizeBytes, 4),
  field("length of the name", SHARED.nameBytes, 2),
  field("length of extra fields", SHARED.extraBytes, 2),
];
const CENTRAL_FIELDS: readonly Field[] = [
  field("signature", 0, 4),
  field("packing program", 4, 2, always),
  field("length of the comment", 32, 2),
  field("disk", 34, 2),
  field("internal attributes", 36, 2, always),
  // Files of Unix, or of no known system, that are neither folders nor volume labels to DOS.
  field("attributes", 38, 4, (value) => [0, 8].includes(value >>> 28) && (value & 0x18) === 0),
  field("place", 42, 4),
];
const END_FIELDS: readonly Field[] = [
  field("signature", 0, 4),
  field("disk", 4, 2),
  field("first disk", 6, 2),
  field("entries here", 8, 2),
  field("entries", 10, 2),
  field("length of the directory", 12, 4),
  field("place of the directory", 16, 4),
  field("length of the comment", 20, 2),
];

/** Yields every edit of the archive of these files. */
export function* archiveEdits(files: readonly PackageFile[]): Generator<PackageEdit> {
  yield* ofFiles(files);
  const layout = archiveOf(files);
  yield* ofBytes(layout);
  for (const [index, { path }] of files.entries()) yield* ofHeaders(layout, index, pointerTo("", path));
  yield* ofFields(layout, END_FIELDS, [layout.end], "", "in the end record");
}

function* ofFiles(files: readonly PackageFile[]): Generator<PackageEdit> {
  const of = (all: readonly PackageFile[]) => () => archiveOf(all).bytes;
  for (const [index, file] of files.entries()) {
    const path = pointerTo("", file.path);
    const twin = (name: string, content = file.content) => of([...files, { path: name, content }]);
    const twice = { class: "duplicated", path, expected: MALFORMED, free: false } as const;
    yield {
      class: "deleted",
      path,
      description: "deleted",
      bytes: of(files.toSpliced(index, 1)),
      expected: MISSING,
      free: false,
    };
    const renamed = files.with(index, { ...file, path: `${file.path}_` });
    yield { class: "renamed", path, description: "renamed", bytes: of(renamed), expected: MISSING, free: false };
    yield { ...twice, description: "there twice", bytes: twin(file.path) };
    yield { ...twice, description: "there twice, the second time with another content", bytes: twin(file.path, X) };
    yield { ...twice, description: "there twice, the second time in capitals", bytes: twin(file.path.toUpperCase()) };
  }
  const added = { class: "added", path: "", free: false } as const;
  const extra = (path: string) => of([...files, { path, content: X }]);
  const unlisted = codes("archive_entry_unlisted");
  yield { ...added, description: "given a file", bytes: extra("additional"), expected: unlisted };
  const forbidden = codes("archive_path_forbidden");
  for (const path of ["../additional", "/additional", "a\\b", "C:additional", "home/me", "__MACOSX/a", "nul"])
    yield { ...added, description: `given the file ${path}`, bytes: extra(path), expected: forbidden };
  const same = { class: "respelled", path: "", expected: null, free: true } as const;
  yield { ...same, description: "with its files in another order", bytes: of(files.toReversed()) };
  yield { ...same, description: "with its files packed", bytes: () => archiveOf(files, true).bytes };
}

/** Yields edits with missing bytes, and with bytes that belong to no record. */
function* ofBytes({ bytes, locals, centrals, end }: Layout): Generator<PackageEdit> {
  const said = { class: "misencoded", path: "", expected: MALFORMED, free: false } as const;
  const half = Math.floor(bytes.length / 2);
  yield { ...said, description: "cut by one byte", bytes: () => bytes.subarray(0, -1) };
  yield { ...said, description: "cut in the middle", bytes: () => bytes.subarray(0, half) };
  yield { ...said, description: "there twice", bytes: () => concatBytes([bytes, bytes]) };
  yield { ...said, description: "with a second end record", bytes: () => concatBytes([bytes, bytes.subarray(end)]) };
  for (const at of [...locals, ...centrals, end, bytes.length])
    yield {
      ...said,
      description: `with a byte more before byte ${at}`,
      bytes: () => concatBytes([bytes.subarray(0, at), X, bytes.subarray(at)]),
      expected: at === 0 ? UNMARKED : MALFORMED,
    };
}

function* ofHeaders(layout: Layout, index: number, path: string): Generator<PackageEdit> {
  const [local = 0, central = 0] = [layout.locals[index], layout.centrals[index]];
  const [inLocal, inCentral] = [local + SHARED_AT.local, central + SHARED_AT.central];
  const bound = SHARED_FIELDS.map((one) => ({ ...one, isFree: never }));
  yield* ofFields(layout, [field("signature", 0, 4)], [local], path, "in its local header");
  yield* ofFields(layout, bound, [inLocal], path, "in its local header");
  yield* ofFields(layout, bound, [inCentral], path, "in the directory");
  yield* ofFields(layout, SHARED_FIELDS, [inLocal, inCentral], path, "in both headers");
  yield* ofFields(layout, CENTRAL_FIELDS, [central], path, "in the directory");
}

/** Yields edits of each number of the records that begin at these places, changed in all of them alike. */
function* ofFields(
  { bytes }: Layout,
  fields: readonly Field[],
  places: readonly number[],
  path: string,
  where: string,
): Generator<PackageEdit> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (const { name, at, bytes: width, isFree } of fields) {
    const [place = 0] = places;
    const now = width === 2 ? view.getUint16(place + at, true) : view.getUint32(place + at, true);
    const all = WIDTHS[width];
    const others = [now + 1, now - 1, 0, all, now ^ 0x8000, 8, 20, 0x0800, 0x81a40000, 0x41ed0000, 0x10, 0x20]
      .map((value) => value >>> 0)
      .filter((value) => value !== now && value <= all);
    for (const value of new Set(others)) {
      const free = isFree(value);
      yield {
        class: free ? "respelled" : "changed",
        path,
        description: `${name} ${where} changed to ${value}`,
        bytes: () =>
          patched(
            bytes,
            places.map((one) => one + at),
            width,
            value,
          ),
        expected: free ? null : place + at === 0 ? UNMARKED : LIES,
        free,
      };
    }
  }
}

function patched(bytes: Uint8Array, places: readonly number[], width: 2 | 4, value: number): Uint8Array {
  const changed = bytes.slice();
  const view = new DataView(changed.buffer);
  for (const at of places) {
    if (width === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
  }
  return changed;
}
