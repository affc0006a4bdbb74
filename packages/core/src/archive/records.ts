/** The records of an archive as bytes, as packages are written (format.ts). They say what they are told; nothing is checked here. */
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

/** What the headers of an entry say of it. */
interface Headed {
  /** ASCII. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly crc32: number;
  /** As many as its size where it is not given, and stored. */
  readonly packedBytes?: number;
  readonly method?: number;
}

/** What both headers of an entry say. */
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

/** What stands before the content. */
export function localHeader(shared: Uint8Array, path: string): Uint8Array {
  const header = new Uint8Array(LOCAL_BYTES + path.length);
  new DataView(header.buffer).setUint32(0, SIGNATURE.local, true);
  header.set(shared, SHARED_AT.local);
  header.set(encodeUtf8(path), LOCAL_BYTES);
  return header;
}

/** What stands in the directory; `offset`: where the local header begins. */
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

/** What stands behind the directory, which begins at `directory`. */
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
