/**
 * The third high-water mark, beside the two files: a database that lacks the checkpoint which its witness has signed
 * last, or the epoch of the service log that was published last, has lost evidence, even where no event is missing.
 */
import type { Kernel } from "@svc/core";
import type { Database } from "@svc/host/store";
import { rootOf } from "../sealing/frontier.ts";
import { serviceRow } from "../signing/service-store.ts";
import type { RememberedTree } from "../witness-memory/memory-store.ts";
import type { WitnessMemoryReader } from "../witness-memory/witness-memory.ts";
import type { Loss } from "./mark-file.ts";
import { checkpointRoot, epochRoot } from "./mark-store.ts";

/** Resolves to the loss of the database against the witness's memory; null if nothing is missing. */
export async function lossAgainstWitness(
  kernel: Kernel,
  memory: Pick<WitnessMemoryReader, "of" | "newestOfStream">,
  database: Pick<Database, "read">,
): Promise<Loss | null> {
  const serviceOrigin = (await database.read(serviceRow))?.evidence_origin ?? "";
  const newest = await memory.newestOfStream(serviceOrigin);
  const loss = newest === null ? null : await lossOfCheckpoint(kernel, newest, database);
  if (loss !== null) return loss;
  const published = await memory.of(serviceOrigin);
  return published === null || published.givenUpAt !== null ? null : lossOfEpoch(kernel, published, database);
}

async function lossOfCheckpoint(
  kernel: Kernel,
  newest: RememberedTree,
  database: Pick<Database, "read">,
): Promise<Loss | null> {
  const { origin, treeSize, frontier, cosignedAt } = newest;
  const streamId = origin.slice(origin.lastIndexOf("/") + 1);
  const found = await database.read((reader) => checkpointRoot(reader, streamId, treeSize));
  if (found !== null && found === rootOf(kernel, frontier)) return null;
  const what = found === null ? "is not in it" : "is in it with another root, so that it goes on from another history";
  return {
    words:
      `The database is older than what its witness has signed: the checkpoint of ${origin} over ${treeSize} ` +
      `windows, cosigned ${new Date(cosignedAt * 1000).toISOString()} and remembered in witness.db, ${what}. It ` +
      `was rolled back, copied or restored from a backup. Put the newer database back.`,
    detail: { lost_checkpoint_of: streamId, lost_window_count: treeSize },
  };
}

async function lossOfEpoch(
  kernel: Kernel,
  { treeSize, frontier, cosignedAt }: RememberedTree,
  database: Pick<Database, "read">,
): Promise<Loss | null> {
  const found = await database.read((reader) => epochRoot(reader, treeSize));
  if (found !== null && found === rootOf(kernel, frontier)) return null;
  const what = found === null ? "is not in it" : "is in it with another root, so that it goes on from another history";
  return {
    words:
      `The database is older than what was published: the epoch of the service log over ${treeSize} checkpoints, ` +
      `made ${new Date(cosignedAt * 1000).toISOString()} and remembered in witness.db, ${what}. It was rolled ` +
      `back, copied or restored from a backup. Put the newer database back.`,
    detail: { lost_epoch_of_size: treeSize },
  };
}
