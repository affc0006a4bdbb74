/**
 * The consistency proof between two trees of one log (RFC 6962 section 2.1.2), from the frontier of the smaller one and
 * the leaves behind it: so it costs what is new, however large the log is.
 */
import { type HashHex, hexToBytes, type Kernel, type NodeHash } from "@svc/core";

/** The step from a tree to a larger one of the same log. */
export interface TreeStep {
  /** The frontier of the smaller tree, the largest subtree first. */
  readonly frontier: readonly HashHex[];
  /** The leaf data of the larger tree that come after it. */
  readonly leaves: readonly HashHex[];
}

/** Returns the proof; empty where nothing is behind the smaller tree. `fromSize`: its leaves, at least 1. */
export function proveStep(kernel: Kernel, fromSize: number, { frontier, leaves }: TreeStep): NodeHash[] {
  const old = subtrees(fromSize, frontier.map(hexToBytes));
  const added = leaves.map((leaf) => kernel.leafHash(hexToBytes(leaf)));
  const rootOfNew = (start: number, end: number) =>
    kernel.rootFromLeafHashes(added.slice(start - fromSize, end - fromSize));
  const oldAt = (start: number): NodeHash => {
    const found = old.get(start);
    if (found === undefined) throw new RangeError(`the frontier of ${fromSize} leaves has no subtree at ${start}`);
    return found;
  };
  const prove = (start: number, end: number, isWhole: boolean): NodeHash[] => {
    // The only way here, but for equal trees, is to the left: the range is a subtree of the frontier.
    if (end === fromSize) return isWhole ? [] : [oldAt(start)];
    const middle = start + largestPowerBelow(end - start);
    return fromSize <= middle
      ? [...prove(start, middle, isWhole), rootOfNew(middle, end)]
      : [...prove(middle, end, false), oldAt(start)];
  };
  return prove(0, fromSize + leaves.length, true);
}

/** Returns the subtrees of a frontier, by the place of their first leaf. */
function subtrees(size: number, frontier: readonly NodeHash[]): ReadonlyMap<number, NodeHash> {
  const found = new Map<number, NodeHash>();
  let [start, rest] = [0, size];
  for (const hash of frontier) {
    if (rest > 0) found.set(start, hash);
    const leaves = largestPowerUpTo(rest);
    start += leaves;
    rest -= leaves;
  }
  if (rest !== 0 || found.size !== frontier.length)
    throw new RangeError(`a frontier of ${frontier.length} hashes is not that of ${size} leaves`);
  return found;
}

function largestPowerUpTo(size: number): number {
  let power = 1;
  while (power * 2 <= size) power *= 2;
  return size === 0 ? 0 : power;
}

function largestPowerBelow(size: number): number {
  return largestPowerUpTo(size - 1);
}
