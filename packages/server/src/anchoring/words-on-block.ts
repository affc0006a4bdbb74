/** The words of several nodes on a block of which evidence is kept. One node's word alone voids nothing. */
import { AnchorFault } from "../chain/anchor-fault.ts";
import { type Block, type Chain, CLOCKS_APART_S } from "../chain/chain.ts";
import type { MinedBlock } from "../service-log/mined-store.ts";

/** The word of one node; null for one that is down, of another chain, or may only be behind. */
export type Word = "there" | "gone" | null;

/** Returns the word of a node on a block. `found`: its block at that height; `head`: its newest block. */
export function wordOf(found: Block | null, head: Block, block: MinedBlock): Word {
  if (found !== null) return found.hash === block.block_hash ? "there" : "gone";
  return isBehind(head, block) ? null : "gone";
}

/** Counts the words of some nodes on a block. A fault of a node is no word. */
export async function countWords(
  chains: readonly Chain[],
  block: MinedBlock,
): Promise<{ readonly there: number; readonly gone: number }> {
  const words = await Promise.all(chains.map((chain) => ask(chain, block)));
  const count = (word: Word) => words.filter((one) => one === word).length;
  return { there: count("there"), gone: count("gone") };
}

async function ask(chain: Chain, block: MinedBlock): Promise<Word> {
  try {
    await chain.requireNetwork();
    return wordOf(await chain.blockAt(block.block_number), await chain.head(), block);
  } catch (error) {
    if (error instanceof AnchorFault) return null;
    throw error;
  }
}

/**
 * Says whether a node that lacks a block may only be behind. One whose newest block is younger than the evidence is
 * not: its chain never had so many blocks.
 */
function isBehind(head: Block, { anchored_at }: MinedBlock): boolean {
  return head.unixSeconds <= Date.parse(anchored_at) / 1000 + CLOCKS_APART_S;
}
