/** How far a stream is published, or anchored: the last event under a checkpoint that an epoch covers. */
import type { Reader } from "@svc/host/store";
import { newestEpoch } from "./epochs-store.ts";
import { minedSize } from "./mined-store.ts";
import { type LoggedCheckpoint, loggedCheckpoint } from "./published-store.ts";

/** Resolves to the last event that the newest epoch covers, or 0. */
export async function publishedSeqNo(reader: Reader, streamId: string): Promise<number> {
  return coveredSeqNo(reader, streamId, (await newestEpoch(reader))?.log_size ?? 0);
}

/** Resolves to the last event that an epoch with evidence of a chain covers, or 0. */
export async function anchoredSeqNo(reader: Reader, streamId: string): Promise<number> {
  return coveredSeqNo(reader, streamId, await minedSize(reader));
}

/**
 * Resolves to the last event under a checkpoint among the first `logSize` of the log. The checkpoints of a stream are
 * in the log in their order, so that their number can be halved: mostly the newest is the one, or one of the last.
 */
async function coveredSeqNo(reader: Reader, streamId: string, logSize: number): Promise<number> {
  const last = logSize === 0 ? null : await loggedCheckpoint(reader, streamId, Number.MAX_SAFE_INTEGER);
  if (last === null) return 0;
  const isCovered = ({ leaf_index }: LoggedCheckpoint) => leaf_index !== null && leaf_index < logSize;
  if (isCovered(last)) return last.to_seq_no;
  // All from `above` on are not covered, and `found` is.
  let above = last.checkpoint_no;
  let found: LoggedCheckpoint | null = null;
  for (let step = 1; found === null && above > 1; step *= 2) {
    const at = await loggedCheckpoint(reader, streamId, Math.max(1, above - step));
    if (at === null) return 0;
    if (isCovered(at)) found = at;
    else above = at.checkpoint_no;
  }
  while (found !== null && above - found.checkpoint_no > 1) {
    const middle = Math.floor((found.checkpoint_no + above) / 2);
    const at: LoggedCheckpoint | null = await loggedCheckpoint(reader, streamId, middle);
    if (at === null) return found.to_seq_no;
    if (isCovered(at)) found = at;
    else above = at.checkpoint_no;
  }
  return found?.to_seq_no ?? 0;
}
