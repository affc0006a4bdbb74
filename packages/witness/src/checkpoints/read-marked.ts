/**
 * Reading for others: no cosignature leaves before the high-water mark on the disk is at it, whichever way it leaves. A
 * cosignature that is committed, and whose mark could not be written, could be forgotten unnoticed.
 */
import type { Database, Reader } from "@svc/host/store";
import type { SignedPoint } from "../keys/mark-store.ts";
import { pointOf, readWitness } from "./checkpoints-store.ts";

/** Resolves to what `work` reads, once the mark is at all that it can have seen. */
export async function readMarked<T>(
  database: Pick<Database, "read">,
  raiseMark: (point: SignedPoint) => Promise<void>,
  work: (reader: Reader) => Promise<T>,
): Promise<T> {
  const [value, row] = await database.read(async (reader) => [await work(reader), await readWitness(reader)] as const);
  if (row !== null) await raiseMark(pointOf(row));
  return value;
}
