/**
 * The shape of the log's tree (RFC 6962): which whole subtrees a root, an inclusion path or a consistency path is made
 * of. A path of a log of any size needs some 2 log2(size) of them. It knows no hash: log-tree.ts reads those.
 */

/** A subtree of 2^level leaves, all of which are there: number `index` of its level, from 0. */
export interface WholeSubtree {
  readonly level: number;
  readonly index: number;
}

/** Leaves from one index to before another. They are a subtree of the RFC, whole or at the right edge of the log. */
export type LeafRange = readonly [from: number, to: number];

/** Returns the whole subtrees of which a subtree consists, the largest first. */
export function wholeSubtrees([from, to]: LeafRange): WholeSubtree[] {
  const found: WholeSubtree[] = [];
  for (let at = from; at < to; ) {
    let [level, leaves] = [0, 1];
    while (at % (2 * leaves) === 0 && at + 2 * leaves <= to) [level, leaves] = [level + 1, 2 * leaves];
    found.push({ level, index: at / leaves });
    at += leaves;
  }
  return found;
}

/** Returns the last leaf of a whole subtree: it is complete with this one. */
export function lastLeafOf({ level, index }: WholeSubtree): number {
  return (index + 1) * 2 ** level - 1;
}

/** Returns the subtrees whose hashes are the inclusion path of a leaf (RFC 9162 section 2.1.3.1), leaf side first. */
export function inclusionRanges(leafIndex: number, size: number): LeafRange[] {
  const ranges: LeafRange[] = [];
  for (let [from, to] = [0, size]; to - from > 1; ) {
    const middle = middleOf(from, to);
    if (leafIndex < middle) {
      ranges.push([middle, to]);
      to = middle;
    } else {
      ranges.push([from, middle]);
      from = middle;
    }
  }
  return ranges.reverse();
}

/**
 * Returns the subtrees whose hashes are the consistency path of two sizes (RFC 9162 section 2.1.4.1), in order. The
 * earlier size is at least 1, and at most the later one.
 */
export function consistencyRanges(earlier: number, later: number): LeafRange[] {
  const ranges: LeafRange[] = [];
  let [from, to] = [0, later];
  while (earlier < to) {
    const middle = middleOf(from, to);
    if (earlier <= middle) {
      ranges.push([middle, to]);
      to = middle;
    } else {
      ranges.push([from, middle]);
      from = middle;
    }
  }
  // A caller that asks knows the whole earlier tree.
  if (from > 0) ranges.push([from, to]);
  return ranges.reverse();
}

/** Returns the start of the right half: the left one has the largest power of two of leaves that is below all. */
function middleOf(from: number, to: number): number {
  let leaves = 1;
  while (2 * leaves < to - from) leaves *= 2;
  return from + leaves;
}
