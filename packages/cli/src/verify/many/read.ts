/** Reading many small files: `readInput` reads anything, and takes longer for it than a small file takes to verify. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { readInput, requireExactName } from "../../input.ts";

/** What is read at once. */
const SMALL_BYTES = 2 ** 20;

/** The bytes of a file, as `readInput` reads them. Throws what that throws. */
export async function readOneOfMany(path: string): Promise<Uint8Array> {
  requireExactName(path);
  return readSmallFile(path) ?? (await readInput(path));
}

/** Null where it is no small file, changes meanwhile or cannot be read. */
function readSmallFile(path: string): Uint8Array | null {
  let file: number | undefined;
  try {
    // Without waiting: to open a pipe that nobody writes to would never end. Windows has neither.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > SMALL_BYTES) return null;
    // One byte more than the file has, so that one that grows shows itself. Not cleared first: only what was read is looked at.
    const { buffer, byteOffset, length } = Buffer.allocUnsafe(stats.size + 1);
    const bytes = new Uint8Array(buffer, byteOffset, length);
    const read = readSync(file, bytes);
    return read === stats.size ? bytes.subarray(0, read) : null;
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
