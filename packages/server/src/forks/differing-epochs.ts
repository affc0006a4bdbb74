/** Compares epochs of the service log with those of the database. Both are of this service's own origin and keys. */
import type { Anchor } from "@svc/core";
import type { Reader } from "@svc/host/store";
import { epochByNo, epochOfSize } from "../service-log/epochs-store.ts";

/**
 * Resolves to the pairs of the database's and the shown epochs that cannot be of one log, each with the database's
 * first: one number and another tree, or one size and another root. A member about a chain is no part of an epoch.
 */
export async function differingEpochs(reader: Reader, shown: readonly Anchor[]): Promise<[Anchor, Anchor][]> {
  const pairs: [Anchor, Anchor][] = [];
  for (const epoch of shown) {
    const ours = (await epochByNo(reader, epoch.epoch_no)) ?? (await epochOfSize(reader, epoch.log_size));
    const isSame = ours === null || (ours.log_size === epoch.log_size && ours.epoch_root === epoch.epoch_root);
    if (!isSame) pairs.push([ours, epoch]);
  }
  return pairs;
}
