/** Whether a checkpoint extends what was cosigned last (c2sp.org/tlog-witness). Signatures are checked before. */
import { encodeHex, hexToBytes, type Kernel } from "@svc/core";
import type { AddCheckpoint } from "./parse-request.ts";

/** A tree that was cosigned. */
export interface CosignedTree {
  readonly treeSize: number;
  /** 64 lowercase hex characters. */
  readonly rootHash: string;
}

/**
 * `extends`: it may be cosigned. `stale`: the old size is not the one that is recorded. `contradicts`: it has another
 * root at the recorded size. `unproven`: its consistency proof does not hold.
 */
export type Judgement = "extends" | "stale" | "contradicts" | "unproven";

/** Returns the judgement on a checkpoint. `last`: null if nothing was cosigned, which is the empty tree. */
export function judge(
  kernel: Kernel,
  last: CosignedTree | null,
  { oldSize, proof, tree }: Pick<AddCheckpoint, "oldSize" | "proof" | "tree">,
): Judgement {
  const size = last?.treeSize ?? 0;
  const root = size === 0 ? emptyRoot(kernel) : (last?.rootHash ?? "");
  if (oldSize !== size) return "stale";
  if (tree.treeSize === size) {
    if (proof.length > 0) return "unproven";
    return encodeHex(tree.rootHash) === root ? "extends" : "contradicts";
  }
  if (size === 0) return proof.length === 0 ? "extends" : "unproven";
  const holds = kernel.verifyConsistency(size, hexToBytes(root), tree.treeSize, tree.rootHash, proof);
  return holds ? "extends" : "unproven";
}

/** Returns the root hash of the empty tree (RFC 6962 section 2.1), in hex. */
function emptyRoot(kernel: Kernel): string {
  return encodeHex(kernel.sha256(new Uint8Array()));
}
