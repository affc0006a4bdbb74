/**
 * Inclusion paths of windows in the checkpoint tree, if only the frontier of the tree before some window is known
 * (protocol section 1, RFC 9162 section 2.1.3). The subtrees to the left that such a path needs are in the frontier, or
 * lie in the known leaves.
 */
import { encodeHex, hexToBytes } from "../encoding/hex.ts";
import type { Kernel, NodeHash } from "../kernel/kernel.ts";
import type { HashHex } from "../schema/atoms.ts";

/**
 * The known part of a checkpoint tree: the frontier of its first `priorCount` leaves, and the window hashes behind
 * them.
 */
export interface KnownTree {
  readonly priorCount: number;
  /** The frontier of the first `priorCount` leaves, the largest subtree first; 64 lowercase hex characters a hash. */
  readonly priorFrontier: readonly HashHex[];
  /** The window hashes from window `priorCount + 1` on, in order; 64 lowercase hex characters each. */
  readonly windowHashes: readonly HashHex[];
}

/**
 * Proves that a window is a leaf of a checkpoint tree (protocol section 9, RFC 9162 section 2.1.3.1). `tree`: its known
 * part. `windowNo`: of the window, from 1. `windowCount`: the size of the checkpoint tree. Returns the path, the leaf
 * side first, 64 lowercase hex characters a hash. Throws RangeError if the window is before the known ones, if the tree
 * ends before the window or after the known ones, and if the frontier is not that of `priorCount` windows. It does not
 * check that the hashes give a checkpoint's root: `verify` does.
 *
 * @example
 * const tree = { priorCount: 0, priorFrontier: [], windowHashes: [windowHash(kernel, window), ZERO_HASH] };
 * console.log(proveWindow(kernel, tree, 1, 2)[0] === encodeHex(kernel.leafHash(new Uint8Array(32)))); // true
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

/**
 * Returns the largest power of two that is at most `limit`, which is at least 1. It uses no bit operation, since a tree
 * may have over 2^31 leaves.
 */
function largestPowerUpTo(limit: number): number {
  let power = 1;
  while (power * 2 <= limit) power *= 2;
  return power;
}
