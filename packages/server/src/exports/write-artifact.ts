/** A file of a package while it is written: its pieces go to the disk as they come, and are hashed and measured on the way. */
import { open } from "node:fs/promises";
import { crc32, encodeHex, type Kernel } from "@svc/core";
import { OWNER_ONLY_FILE } from "@svc/host/durable-file";

/** What is known of a file once it is written. */
export interface WrittenFile {
  readonly sha256: string;
  /** As ZIP archives state it. */
  readonly crc32: number;
  readonly sizeBytes: number;
}

/** A package that would have more bytes than it may. */
export class PackageTooLarge extends Error {}

/** How a file is written. */
export interface Writing {
  readonly maxBytes: number;
  /** Waits until the file is on the disk. */
  readonly sync: boolean;
  /** Called after each piece; what it throws ends the writing. */
  readonly pulse: () => Promise<void>;
}

/** Writes a new file, which only its owner may read. */
export async function writeFileOf(
  kernel: Kernel,
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  { maxBytes, sync, pulse }: Writing,
): Promise<WrittenFile> {
  const hasher = kernel.hasher();
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
  return { sha256: encodeHex(hasher.digest()), crc32: crc, sizeBytes };
}
