/**
 * Looks whether the chain still has the highest blocks of which evidence is kept: a chain can remove blocks that were
 * taken as final, and a node can have made them up. Their evidence is void then, and their anchorings go back to their
 * beginning. Evidence of a chain that was configured before is for that chain to void.
 */
import type { Lease } from "@svc/host/jobs";
import { AnchorFault } from "../chain/anchor-fault.ts";
import type { Block } from "../chain/chain.ts";
import { highestMinedBlock, type MinedBlock } from "../service-log/mined-store.ts";
import type { AnchoringParts } from "./anchoring-parts.ts";
import { anchoringOfEpoch, moveAnchoring } from "./anchorings-store.ts";
import { voidMined } from "./voided-store.ts";
import { countWords, wordOf } from "./words-on-block.ts";

/**
 * Voids the evidence of blocks that are gone. `head`: the newest block. Resolves to a fault where the node that is
 * asked denies a block, and no other node says anything of it: then nothing is void. Rejects with AnchorFault, also if
 * as many nodes have the block as deny it.
 */
export async function requireStored(parts: AnchoringParts, lease: Lease, head: Block): Promise<AnchorFault | null> {
  const { context, config, chain } = parts;
  for (;;) {
    const { last, anchoring } = await context.database.read(async (reader) => {
      const last = await highestMinedBlock(reader, config.network);
      return { last, anchoring: last === null ? null : await anchoringOfEpoch(reader, last.epoch_no) };
    });
    if (last === null || anchoring === null) return null;
    const block = await chain.blockAt(last.block_number);
    if (wordOf(block, head, last) !== "gone") return null;
    const denied = `block ${last.block_number} is ${block?.hash ?? "missing"} and not ${last.block_hash}`;
    const receipt = await chain.receipt(anchoring.tx_hash);
    if (receipt?.blockHash === last.block_hash)
      throw new AnchorFault(
        "node_contradicted",
        `${denied}, it says, and the transaction of epoch ${last.epoch_no} is still where it was`,
      );
    const doubt = await doubtOf(parts, last, denied);
    if (doubt !== null) return doubt;
    await remove(parts, lease, last);
  }
}

/** Resolves to null if a block that one node denies is gone; to a fault if it may be there. Rejects in a dispute. */
async function doubtOf({ others }: AnchoringParts, block: MinedBlock, denied: string): Promise<AnchorFault | null> {
  const { there, gone } = await countWords(others, block);
  if (others.length === 0 || (gone > 0 && gone + 1 > there)) return null;
  if (there === 0)
    return new AnchorFault(
      "node_contradicted",
      `${denied}, by the word of this node alone: no other one says anything of it. The evidence of epoch ` +
        `${block.epoch_no} is kept until another node says so too.`,
    );
  throw new AnchorFault(
    "node_contradicted",
    `${denied}, it says, and ${there} of the other nodes have that block: the evidence of epoch ` +
      `${block.epoch_no} is kept. Look which node is of another chain.`,
  );
}

async function remove({ context, tell }: AnchoringParts, lease: Lease, mined: MinedBlock): Promise<void> {
  await context.database.write(
    async (writer) => {
      await lease.hold(writer);
      await voidMined(writer, mined);
      const anchoring = await anchoringOfEpoch(writer, mined.epoch_no);
      if (anchoring !== null)
        await moveAnchoring(writer, anchoring, { state: "pending", block_number: null, block_hash: null });
    },
    { isLocking: true },
  );
  tell(
    "removed",
    mined.epoch_no,
    `The chain does not have block ${mined.block_number} any more, which was taken as final: the evidence of ` +
      `epoch ${mined.epoch_no} is void and kept aside, and it is anchored again. SVC_ANCHOR_CONFIRMATIONS is too ` +
      `low for this chain, or a node has lied.`,
  );
}
