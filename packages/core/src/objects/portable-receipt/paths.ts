/**
 * Inclusion paths of windows in the checkpoint tree, where the tree before some window is known by its frontier alone (protocol section 1,
 * RFC 9162 section 2.1.3). The subtrees that such a path needs to the left are the frontier's, or lie in the known leaves.
 */
import { encodeHex, hexToBytes } from "../../encoding/hex.ts";
import type { Kernel, NodeHash } from "../../kernel/kernel.ts";
import type { HashHex } from "../../schema/atoms.ts";

/** What is known of a checkpoint tree: its first `priorCount` leaves by their frontier, those after them by their window hashes. */
export interface KnownTree {
  readonly priorCount: number;
  /** The frontier of the first `priorCount` leaves, largest subtree first. */
  readonly priorFrontier: readonly HashHex[];
  /** The window hashes from window `priorCount + 1` on, in order. */
  readonly windowHashes: readonly HashHex[];
}

/**
 * Proves that window `windowNo` is a leaf of the checkpoint tree over the first `windowCount` windows; the path is leaf side first.
 * RangeError where the window is before the known ones, or the tree ends before the window or after the known ones.
 */
export function proveWindow(kernel: Kernel, tree: KnownTree, windowNo: number, windowCount: number): HashHex[] {
  const { priorCount, priorFrontier, windowHashes } = tree;
  if (windowNo <= priorCount || windowNo > windowCount || windowCount > priorCount + windowHashes.length) {
    const known = `windows ${priorCount + 1} to ${priorCount + windowHashes.length} are known`;
    throw new RangeError(`there is no path for window ${windowNo} of ${windowCount}: ${known}`);
  }
  const leaves = windowHashes.map((hash) => kernel.leafHash(hexToBytes(hash)));
  const priorSubtrees = new Map<number, NodeHash>();
  let start = 0;
  for (const hash of priorFrontier) {
    priorSubtrees.set(start, hexToBytes(hash));
    start += largestPowerUpTo(priorCount - start);
  }
  const subtree = (from: number, to: number): NodeHash => {
    if (from >= priorCount) return kernel.rootFromLeafHashes(leaves.slice(from - priorCount, to - priorCount));
    const known = to <= priorCount ? priorSubtrees.get(from) : undefined;
    if (known !== undefined) return known;
    if (to - from <= 1) throw new RangeError(`the frontier is not that of ${priorCount} windows`);
    const split = from + largestPowerUpTo(to - from - 1);
    // The root over two hashes is the node over them.
    return kernel.rootFromLeafHashes([subtree(from, split), subtree(split, to)]);
  };
  const path: NodeHash[] = [];
  const index = windowNo - 1;
  for (let from = 0, to = windowCount; to - from > 1; ) {
    const split = from + largestPowerUpTo(to - from - 1);
    const isLeft = index < split;
    path.unshift(isLeft ? subtree(split, to) : subtree(from, split));
    if (isLeft) to = split;
    else from = split;
  }
  return path.map((hash) => encodeHex(hash) as HashHex);
}

/** The largest power of two that is at most `limit`, which is at least 1; no bit operation, since a tree may have over 2^31 leaves. */
function largestPowerUpTo(limit: number): number {
  let power = 1;
  while (power * 2 <= limit) power *= 2;
  return power;
}
