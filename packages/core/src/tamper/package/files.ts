/**
 * Takes a truth package apart into its files, and puts one together from other files (protocol section 15). It does NOT
 * ask whether a verifier will accept the result.
 */
import { crc32 } from "../../archive/crc32.ts";
import { METHOD } from "../../archive/format.ts";
import { openArchive } from "../../archive/open.ts";
import { centralHeader, endRecord, localHeader, sharedHeader } from "../../archive/records.ts";
import { contentOf } from "../../archive/unpack.ts";
import { concatBytes } from "../../encoding/bytes.ts";
import type { Kernel } from "../../kernel/kernel.ts";

/** One file of a package. */
export interface PackageFile {
  /** ASCII. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** An archive, and the offsets at which the records of each file begin. */
export interface Layout {
  readonly bytes: Uint8Array;
  readonly locals: readonly number[];
  readonly centrals: readonly number[];
  readonly end: number;
}

/** The most that a stored block of a deflate stream holds. */
const BLOCK_BYTES = 0xffff;

/** Returns the files of a package in their order. Throws TypeError if the bytes are no good archive. */
export function filesOf(kernel: Kernel, bytes: Uint8Array): PackageFile[] {
  const opened = openArchive(bytes);
  if (!opened.ok) throw new TypeError(`no archive to be tampered with: ${opened.faults[0]?.message}`);
  return opened.entries.map((entry) => {
    const content = contentOf(kernel, entry);
    if (!content.ok) throw new TypeError(`no archive to be tampered with: ${content.fault.message}`);
    return { path: entry.path, content: content.bytes };
  });
}

/** Returns the archive of these files, in this order. */
export function archiveOf(files: readonly PackageFile[], isDeflated = false): Layout {
  const pieces: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  const [locals, centrals]: [number[], number[]] = [[], []];
  let offset = 0;
  for (const { path, content } of files) {
    const packed = isDeflated ? deflated(content) : content;
    const method = isDeflated ? METHOD.deflated : METHOD.stored;
    const stated = { path, sizeBytes: content.length, crc32: crc32(content), packedBytes: packed.length, method };
    const shared = sharedHeader(stated);
    const local = localHeader(shared, path);
    locals.push(offset);
    directory.push(centralHeader(shared, path, offset));
    pieces.push(local, packed);
    offset += local.length + packed.length;
  }
  let end = offset;
  for (const header of directory) {
    centrals.push(end);
    end += header.length;
  }
  const record = endRecord(files.length, end - offset, offset);
  return { bytes: concatBytes([...pieces, ...directory, record]), locals, centrals, end };
}

/** Returns a deflate stream that packs nothing: stored blocks. */
function deflated(content: Uint8Array): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (let at = 0; at === 0 || at < content.length; at += BLOCK_BYTES) {
    const part = content.subarray(at, at + BLOCK_BYTES);
    const isLast = at + BLOCK_BYTES >= content.length;
    const [low, high] = [part.length & 0xff, part.length >> 8];
    blocks.push(Uint8Array.of(isLast ? 1 : 0, low, high, low ^ 0xff, high ^ 0xff), part);
  }
  return concatBytes(blocks);
}
