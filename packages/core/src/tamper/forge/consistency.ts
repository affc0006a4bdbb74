/** Makes consistency evidence hold again around two tree heads of which one differs (protocol section 9). */
import type { NodeHash } from "../../kernel/kernel.ts";
import type { AnchorConsistency } from "../../objects/anchor/consistency.ts";
import type { Anchor } from "../../objects/anchor/schema.ts";
import { type Checkpoint, checkpointHash } from "../../objects/checkpoint.ts";
import type { Consistency } from "../../objects/consistency.ts";
import { sealedAnchor } from "./anchors.ts";
import { checkpointAgain, leafOf, standaloneCheckpointAgain } from "./checkpoints.ts";
import type { Forger } from "./forger.ts";
import { ForgedTree } from "./tree.ts";

/**
 * Returns evidence between two checkpoints in the place of the good one. If a size or a listed window differs, a tree
 * is made up.
 */
export function consistencyAgain(forger: Forger, good: Consistency, edited: Consistency): Consistency {
  const { from_checkpoint: from, to_checkpoint: to } = edited;
  const isSame = treeParts(good) === treeParts(edited);
  const leaves = new Map<number, NodeHash>();
  for (const { window_no, window_hash } of [...from.window_roots, ...to.window_roots])
    leaves.set(window_no - 1, leafOf(forger, window_hash));
  const tree = isSame ? null : ForgedTree.of(forger.kernel, to.window_count, leaves);
  const rooted = (checkpoint: Checkpoint): Checkpoint => {
    const before = (checkpoint.window_roots[0]?.window_no ?? 1) - 1;
    const again = standaloneCheckpointAgain(forger, checkpoint);
    if (tree === null) return again;
    const frontier = checkpoint.frontier === undefined ? {} : { frontier: tree.frontier(before) };
    return { ...again, checkpoint_root: tree.root(checkpoint.window_count), ...frontier };
  };
  const earlier = checkpointAgain(forger, rooted(from));
  const previous_checkpoint_hash =
    to.checkpoint_no === from.checkpoint_no + 1 ? checkpointHash(forger.kernel, earlier) : to.previous_checkpoint_hash;
  const later = checkpointAgain(forger, { ...rooted(to), previous_checkpoint_hash });
  const consistency_path = tree === null ? edited.consistency_path : tree.consistency(from.window_count);
  return { ...edited, from_checkpoint: earlier, to_checkpoint: later, consistency_path };
}

function treeParts({ from_checkpoint: from, to_checkpoint: to }: Consistency): string {
  const parts = [from, to].map(({ window_count, window_roots }) => [
    window_count,
    window_roots.map(({ window_no, window_hash }) => [window_no, window_hash]),
  ]);
  return JSON.stringify(parts);
}

/** Does the same between two anchors of one log. */
export function anchorConsistencyAgain(
  forger: Forger,
  good: AnchorConsistency,
  edited: AnchorConsistency,
): AnchorConsistency {
  const { from_anchor: from, to_anchor: to } = edited;
  const leaves = new Map<number, NodeHash>();
  for (const { leaf_index, checkpoint_hash } of [...to.members, ...from.members])
    leaves.set(leaf_index, leafOf(forger, checkpoint_hash));
  const isSame = logParts(good) === logParts(edited);
  const tree = isSame ? null : ForgedTree.of(forger.kernel, to.log_size, leaves);
  const again = (old: Anchor, anchor: Anchor): Anchor => {
    if (tree === null) return sealedAnchor(forger, old, anchor);
    const own = ForgedTree.of(forger.kernel, anchor.log_size, leaves);
    const members = anchor.members.map((member) => ({
      ...member,
      inclusion_path: own?.path(member.leaf_index) ?? member.inclusion_path,
    }));
    return sealedAnchor(forger, old, { ...anchor, members, epoch_root: own?.root() ?? anchor.epoch_root });
  };
  return {
    ...edited,
    from_anchor: again(good.from_anchor, from),
    to_anchor: again(good.to_anchor, to),
    consistency_path: tree === null ? edited.consistency_path : tree.consistency(from.log_size),
  };
}

function logParts({ from_anchor: from, to_anchor: to }: AnchorConsistency): string {
  const parts = [from, to].map(({ log_size, members }) => [
    log_size,
    members.map(({ leaf_index, checkpoint_hash }) => [leaf_index, checkpoint_hash]),
  ]);
  return JSON.stringify(parts);
}
