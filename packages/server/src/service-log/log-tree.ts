/**
 * The hashes of the log's tree, out of the nodes that are stored with its leaves: roots, paths, and the nodes that new
 * leaves complete. Each reads a number of rows that grows with the logarithm of the log.
 */
import { encodeHex, type HashHex, hexToBytes, type Kernel, type NodeHash } from "@svc/core";
import type { Reader } from "@svc/host/store";
import { type LeafRow, leavesAt } from "./leaves-store.ts";
import {
  consistencyRanges,
  inclusionRanges,
  type LeafRange,
  lastLeafOf,
  type WholeSubtree,
  wholeSubtrees,
} from "./tree.ts";

const HASH_CHARACTERS = 64;

/** Resolves to the frontier of the log at a size: the whole subtrees' hashes, the largest first. */
export async function frontierAt(reader: Reader, kernel: Kernel, size: number): Promise<NodeHash[]> {
  const subtrees = wholeSubtrees([0, size]);
  const hashOf = await subtreeHashes(reader, kernel, subtrees);
  return subtrees.map(hashOf);
}

/** Resolves to the root of the log at a size of at least 1. */
export async function rootAt(reader: Reader, kernel: Kernel, size: number): Promise<HashHex> {
  return hexOf(kernel.rootFromFrontier(await frontierAt(reader, kernel, size)));
}

/** Resolves to the path of a leaf to the root of a size, the leaf side first. */
export function inclusionPath(reader: Reader, kernel: Kernel, leafIndex: number, size: number): Promise<HashHex[]> {
  return rangeHashes(reader, kernel, inclusionRanges(leafIndex, size));
}

/** Resolves to the path between the roots of two sizes, of which the earlier is at least 1. */
export function consistencyPath(reader: Reader, kernel: Kernel, earlier: number, later: number): Promise<HashHex[]> {
  return rangeHashes(reader, kernel, consistencyRanges(earlier, later));
}

/** The next leaf of a growing tree. */
export interface GrownLeaf {
  /** The frontier with it, the largest subtree first. */
  readonly frontier: readonly NodeHash[];
  /** The hashes of the whole subtrees that it completes, in one text, the smallest first. */
  readonly nodes: string;
}

/** Returns what becomes of a tree of `size` leaves, with this frontier, by the next leaf. */
export function grown(kernel: Kernel, size: number, frontier: readonly NodeHash[], checkpointHash: HashHex): GrownLeaf {
  const rest = [...frontier];
  let hash = kernel.leafHash(hexToBytes(checkpointHash));
  let nodes = "";
  // Each subtree of the frontier that is as large as the new one becomes its left half.
  for (let count = size; count % 2 === 1; count = (count - 1) / 2) {
    const left = rest.pop();
    if (left === undefined) throw new RangeError(`a frontier is too short for ${size} leaves`);
    hash = kernel.rootFromFrontier([left, hash]);
    nodes += encodeHex(hash);
  }
  return { frontier: [...rest, hash], nodes };
}

async function rangeHashes(reader: Reader, kernel: Kernel, ranges: readonly LeafRange[]): Promise<HashHex[]> {
  const parts = ranges.map(wholeSubtrees);
  const hashOf = await subtreeHashes(reader, kernel, parts.flat());
  return parts.map((subtrees) => hexOf(kernel.rootFromFrontier(subtrees.map(hashOf))));
}

/** Reads whole subtrees, and resolves to the way to the hash of each. Rejects if a leaf is missing. */
async function subtreeHashes(reader: Reader, kernel: Kernel, subtrees: readonly WholeSubtree[]) {
  const rows = subtrees.length === 0 ? [] : await leavesAt(reader, [...new Set(subtrees.map(lastLeafOf))]);
  const byIndex = new Map(rows.map((row) => [row.leaf_index, row]));
  return (subtree: WholeSubtree): NodeHash => {
    const leaf = byIndex.get(lastLeafOf(subtree));
    const hash = leaf === undefined ? null : subtreeHash(kernel, leaf, subtree.level);
    if (hash === null)
      throw new Error(`leaf ${lastLeafOf(subtree)} of the service log is missing or was changed in the database`);
    return hash;
  };
}

/** Returns the hash of the subtree of a level that ends with a leaf; null if the leaf does not have it. */
function subtreeHash(kernel: Kernel, { checkpoint_hash, nodes }: LeafRow, level: number): NodeHash | null {
  if (level === 0) return kernel.leafHash(hexToBytes(checkpoint_hash));
  const hex = nodes.slice((level - 1) * HASH_CHARACTERS, level * HASH_CHARACTERS);
  return hex.length === HASH_CHARACTERS ? hexToBytes(hex) : null;
}

function hexOf(hash: NodeHash): HashHex {
  return encodeHex(hash) as HashHex;
}
