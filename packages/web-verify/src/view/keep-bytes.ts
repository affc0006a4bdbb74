/**
 * Keeps the bytes of files that are not large, so that another check is about the same bytes: a browser only refers to
 * a file on the disk, and a mail program deletes what it opened for a moment.
 */
import type { SuppliedFile } from "../engine/messages.ts";

/** A larger file is read anew for each check. */
const MAX_FILE_BYTES = 64 * 2 ** 20;
/** At most so many bytes of files that are given together. */
const MAX_BYTES = 256 * 2 ** 20;

/** Resolves to those files that are not large and can be read, each with its bytes. */
export async function keepBytes(files: readonly SuppliedFile[]): Promise<Map<SuppliedFile, SuppliedFile>> {
  const kept = new Map<SuppliedFile, SuppliedFile>();
  let bytes = 0;
  for (const file of files) {
    const { blob, isFolder = false } = file;
    const isSmall = !isFolder && blob.size <= MAX_FILE_BYTES && bytes + blob.size <= MAX_BYTES;
    if (!isSmall) continue;
    bytes += blob.size;
    kept.set(file, await withBytes(file));
  }
  return kept;
}

async function withBytes(file: SuppliedFile): Promise<SuppliedFile> {
  try {
    return { ...file, blob: new Blob([await file.blob.arrayBuffer()]) };
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return file;
  }
}
