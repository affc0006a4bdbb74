/**
 * Brings evidence back into use whose block is in the chain again. It is self-contained, and so nothing of it is
 * collected anew: a node has the state of an old block no longer, and other evidence would have a later date.
 */
import type { Lease } from "@svc/host/jobs";
import { insertMined, minedByNo } from "../service-log/mined-store.ts";
import type { AnchoringParts } from "./anchoring-parts.ts";
import { type AnchoringRow, anchoringOfEpoch, moveAnchoring } from "./anchorings-store.ts";
import {
  deleteVoided,
  earlierVoided,
  type VoidedEpoch,
  voidedAnchor,
  voidedOfEpoch,
  voidMined,
} from "./voided-store.ts";
import { countWords } from "./words-on-block.ts";

/** The most pieces that are looked at in one round: a block of each is asked for. */
const MOST_AT_ONCE = 16;

/** Brings the earliest evidence of an epoch back, if there is one whose block is there. Resolves to whether it did. */
export async function restoreOf(
  parts: AnchoringParts,
  lease: Lease,
  { epoch_no, network }: AnchoringRow,
): Promise<boolean> {
  const pieces = await parts.context.database.read((reader) => voidedOfEpoch(reader, network, epoch_no));
  for (const piece of pieces) {
    if (!(await isThere(parts, piece))) continue;
    await restore(parts, lease, piece);
    return true;
  }
  return false;
}

/**
 * Looks at some evidence that is kept aside, behind the piece at which an earlier round ended, and brings back what is
 * earlier than the evidence in use. Resolves to the piece at which it ended; null at the end of all.
 */
export async function restoreEarlier(
  parts: AnchoringParts,
  lease: Lease,
  after: VoidedEpoch | null,
): Promise<VoidedEpoch | null> {
  const { context, config } = parts;
  const pieces = await context.database.read((reader) => earlierVoided(reader, config.network, after, MOST_AT_ONCE));
  const restored = new Set<number>();
  for (const piece of pieces) {
    // The first one of an epoch is the earliest.
    if (restored.has(piece.epoch_no) || !(await isThere(parts, piece))) continue;
    await restore(parts, lease, piece);
    restored.add(piece.epoch_no);
  }
  return pieces.length < MOST_AT_ONCE ? null : (pieces.at(-1) ?? null);
}

/** More nodes must have the block than deny it. */
async function isThere({ chain, others }: AnchoringParts, piece: VoidedEpoch): Promise<boolean> {
  if ((await chain.blockAt(piece.block_number))?.hash !== piece.block_hash) return false;
  const { there, gone } = await countWords(others, piece);
  return there + 1 > gone;
}

async function restore({ context, tell }: AnchoringParts, lease: Lease, piece: VoidedEpoch): Promise<void> {
  const { epoch_no } = piece;
  const anchor = voidedAnchor(piece);
  const { network, contract, tx_hash, block_number, block_hash } = anchor;
  if (network === null || contract === null || tx_hash === null)
    throw new Error(`the evidence of epoch ${epoch_no} that is kept aside names no transaction: run svc-server fsck`);
  await context.database.write(
    async (writer) => {
      await lease.hold(writer);
      const anchoring = await anchoringOfEpoch(writer, epoch_no);
      if (anchoring === null) throw new Error(`the anchoring of epoch ${epoch_no} is missing: run svc-server fsck`);
      await deleteVoided(writer, piece);
      const { block_number: number, block_hash: hash, anchored_at } = (await minedByNo(writer, epoch_no)) ?? {};
      if (number != null && hash != null && anchored_at !== undefined)
        await voidMined(writer, { epoch_no, block_number: number, block_hash: hash, anchored_at });
      await insertMined(writer, anchor);
      const place = { network, contract, tx_hash, block_number, block_hash };
      await moveAnchoring(writer, anchoring, { ...place, state: "confirmed", problem: null });
    },
    { isLocking: true },
  );
  const words =
    `Block ${block_number} is in the chain again: the evidence of epoch ${epoch_no} that was void holds, with its ` +
    `date.`;
  tell("restored", epoch_no, words);
}
