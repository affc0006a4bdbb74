/**
 * RFC 6962 section 2.1 and RFC 9162 section 2.1, transcribed as they define trees and paths, recursively and slowly, on
 * node:crypto: the yardstick of the differential tests. It checks no input.
 */

import { createHash } from "node:crypto";

function hash(...parts: readonly Uint8Array[]): Uint8Array {
  const state = createHash("sha256");
  for (const part of parts) state.update(part);
  return new Uint8Array(state.digest());
}

/** SHA-256(0x00 || data). */
export function leafHash(data: Uint8Array): Uint8Array {
  return hash(Uint8Array.of(0), data);
}

/** SHA-256(0x01 || left || right). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return hash(Uint8Array.of(1), left, right);
}

/** Returns the largest power of two smaller than n, for n > 1. */
export function split(n: bigint): bigint {
  let k = 1n;
  while (k * 2n < n) k *= 2n;
  return k;
}

/** MTH(D_n) over leaf hashes, n > 0. */
export function mth(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 1) return at(leaves, 0);
  const k = Number(split(BigInt(leaves.length)));
  return nodeHash(mth(leaves.slice(0, k)), mth(leaves.slice(k)));
}

/** PATH(m, D_n) over leaf hashes. */
export function path(m: number, leaves: readonly Uint8Array[]): Uint8Array[] {
  if (leaves.length === 1) return [];
  const k = Number(split(BigInt(leaves.length)));
  return m < k
    ? [...path(m, leaves.slice(0, k)), mth(leaves.slice(k))]
    : [...path(m - k, leaves.slice(k)), mth(leaves.slice(0, k))];
}

/** PROOF(m, D_n) over leaf hashes, 0 < m <= n. */
export function proof(m: number, leaves: readonly Uint8Array[]): Uint8Array[] {
  return subproof(m, leaves, true);
}

function subproof(m: number, leaves: readonly Uint8Array[], b: boolean): Uint8Array[] {
  if (m === leaves.length) return b ? [] : [mth(leaves)];
  const k = Number(split(BigInt(leaves.length)));
  return m <= k
    ? [...subproof(m, leaves.slice(0, k), b), mth(leaves.slice(k))]
    : [...subproof(m - k, leaves.slice(k), false), mth(leaves.slice(0, k))];
}

/** Returns perfect subtrees, the largest first: one for each bit set in the number of leaves (protocol section 1). */
export function frontier(leaves: readonly Uint8Array[]): Uint8Array[] {
  if (leaves.length === 0) return [];
  const k = 2 ** Math.floor(Math.log2(leaves.length));
  return [mth(leaves.slice(0, k)), ...frontier(leaves.slice(k))];
}

/** Returns the length of PATH(m, D_n), for sizes whose trees cannot be built here. */
export function pathLength(m: bigint, n: bigint): number {
  if (n === 1n) return 0;
  const k = split(n);
  return 1 + (m < k ? pathLength(m, k) : pathLength(m - k, n - k));
}

/** Returns the root that a path of the right length gives its leaf: the definition of PATH read backwards. */
export function rootFromPath(leaf: Uint8Array, m: bigint, n: bigint, siblings: readonly Uint8Array[]): Uint8Array {
  if (n === 1n) return leaf;
  const k = split(n);
  const sibling = at(siblings, siblings.length - 1);
  const rest = siblings.slice(0, -1);
  return m < k
    ? nodeHash(rootFromPath(leaf, m, k, rest), sibling)
    : nodeHash(sibling, rootFromPath(leaf, m - k, n - k, rest));
}

/** Returns the length of PROOF(m, D_n). */
export function proofLength(m: bigint, n: bigint, b = true): number {
  if (m === n) return b ? 0 : 1;
  const k = split(n);
  return 1 + (m <= k ? proofLength(m, k, b) : proofLength(m - k, n - k, false));
}

/**
 * Returns both roots that a proof of the right length implies: the definition of PROOF read backwards. `old` is used if
 * m = n.
 */
export function rootsFromProof(
  m: bigint,
  n: bigint,
  nodes: readonly Uint8Array[],
  old: Uint8Array,
  b = true,
): [Uint8Array, Uint8Array] {
  if (m === n) return b ? [old, old] : [at(nodes, 0), at(nodes, 0)];
  const k = split(n);
  const node = at(nodes, nodes.length - 1);
  const rest = nodes.slice(0, -1);
  if (m <= k) {
    const [before, after] = rootsFromProof(m, k, rest, old, b);
    return [before, nodeHash(after, node)];
  }
  const [before, after] = rootsFromProof(m - k, n - k, rest, old, false);
  return [nodeHash(node, before), nodeHash(node, after)];
}

function at(hashes: readonly Uint8Array[], index: number): Uint8Array {
  const found = hashes[index];
  if (found === undefined) throw new RangeError(`no hash ${index} of ${hashes.length}`);
  return found;
}
