/**
 * Fork evidence of the kind `epoch` (protocol section 11): two anchors of one service log that no one log can have. It
 * is no fork if one of them is pending and the other mined: the members of the chain are no part of an epoch.
 */
import type { Anchor } from "../anchor/schema.ts";
import { divergenceFault, type SignedTree } from "./divergence.ts";
import type { ForkRule } from "./rules.ts";

/** The rule for the kind `epoch`. */
export const contradictingEpochs: ForkRule = (kernel, left, right, { divergence }) => {
  if (left.type !== "anchor" || right.type !== "anchor") return "both sides must be anchors";
  const [one, other] = [left.value, right.value];
  if (one.origin !== other.origin) return "the anchors are of two origins";
  if (divergence !== null) return divergenceFault(kernel, divergence, logOf(one), logOf(other));
  const sameRoot = one.epoch_root === other.epoch_root;
  const sameSize = one.log_size === other.log_size;
  if (sameSize && !sameRoot) return null;
  if (one.epoch_no === other.epoch_no && !(sameSize && sameRoot)) return null;
  return "the two epochs can be parts of one log";
};

/** Returns the service log under an anchor. */
export function logOf({ log_size, epoch_root }: Anchor): SignedTree {
  return { size: log_size, root: epoch_root };
}
