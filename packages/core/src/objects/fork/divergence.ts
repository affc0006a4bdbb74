/**
 * Divergence proofs (protocol section 11): two trees hold different leaf data at one index, so neither extends the
 * other. A proof is short for trees of any size, and needs no third party to say what lies between them.
 */
import { hexToBytes } from "../../encoding/hex.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import type { HashHex } from "../../schema/atoms.ts";
import type { Divergence } from "./schema.ts";

/** A tree that somebody signed. */
export interface SignedTree {
  readonly size: number;
  readonly root: HashHex;
}

/** One leaf of a tree: its data, and the path from there to the root. */
export interface ProvenLeaf {
  readonly hash: HashHex;
  readonly path: readonly HashHex[];
}

/** Returns in words why a divergence shows nothing of two trees; null if it holds. */
export function divergenceFault(
  kernel: Kernel,
  divergence: Divergence,
  left: SignedTree,
  right: SignedTree,
): string | null {
  const { index, left_hash, left_path, right_hash, right_path } = divergence;
  if (index >= Math.min(left.size, right.size)) return "the divergence is outside the smaller tree";
  if (left_hash === right_hash) return "the divergence shows the same leaf on both sides";
  if (!includes(kernel, left, index, { hash: left_hash, path: left_path }))
    return "the left path of the divergence does not lead to the left root";
  if (!includes(kernel, right, index, { hash: right_hash, path: right_path }))
    return "the right path of the divergence does not lead to the right root";
  return null;
}

/** Says whether a leaf is in a tree at an index. */
export function includes(kernel: Kernel, tree: SignedTree, index: number, { hash, path }: ProvenLeaf): boolean {
  const leaf = kernel.leafHash(hexToBytes(hash));
  return kernel.verifyInclusion(leaf, index, tree.size, path.map(hexToBytes), hexToBytes(tree.root));
}

/** Makes a divergence of two leaves at one index. It does not check that they are in any tree. */
export function divergenceOf(index: number, left: ProvenLeaf, right: ProvenLeaf): Divergence {
  return {
    index,
    left_hash: left.hash,
    left_path: [...left.path],
    right_hash: right.hash,
    right_path: [...right.path],
  };
}
