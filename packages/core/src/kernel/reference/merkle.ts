/**
 * RFC 6962 Merkle trees: frontiers, roots, and inclusion and consistency proofs (protocol sections 1 and 9, RFC 9162
 * section 2.1). merkle-verify.ts checks proofs. Sizes go up to 2^53-1, so no 32-bit operators touch them.
 */

import { sha256 } from "@noble/hashes/sha2.js";
import type { NodeHash } from "../kernel.ts";

const LEAF_PREFIX = Uint8Array.of(0);
const NODE_PREFIX = Uint8Array.of(1);

/** Returns the RFC 6962 leaf hash, SHA-256(0x00 || data), of data of any length; 32 bytes. */
export function leafHash(data: Uint8Array): NodeHash {
  return sha256.create().update(LEAF_PREFIX).update(data).digest();
}

/** Returns the RFC 6962 hash of an inner node, SHA-256(0x01 || left || right); 32 bytes. */
export function nodeHash(left: NodeHash, right: NodeHash): NodeHash {
  return sha256.create().update(NODE_PREFIX).update(left).update(right).digest();
}

/**
 * Returns the frontier (protocol section 1) after leaf hashes are appended to a tree of `size` leaves, 0 .. 2^53-1.
 * Throws RangeError for a size that is invalid or would pass 2^53-1, a frontier of another length than `size` demands,
 * and a hash that is not 32 bytes.
 */
export function appendToFrontier(
  size: number,
  frontier: readonly NodeHash[],
  leafHashes: readonly NodeHash[],
): NodeHash[] {
  if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`not a tree size: ${size}`);
  if (leafHashes.length > Number.MAX_SAFE_INTEGER - size) throw new RangeError("a tree has at most 2^53-1 leaves");
  if (frontier.length !== countOnes(size)) {
    throw new RangeError(
      `a tree of ${size} leaves has a frontier of ${countOnes(size)} hashes, not ${frontier.length}`,
    );
  }
  requireHashes(frontier);
  requireHashes(leafHashes);
  const result = [...frontier];
  for (const [added, leaf] of leafHashes.entries()) {
    let hash = leaf;
    // Each low one bit of the size is a perfect subtree that the new one completes to the next larger.
    for (let rest = size + added; isOdd(rest); rest = half(rest)) hash = nodeHash(result.pop() ?? hash, hash);
    result.push(hash);
  }
  return result;
}

/**
 * Returns the root hash of a tree of at least one leaf, from its frontier. Throws RangeError if the frontier is empty
 * or holds a hash that is not 32 bytes.
 */
export function rootFromFrontier(frontier: readonly NodeHash[]): NodeHash {
  requireHashes(frontier);
  const last = frontier.at(-1);
  if (last === undefined) throw new RangeError("an empty tree has no root in this protocol");
  return frontier.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last);
}

/**
 * Returns the root hash of at least one leaf hash. Throws RangeError for an empty list, and for a hash that is not 32
 * bytes.
 */
export function rootFromLeafHashes(leafHashes: readonly NodeHash[]): NodeHash {
  return rootFromFrontier(appendToFrontier(0, [], leafHashes));
}

/**
 * Returns the inclusion path of RFC 9162 section 2.1.3.1 for the leaf at `leafIndex`, the leaf side first. Throws
 * RangeError unless 0 <= leafIndex < leafHashes.length, and for a hash that is not 32 bytes.
 */
export function proveInclusion(leafHashes: readonly NodeHash[], leafIndex: number): NodeHash[] {
  if (!Number.isInteger(leafIndex) || leafIndex < 0 || leafIndex >= leafHashes.length) {
    throw new RangeError(`no leaf ${leafIndex} in a tree of ${leafHashes.length} leaves`);
  }
  requireHashes(leafHashes);
  return pathToRoot(leafHashes, leafIndex);
}

/**
 * Returns the consistency path of RFC 9162 section 2.1.4.1 from the tree of the first `fromSize` leaves to the tree of
 * all; empty for equal sizes. Throws RangeError unless 1 <= fromSize <= leafHashes.length, and for a hash that is not
 * 32 bytes.
 */
export function proveConsistency(leafHashes: readonly NodeHash[], fromSize: number): NodeHash[] {
  if (!Number.isInteger(fromSize) || fromSize < 1 || fromSize > leafHashes.length) {
    throw new RangeError(`no tree of ${fromSize} leaves to extend to ${leafHashes.length}`);
  }
  requireHashes(leafHashes);
  if (fromSize === leafHashes.length) return [];
  // The last perfect subtree of the old tree is a node of the new one, `index` on its level.
  let level = leafHashes;
  let index = fromSize - 1;
  while (isOdd(index)) {
    level = parents(level);
    index = half(index);
  }
  const subtree = level[index];
  const path = pathToRoot(level, index);
  // At index 0 that subtree is the whole old tree, whose root the verifier has.
  return index === 0 || subtree === undefined ? path : [subtree, ...path];
}

/** Returns the siblings on the way from the node at `start` of a level up to the root. */
function pathToRoot(start: readonly NodeHash[], startIndex: number): NodeHash[] {
  const path: NodeHash[] = [];
  let index = startIndex;
  for (let level = start; level.length > 1; level = parents(level)) {
    const sibling = level[isOdd(index) ? index - 1 : index + 1];
    if (sibling !== undefined) path.push(sibling);
    index = half(index);
  }
  return path;
}

/**
 * Returns the next level of the tree. A last node without sibling stands for itself there, which gives the subtrees of
 * RFC 6962.
 */
function parents(level: readonly NodeHash[]): NodeHash[] {
  const result: NodeHash[] = [];
  for (let i = 0; i < level.length; i += 2) {
    const left = level[i];
    const right = level[i + 1];
    if (left !== undefined) result.push(right === undefined ? left : nodeHash(left, right));
  }
  return result;
}

function requireHashes(hashes: readonly NodeHash[]): void {
  if (!hashes.every((hash) => hash.length === 32)) throw new RangeError("a node hash has 32 bytes");
}

function countOnes(size: number): number {
  let ones = 0;
  for (let rest = size; rest > 0; rest = half(rest)) if (isOdd(rest)) ones++;
  return ones;
}

/** Says whether a safe integer is odd. */
export function isOdd(value: number): boolean {
  return value % 2 === 1;
}

/** Returns a safe integer shifted right by one bit. */
export function half(value: number): number {
  return Math.floor(value / 2);
}
