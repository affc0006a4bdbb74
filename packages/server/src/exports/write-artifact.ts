/** Writes a file of a package: its pieces go to the disk as they come, and are hashed and measured on the way. */

import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { OWNER_ONLY_FILE } from "@svc/host/durable-file";

/** The hashes and the size of a written file. */
export interface WrittenFile {
  readonly sha256: string;
  /** The checksum in ZIP archives. */
  readonly crc32: number;
  readonly sizeBytes: number;
}

/** The package would exceed its limit of bytes. */
export class PackageTooLarge extends Error {
  constructor(message: string) {
    super(message);
    this.name = "PackageTooLarge";
  }
}

/** The rules under which a file is written. */
export interface Writing {
  readonly maxBytes: number;
  /** Whether to wait until the file is on the disk. */
  readonly sync: boolean;
  /** Called after each piece; its rejection ends the writing. */
  readonly pulse: () => Promise<void>;
}

/**
 * Writes a new file, which only its owner may read. Rejects with PackageTooLarge, the errors of the file system, and
 * those of `pulse`.
 */
export async function writeFileOf(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  { maxBytes, sync, pulse }: Writing,
): Promise<WrittenFile> {
  const hasher = createHash("sha256");
  let [crc, sizeBytes] = [0, 0];
  const file = await open(path, "wx", OWNER_ONLY_FILE);
  try {
    for await (const piece of pieces) {
      sizeBytes += piece.length;
      if (sizeBytes > maxBytes) throw new PackageTooLarge(`${path} would have more than ${maxBytes} bytes`);
      hasher.update(piece);
      crc = crc32(piece, crc);
      await file.writeFile(piece);
      await pulse();
    }
    if (sync) await file.sync();
  } finally {
    await file.close();
  }
  return { sha256: hasher.digest("hex"), crc32: crc, sizeBytes };
}
