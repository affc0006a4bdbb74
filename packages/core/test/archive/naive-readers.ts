/**
 * Two readers of ZIP archives, written as many are: one follows the local headers from the beginning, one the directory
 * from the end. Each believes its input. An archive that our reader accepts must look the same to both.
 */
import { inflateRawSync } from "node:zlib";

/** The result of a reader: names as latin1, and contents as base64, in its order; null if it gives up. */
export type Found = readonly (readonly [name: string, content: string])[] | null;

/** Follows the local headers; it searches for the size if that is behind the content. */
export function byLocalHeaders(bytes: Uint8Array): Found {
  const buffer = Buffer.from(bytes);
  return attempt(() => {
    const found: [string, string][] = [];
    // It searches for the first header, as self-extracting archives need it.
    let at = Math.max(0, buffer.indexOf("PK\u0003\u0004", 0, "latin1"));
    while (buffer.readUInt32LE(at) === 0x04034b50) {
      const [flags, method] = [buffer.readUInt16LE(at + 6), buffer.readUInt16LE(at + 8)];
      const nameBytes = buffer.readUInt16LE(at + 26);
      const name = buffer.toString("latin1", at + 30, at + 30 + nameBytes);
      const start = at + 30 + nameBytes + buffer.readUInt16LE(at + 28);
      const hasDescriptor = (flags & 8) !== 0;
      const end = hasDescriptor
        ? buffer.indexOf("PK\u0007\u0008", start, "latin1")
        : start + buffer.readUInt32LE(at + 18);
      found.push([name, contentOf(buffer.subarray(start, end), method)]);
      at = hasDescriptor ? end + 16 : end;
    }
    return found;
  });
}

/** Follows the directory from the last end record on, and takes sizes and methods from it. */
export function byDirectory(bytes: Uint8Array): Found {
  const buffer = Buffer.from(bytes);
  return attempt(() => {
    const end = buffer.lastIndexOf("PK\u0005\u0006", undefined, "latin1");
    const count = buffer.readUInt16LE(end + 10);
    let at = buffer.readUInt32LE(end + 16);
    return Array.from({ length: count }, (): [string, string] => {
      const nameBytes = buffer.readUInt16LE(at + 28);
      const local = buffer.readUInt32LE(at + 42);
      const start = local + 30 + buffer.readUInt16LE(local + 26) + buffer.readUInt16LE(local + 28);
      const packed = buffer.subarray(start, start + buffer.readUInt32LE(at + 20));
      const name = buffer.toString("latin1", at + 46, at + 46 + nameBytes);
      const content = contentOf(packed, buffer.readUInt16LE(at + 10));
      at += 46 + nameBytes + buffer.readUInt16LE(at + 30) + buffer.readUInt16LE(at + 32);
      return [name, content];
    });
  });
}

function contentOf(packed: Buffer, method: number): string {
  return (method === 8 ? inflateRawSync(packed, { maxOutputLength: 2 ** 20 }) : packed).toString("base64");
}

function attempt(read: () => Found): Found {
  try {
    return read();
  } catch {
    return null;
  }
}
