/**
 * Checks inclusion and consistency proofs of RFC 6962 trees by RFC 9162 sections 2.1.3.2 and 2.1.4.2, step by step as
 * written there. It does NOT say which leaf data or which checkpoint a hash stands for. Sizes go up to 2^53-1, so no
 * 32-bit operators touch them.
 */

import { areEqual } from "../../encoding/bytes.ts";
import type { NodeHash } from "../kernel.ts";
import { half, isOdd, nodeHash } from "./merkle.ts";

/**
 * Checks an inclusion proof by RFC 9162 section 2.1.3.2. Returns false also for an index outside the tree, a size or
 * index that is no integer of 0 .. 2^53-1, a path of another length than index and size demand, and a hash that is not
 * 32 bytes.
 */
export function verifyInclusion(
  leafHash: NodeHash,
  leafIndex: number,
  treeSize: number,
  path: readonly NodeHash[],
  root: NodeHash,
): boolean {
  if (!isSize(leafIndex) || !isSize(treeSize) || leafIndex >= treeSize) return false;
  if (!areHashes([leafHash, root]) || !areHashes(path)) return false;
  let fn = leafIndex;
  let sn = treeSize - 1;
  let r = leafHash;
  for (const p of path) {
    if (sn === 0) return false;
    if (isOdd(fn) || fn === sn) {
      r = nodeHash(p, r);
      while (!isOdd(fn) && fn !== 0) {
        fn = half(fn);
        sn = half(sn);
      }
    } else {
      r = nodeHash(r, p);
    }
    fn = half(fn);
    sn = half(sn);
  }
  return sn === 0 && areEqual(r, root);
}

/**
 * Checks a consistency proof by RFC 9162 section 2.1.4.2. Returns false also for `fromSize` 0 or above `toSize`, a size
 * that is no integer of 0 .. 2^53-1, a path of another length than the sizes demand, and a hash that is not 32 bytes.
 * Equal sizes need equal roots and an empty path.
 */
export function verifyConsistency(
  fromSize: number,
  fromRoot: NodeHash,
  toSize: number,
  toRoot: NodeHash,
  path: readonly NodeHash[],
): boolean {
  if (!isSize(fromSize) || !isSize(toSize) || fromSize === 0 || fromSize > toSize) return false;
  if (!areHashes([fromRoot, toRoot]) || !areHashes(path)) return false;
  if (fromSize === toSize) return path.length === 0 && areEqual(fromRoot, toRoot);
  if (path.length === 0) return false;
  const [first, ...rest] = isPowerOfTwo(fromSize) ? [fromRoot, ...path] : path;
  if (first === undefined) return false;
  let fn = fromSize - 1;
  let sn = toSize - 1;
  while (isOdd(fn)) {
    fn = half(fn);
    sn = half(sn);
  }
  let fr = first;
  let sr = first;
  for (const c of rest) {
    if (sn === 0) return false;
    if (isOdd(fn) || fn === sn) {
      fr = nodeHash(c, fr);
      sr = nodeHash(c, sr);
      while (!isOdd(fn) && fn !== 0) {
        fn = half(fn);
        sn = half(sn);
      }
    } else {
      sr = nodeHash(sr, c);
    }
    fn = half(fn);
    sn = half(sn);
  }
  return sn === 0 && areEqual(fr, fromRoot) && areEqual(sr, toRoot);
}

function isSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** Hashes of other lengths would let bytes move between the two halves of a node without changing its hash. */
function areHashes(hashes: readonly NodeHash[]): boolean {
  return hashes.every((hash) => hash.length === 32);
}

function isPowerOfTwo(value: number): boolean {
  let rest = value;
  while (!isOdd(rest)) rest = half(rest);
  return rest === 1;
}
