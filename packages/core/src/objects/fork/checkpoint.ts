/**
 * Fork evidence of the kind `checkpoint` (protocol section 11): two checkpoints of one stream that cannot belong to one
 * history.
 */
import { ZERO_HASH } from "../../protocol.ts";
import { type Checkpoint, checkpointHash } from "../checkpoint.ts";
import { divergenceFault, type SignedTree } from "./divergence.ts";
import type { ForkRule } from "./rules.ts";

/**
 * The rule for the kind `checkpoint`. A divergence in the evidence must hold, even if the checkpoints exclude each
 * other without it.
 */
export const contradictingCheckpoints: ForkRule = (kernel, left, right, { divergence }) => {
  if (left.type !== "checkpoint" || right.type !== "checkpoint") return "both sides must be checkpoints";
  if (checkpointHash(kernel, left.value) === checkpointHash(kernel, right.value))
    return "both sides are the same checkpoint";
  if (divergence !== null) return divergenceFault(kernel, divergence, treeOf(left.value), treeOf(right.value));
  return excludeEachOther(left.value, right.value) ? null : "the two checkpoints can be parts of one history";
};

/** Returns the tree under a checkpoint. */
export function treeOf({ window_count, checkpoint_root }: Checkpoint): SignedTree {
  return { size: window_count, root: checkpoint_root };
}

/** Says whether two different checkpoints of one stream exclude each other by their own members alone. */
export function excludeEachOther(left: Checkpoint, right: Checkpoint): boolean {
  if (left.origin !== right.origin || left.window_count === right.window_count) return true;
  if (left.previous_checkpoint_hash !== ZERO_HASH && left.previous_checkpoint_hash === right.previous_checkpoint_hash)
    return true;
  // Number, windows and events rise together along a stream.
  const rises = (member: "checkpoint_no" | "window_count" | "to_seq_no") => Math.sign(right[member] - left[member]);
  return rises("checkpoint_no") !== rises("window_count") || rises("to_seq_no") !== rises("window_count");
}
