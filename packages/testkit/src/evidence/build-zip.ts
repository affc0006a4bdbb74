/**
 * Makes ZIP archives by hand, byte for byte: good ones, and ones with any lie in any record. No library would write
 * most of them.
 */
import { crc32 } from "node:zlib";

/** The members that local and central headers share. */
export interface Header {
  readonly versionNeeded: number;
  readonly flags: number;
  readonly method: number;
  readonly time: number;
  readonly date: number;
  readonly crc32: number;
  readonly packedBytes: number;
  readonly sizeBytes: number;
  readonly name: Uint8Array;
  readonly extra: Uint8Array;
}

/** One entry; members that are not given, except for the first two, get their correct values. */
export interface Part {
  readonly name: string | Uint8Array;
  readonly content: Uint8Array;
  /** The bytes that represent the content in the archive, and their method; by default the content itself, stored. */
  readonly packed?: Uint8Array;
  readonly method?: number;
  /** The members of both headers. */
  readonly header?: Partial<Header>;
  /** The members of one header. */
  readonly local?: Partial<Header> & { readonly signature?: number };
  readonly central?: Partial<Header> & {
    readonly signature?: number;
    readonly madeBy?: number;
    readonly comment?: Uint8Array;
    readonly disk?: number;
    readonly internal?: number;
    readonly attributes?: number;
    readonly offset?: number;
  };
  /** Bytes before the local header and behind the content. */
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
  /** Missing in the directory; or only in the directory. */
  readonly unlisted?: boolean;
  readonly onlyListed?: boolean;
}

/** The parts of an archive around its entries. */
export interface Frame {
  readonly beforeDirectory?: Uint8Array;
  readonly afterDirectory?: Uint8Array;
  readonly behind?: Uint8Array;
  /** The directory's order, as indexes in the list of entries. */
  readonly order?: readonly number[];
  readonly end?: {
    readonly signature?: number;
    readonly disk?: number;
    readonly firstDisk?: number;
    readonly here?: number;
    readonly count?: number;
    readonly directoryBytes?: number;
    readonly directory?: number;
    readonly comment?: Uint8Array;
  };
}

const NOTHING = new Uint8Array();
const VERSION = 20;
const FIRST_DAY = 0x0021;

/** Returns the bytes of a text. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Returns little-endian numbers, each with its length in bytes. */
export function numbers(...fields: readonly (readonly [bytes: 2 | 4, value: number])[]): Uint8Array {
  return joined(
    ...fields.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes);
      if (bytes === 2) field.writeUInt16LE(value & 0xffff);
      else field.writeUInt32LE(value >>> 0);
      return field;
    }),
  );
}

/** Returns byte strings, one behind the other. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** Returns a deflate stream that compresses nothing: one stored block of at most 65,535 bytes. */
export function deflateStored(content: Uint8Array): Uint8Array {
  return joined(Uint8Array.of(1), numbers([2, content.length], [2, ~content.length]), content);
}

/** Returns the archive of these entries. */
export function buildZip(parts: readonly Part[], frame: Frame = {}): Uint8Array {
  const body: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  const push = (bytes: Uint8Array) => {
    body.push(bytes);
    offset += bytes.length;
  };
  for (const part of parts) {
    const { before = NOTHING, after = NOTHING, local = {}, central = {} } = part;
    const header = headerOf(part);
    push(before);
    const start = offset;
    if (part.onlyListed !== true) {
      const own = { ...header, ...local };
      push(joined(numbers([4, local.signature ?? 0x04034b50]), sharedBytes(own), own.name, own.extra));
      push(part.packed ?? part.content);
    }
    push(after);
    if (part.unlisted !== true) directory.push(centralBytes({ ...header, ...central }, central, start));
  }
  push(frame.beforeDirectory ?? NOTHING);
  const listed = joined(...(frame.order ?? [...directory.keys()]).map((place) => directory[place] ?? NOTHING));
  const end = frame.end ?? {};
  const count = end.count ?? directory.length;
  const comment = end.comment ?? NOTHING;
  return joined(
    ...body,
    listed,
    frame.afterDirectory ?? NOTHING,
    numbers(
      [4, end.signature ?? 0x06054b50],
      [2, end.disk ?? 0],
      [2, end.firstDisk ?? 0],
      [2, end.here ?? count],
      [2, count],
      [4, end.directoryBytes ?? listed.length],
      [4, end.directory ?? offset],
      [2, comment.length],
    ),
    comment,
    frame.behind ?? NOTHING,
  );
}

function headerOf({ name, content, packed = content, method = 0, header = {} }: Part): Header {
  const nameBytes = typeof name === "string" ? utf8(name) : name;
  return {
    versionNeeded: VERSION,
    flags: nameBytes.every((byte) => byte < 0x80) ? 0 : 0x0800,
    method,
    time: 0,
    date: FIRST_DAY,
    crc32: crc32(content),
    packedBytes: packed.length,
    sizeBytes: content.length,
    name: nameBytes,
    extra: NOTHING,
    ...header,
  };
}

function sharedBytes(header: Header): Uint8Array {
  const { versionNeeded, flags, method, time, date, packedBytes, sizeBytes, name, extra } = header;
  return numbers(
    [2, versionNeeded],
    [2, flags],
    [2, method],
    [2, time],
    [2, date],
    [4, header.crc32],
    [4, packedBytes],
    [4, sizeBytes],
    [2, name.length],
    [2, extra.length],
  );
}

function centralBytes(header: Header, central: NonNullable<Part["central"]>, start: number): Uint8Array {
  const comment = central.comment ?? NOTHING;
  return joined(
    numbers([4, central.signature ?? 0x02014b50], [2, central.madeBy ?? VERSION]),
    sharedBytes(header),
    numbers(
      [2, comment.length],
      [2, central.disk ?? 0],
      [2, central.internal ?? 0],
      [4, central.attributes ?? 0],
      [4, central.offset ?? start],
    ),
    header.name,
    header.extra,
    comment,
  );
}
