/** Encodes the records of an archive in the form of packages (format.ts). It checks nothing of its input. */
import { encodeUtf8 } from "../encoding/utf8.ts";
import {
  CENTRAL_BYTES,
  END_BYTES,
  LOCAL_BYTES,
  METHOD,
  SHARED,
  SHARED_AT,
  SHARED_BYTES,
  SIGNATURE,
  VERSION_NEEDED,
} from "./format.ts";

/** 1 January 1980, the first day that the format knows; times are midnight. */
const FIRST_DAY = 0x0021;

/** The content of an entry's headers. */
interface Headed {
  /** ASCII. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly crc32: number;
  /** The size of the content if not given; the content is then stored. */
  readonly packedBytes?: number;
  readonly method?: number;
}

/** Encodes the members that both headers of an entry share. */
export function sharedHeader({
  path,
  sizeBytes,
  crc32,
  packedBytes = sizeBytes,
  method = METHOD.stored,
}: Headed): Uint8Array {
  const header = new Uint8Array(SHARED_BYTES);
  const view = new DataView(header.buffer);
  view.setUint16(SHARED.versionNeeded, VERSION_NEEDED, true);
  view.setUint16(SHARED.method, method, true);
  view.setUint16(SHARED.date, FIRST_DAY, true);
  view.setUint32(SHARED.crc32, crc32, true);
  view.setUint32(SHARED.packedBytes, packedBytes, true);
  view.setUint32(SHARED.sizeBytes, sizeBytes, true);
  view.setUint16(SHARED.nameBytes, path.length, true);
  return header;
}

/** Encodes the header that is before the content. */
export function localHeader(shared: Uint8Array, path: string): Uint8Array {
  const header = new Uint8Array(LOCAL_BYTES + path.length);
  new DataView(header.buffer).setUint32(0, SIGNATURE.local, true);
  header.set(shared, SHARED_AT.local);
  header.set(encodeUtf8(path), LOCAL_BYTES);
  return header;
}

/** Encodes the header that is in the directory; `offset`: where the local header begins. */
export function centralHeader(shared: Uint8Array, path: string, offset: number): Uint8Array {
  const header = new Uint8Array(CENTRAL_BYTES + path.length);
  const view = new DataView(header.buffer);
  view.setUint32(0, SIGNATURE.central, true);
  view.setUint16(4, VERSION_NEEDED, true);
  header.set(shared, SHARED_AT.central);
  view.setUint32(42, offset, true);
  header.set(encodeUtf8(path), CENTRAL_BYTES);
  return header;
}

/** Encodes the record that is behind the directory, which begins at the offset `directory`. */
export function endRecord(count: number, directoryBytes: number, directory: number): Uint8Array {
  const record = new Uint8Array(END_BYTES);
  const view = new DataView(record.buffer);
  view.setUint32(0, SIGNATURE.end, true);
  view.setUint16(8, count, true);
  view.setUint16(10, count, true);
  view.setUint32(12, directoryBytes, true);
  view.setUint32(16, directory, true);
  return record;
}
