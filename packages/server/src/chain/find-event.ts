/**
 * Finds where an epoch was written. Many nodes give the events of so many blocks at a time, and each words its refusal
 * differently; so a refusal makes the ranges smaller, from the newest block backwards.
 */
import { AnchorFault } from "./anchor-fault.ts";
import type { Block, Chain, EpochInContract, Written } from "./chain.ts";
import { RpcRefusal } from "./rpc-client.ts";

/** The fewest blocks for which a node is asked, and the most times that it is asked for one epoch. */
const FEWEST_BLOCKS = 10;
const MOST_CALLS = 1000;

/** The bounds of a search. */
export interface Bounds {
  /** The newest block. */
  readonly head: Block;
  /** A time, in Unix seconds, before which nobody can have written the epoch. */
  readonly sinceUnixSeconds: number;
}

/** Resolves to the place; null if the node has no such event. Rejects with AnchorFault. */
export async function findEvent(
  chain: Chain,
  epoch: EpochInContract,
  { head, sinceUnixSeconds }: Bounds,
): Promise<Written | null> {
  let blocks = head.number + 1;
  let to = head.number;
  for (let calls = 1; calls <= MOST_CALLS; calls++) {
    const from = Math.max(0, to - blocks + 1);
    try {
      const found = await chain.eventIn(epoch, from, to);
      if (found !== null || from === 0) return found;
    } catch (error) {
      if (!(error instanceof RpcRefusal) || blocks <= FEWEST_BLOCKS) throw error;
      blocks = Math.max(FEWEST_BLOCKS, Math.floor(blocks / 10));
      continue;
    }
    const first = await chain.blockAt(from);
    if (first !== null && first.unixSeconds < sinceUnixSeconds) return null;
    to = from - 1;
  }
  throw new AnchorFault(
    "node_refused",
    `it gives the events of ${blocks} blocks at a time, and that of epoch ${epoch.epochNo} is before block ` +
      `${to}. Name a node that gives more.`,
  );
}
