/** Reads many small files: `readInput` reads any file, and takes longer for it than verifying a small file takes. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { readInput, requireExactName } from "../../input.ts";

/** So much is read at once. */
const SMALL_BYTES = 2 ** 20;

/** Resolves to the bytes of a file, as `readInput` does. Rejects as that does. */
export async function readOneOfMany(path: string): Promise<Uint8Array> {
  requireExactName(path);
  return readSmallFile(path) ?? (await readInput(path));
}

/** Returns null if it is no small file, changes meanwhile or cannot be read. */
function readSmallFile(path: string): Uint8Array | null {
  let file: number | undefined;
  try {
    // Without waiting: to open a pipe that nobody writes to would never end. Windows has neither.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > SMALL_BYTES) return null;
    // One byte more than the file has, so that one that grows shows itself. It is not cleared first: only bytes that
    // were read are looked at.
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
