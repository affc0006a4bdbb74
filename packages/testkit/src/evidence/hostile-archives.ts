/** Archives that must be refused, each with one lie, made of the entries of a good package. */
import { deflateRawSync } from "node:zlib";
import { buildZip, deflateStored, type Frame, joined, numbers, type Part, utf8 } from "./build-zip.ts";

/** One of them. */
export interface Hostile {
  readonly name: string;
  /** The code that it must be refused with. */
  readonly code: string;
  readonly bytes: Uint8Array;
}

/** The Unix modes of entries that are no files, as attributes. */
const MODES = { link: 0xa1ff, folder: 0x41ed, device: 0x61b0, pipe: 0x11b0, socket: 0xc1ff };
const X = utf8("x");
/** A header in the directory begins with this. */
const CENTRAL = numbers([4, 0x02014b50]);

/** Paths that must not be unpacked. */
const PATHS = [
  ...["/x", "//host/x", "../x", "a/../x", "..", "./x", "a/./x", "a//x", "a/..", "..\\x", "a\\x", "\\\\host\\x"],
  ...["C:x", "c:/x", "file:x", "FILE:///etc/x", "a:b", "events.csv:x", "~/x", "~root/x", "home/me/x", "Users/me/x"],
  ...["USERS/me/x", "root/x", "Documents and Settings/me/x", "__MACOSX/x", "a/__macosx/x", ".DS_Store", "a/.ds_store"],
  ...["._x", "a/._x", "nul", "NUL.txt", "a/con", "aux.json", "COM1", "lpt9.csv", "conin$", "x.", "x ", "a./x", "a /x"],
];

/** Names that are not printable ASCII. The last ones would be forbidden besides. */
const OTHER_NAMES = [
  ...["a\u0000b", "x\n", "\t", "\u001b[31m", "x\u007f", "x\u0085", "x\u00a0", "\u00e9", "e\u0301", "\u{1f600}"],
  ...["\uff45vents.csv", "event\u017f.csv", "\ufb01", "com\u00b9", "../\u00e9", "/\n", "a\\\r"],
];

/** Returns all of them. `parts` are the four entries of a good package. */
export function hostileArchives(parts: readonly Part[]): Hostile[] {
  const [events, ...rest] = parts;
  if (events === undefined) throw new Error("no entries");
  const zip = (name: string, changed: readonly Part[], frame?: Frame, code = "archive_malformed"): Hostile => ({
    name,
    code,
    bytes: buildZip(changed, frame),
  });
  const first = (name: string, change: Partial<Part>, code?: string) =>
    zip(name, [{ ...events, ...change }, ...rest], {}, code);
  const framed = (name: string, frame: Frame) => zip(name, parts, frame);
  const extra = (name: string, more: Partial<Part> & { readonly name: Part["name"] }, code?: string) =>
    zip(name, [...parts, { content: X, ...more }], {}, code);
  const raw = (name: string, bytes: Uint8Array, code = "archive_malformed"): Hostile => ({ name, code, bytes });
  const good = buildZip(parts);
  const count = parts.length;
  const deflated = new Uint8Array(deflateRawSync(events.content));
  const packed = { method: 8, packed: deflated };
  const size = events.content.length;
  const unicodePath = joined(numbers([2, 0x7075], [2, 10]), Uint8Array.of(1, 0, 0, 0, 0), utf8("other"));
  const descriptor = (sizeBytes: number) => numbers([4, 0x08074b50], [4, 0], [4, size], [4, sizeBytes]);

  return [
    raw("no bytes", new Uint8Array()),
    raw("something else", utf8("%PDF-1.7 and more of it than an end record has")),
    raw("local headers alone", buildZip(parts.map((part) => ({ ...part, unlisted: true }))).slice(0, -22)),
    raw("no entries", buildZip([]), "archive_entry_missing"),
    raw("a directory that is cut off", buildZip([], { afterDirectory: CENTRAL, end: { count: 1, directoryBytes: 4 } })),
    raw("a byte before", joined(X, good)),
    first("a byte before, counted in all offsets", { before: X }),
    framed("a byte behind", { behind: X }),
    framed("a comment", { end: { comment: X } }),
    framed("a second end record in a comment", { end: { comment: good.slice(-22) } }),
    raw("a comment that is not there", good.with(good.length - 2, 5)),
    raw("an archive behind an archive", joined(good, good)),
    first("a byte between entries", { after: X }),
    framed("a byte before the directory", { beforeDirectory: X }),
    framed("a byte behind the directory", { afterDirectory: X }),
    framed("a byte in the directory", { afterDirectory: X, end: { directoryBytes: directoryBytes(good) + 1 } }),
    framed("one entry too few counted", { end: { count: count - 1 } }),
    framed("one entry too many counted", { end: { count: count + 1 } }),
    framed("ZIP64 by its count", { end: { count: 0xffff } }),
    framed("ZIP64 by its directory", { end: { directory: 0xffffffff } }),
    framed("ZIP64 by the directory's length", { end: { directoryBytes: 0xffffffff } }),
    framed("a locator of ZIP64", { afterDirectory: joined(numbers([4, 0x07064b50]), new Uint8Array(16)) }),
    framed("the second disk", { end: { disk: 1 } }),
    framed("a directory on another disk", { end: { firstDisk: 1 } }),
    framed("fewer entries on this disk", { end: { here: count - 1, count } }),
    framed("a directory in another order", { order: [...parts.keys()].reverse() }),
    framed("an entry listed twice", { order: [0, ...parts.keys()] }),
    framed("a wrong end signature", { end: { signature: 0x06064b50 } }),
    framed("a directory that begins too late", { end: { directory: good.length } }),

    extra("an entry that the directory leaves out", { name: "hidden", unlisted: true }),
    extra("an entry that only the directory has", { name: "ghost", onlyListed: true }),
    extra("an entry inside of another", { name: "nested", onlyListed: true, central: { offset: 0 } }),
    extra("an entry on another disk", { name: "x", central: { disk: 1 } }),
    extra("a comment of an entry", { name: "x", central: { comment: X } }),
    extra("an entry that begins behind its place", { name: "x", central: { offset: good.length } }),
    extra("ZIP64 by an entry", { name: "x", header: { packedBytes: 0xffffffff, sizeBytes: 0xffffffff } }),
    first("an extra field", { header: { extra: unicodePath } }),
    first("an extra field in the local header", { local: { extra: unicodePath } }),
    first("an extra field in the directory", { central: { extra: unicodePath } }),
    first("another local name", { local: { name: utf8("Events.csv") } }),
    first("a longer local name", { local: { name: utf8("events.csv2") } }),
    first("another local checksum", { local: { crc32: 1 } }),
    first("another local size", { local: { sizeBytes: size + 1 } }),
    first("another local length", { local: { packedBytes: size - 1 } }),
    first("another local method", { local: { method: 8 } }),
    first("another local flag", { local: { flags: 0x0800 } }),
    first("another local time", { local: { time: 1 } }),
    first("another local date", { local: { date: 0x0022 } }),
    first("another local version", { local: { versionNeeded: 10 } }),
    first("a wrong local signature", { local: { signature: 0x04034b51 } }),
    first("a wrong signature in the directory", { central: { signature: 0x02014b51 } }),

    first("encrypted", { header: { flags: 0x0001 } }),
    first("strongly encrypted", { header: { flags: 0x0041 } }),
    first("with masked headers", { header: { flags: 0x2000 } }),
    first("with the flag of a size behind it", { header: { flags: 0x0008 } }),
    first("with a size behind it", { header: { flags: 0x0008 }, after: descriptor(size) }),
    first("with another size behind it", { header: { flags: 0x0008 }, after: descriptor(size + 1) }),
    first("with a size behind it alone", {
      local: { flags: 0x0008, packedBytes: 0, sizeBytes: 0 },
      after: descriptor(size),
    }),
    first("a patch", { header: { flags: 0x0020 } }),
    first("an effort of no packing", { header: { flags: 0x0002 } }),
    ...[1, 6, 9, 12, 14, 20, 93, 95, 99].map((method) => first(`packed by method ${method}`, { method })),
    first("of a later version", { header: { versionNeeded: 45 } }),
    first("not packed, and of two sizes", { header: { sizeBytes: size + 1 } }),
    ...Object.entries(MODES).map(([what, mode]) =>
      extra(`a ${what}`, { name: "x", central: { attributes: mode * 0x10000, madeBy: 0x0314 } }),
    ),
    extra("a link that a DOS program made", { name: "x", central: { attributes: MODES.link * 0x10000 } }),
    extra("a folder of DOS", { name: "x", central: { attributes: 0x10 } }),
    extra("a volume label", { name: "x", central: { attributes: 0x08 } }),
    extra("a folder by its name", { name: "x/", content: new Uint8Array() }),

    first("a wrong checksum", { header: { crc32: 1 } }),
    first("a wrong checksum of a deflated entry", { ...packed, header: { crc32: 1 } }),
    first("deflated, with a byte less declared", { ...packed, header: { sizeBytes: size - 1 } }),
    first("deflated, with a byte more declared", { ...packed, header: { sizeBytes: size + 1 } }),
    first("deflated, with nothing declared", { ...packed, header: { sizeBytes: 0 } }),
    first("deflated, with a byte behind its end", { method: 8, packed: joined(deflated, X) }),
    first("deflated, with a second stream behind its end", { method: 8, packed: joined(deflated, deflated) }),
    first("deflated, and cut off", { method: 8, packed: deflated.slice(0, -1) }),
    first("deflated, without a last block", { method: 8, packed: notLast(deflateStored(events.content)) }),
    first("deflated, with bits that mean nothing", { method: 8, packed: withPadding(deflateStored(events.content)) }),
    first("deflated, by a block of no kind", { method: 8, packed: Uint8Array.of(7, 0, 0) }),
    first("deflated, and not deflated", { method: 8 }),

    extra("a name twice", { name: "events.csv" }),
    extra("a name twice, but for its case", { name: "EVENTS.CSV" }),
    ...OTHER_NAMES.flatMap((name) => [
      extra(`the name ${JSON.stringify(name)}`, { name }),
      extra(`the name ${JSON.stringify(name)}, not said to be UTF-8`, { name, header: { flags: 0 } }),
    ]),
    extra("a name that is not UTF-8", { name: Uint8Array.of(0x78, 0xff) }),
    zip("another name, and a path that is forbidden", [
      ...parts,
      { name: "../x", content: X },
      { name: "\u00e9", content: X },
    ]),
    extra("no name", { name: "" }, "archive_path_forbidden"),
    ...PATHS.map((path) => extra(`the path ${JSON.stringify(path)}`, { name: path }, "archive_path_forbidden")),
    extra("a path of a folder above", { name: "../x/", content: new Uint8Array() }, "archive_path_forbidden"),

    extra("an expansion that is too large", { name: "x", ...bomb(1_000_000) }, "archive_too_large"),
    extra(
      "a declared expansion that is too large",
      { name: "x", method: 8, header: { sizeBytes: 201 } },
      "archive_too_large",
    ),
    first("all of memory declared", { ...packed, header: { sizeBytes: 0xfffffffe } }, "archive_too_large"),
    extra("an entry that nobody lists", { name: "readme.txt" }, "archive_entry_unlisted"),
    extra("an entry in a folder", { name: "a/b" }, "archive_entry_unlisted"),
    ...parts.map((_, index) =>
      zip(`without entry ${index + 1}`, parts.toSpliced(index, 1), {}, "archive_entry_missing"),
    ),
  ];
}

function bomb(sizeBytes: number): Pick<Part, "content" | "packed" | "method"> {
  const content = new Uint8Array(sizeBytes);
  return { content, packed: new Uint8Array(deflateRawSync(content)), method: 8 };
}

function directoryBytes(archive: Uint8Array): number {
  return Buffer.from(archive).readUInt32LE(archive.length - 10);
}

/** Returns a stored block that says that others follow. */
function notLast(stream: Uint8Array): Uint8Array {
  return stream.with(0, 0);
}

/** Returns a stored block whose first byte has more than the three bits of its head. */
function withPadding(stream: Uint8Array): Uint8Array {
  return stream.with(0, 0x81);
}
