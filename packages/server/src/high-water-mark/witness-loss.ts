/**
 * The third high-water mark, beside the two files: a database that lacks the checkpoint which its witness has signed
 * last has lost evidence, even where no event is missing.
 */
import type { Kernel } from "@svc/core";
import type { Database } from "@svc/host/store";
import { rootOf } from "../sealing/frontier.ts";
import type { WitnessMemoryReader } from "../witness-memory/witness-memory.ts";
import type { Loss } from "./mark-file.ts";
import { checkpointRoot } from "./mark-store.ts";

/** Resolves to the loss of the database against the witness's memory; null if nothing is missing. */
export async function lossAgainstWitness(
  kernel: Kernel,
  memory: Pick<WitnessMemoryReader, "newest">,
  database: Pick<Database, "read">,
): Promise<Loss | null> {
  const newest = await memory.newest();
  if (newest === null) return null;
  const { origin, treeSize, frontier, cosignedAt } = newest;
  const streamId = origin.slice(origin.lastIndexOf("/") + 1);
  const found = await database.read((reader) => checkpointRoot(reader, streamId, treeSize));
  if (found !== null && found === rootOf(kernel, frontier)) return null;
  const what = found === null ? "is not in it" : "is in it with another root, so that it goes on from another history";
  return {
    words: `The database is older than what its witness has signed: the checkpoint of ${origin} over ${treeSize} windows, cosigned ${new Date(cosignedAt * 1000).toISOString()} and remembered in witness.db, ${what}. It was rolled back, copied or restored from a backup. Put the newer database back.`,
    detail: { lost_checkpoint_of: streamId, lost_window_count: treeSize },
  };
}
