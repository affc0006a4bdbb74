/**
 * The sum over the last trees of all origins, and over the trees that were disowned: it binds each origin to the size
 * and root that were signed last, and to those of which no other root may ever be signed, so that a row that is lost,
 * added or changed is noticed. It is a sum modulo 2^256 of keyed hashes, one for each tree, so a cosignature changes it
 * without reading the others. One who can write the database, and has not the key, can neither compute a hash nor seal
 * another state.
 */
import type { Reader } from "@svc/host/store";
import type { MemoryHash } from "../keys/key-file.ts";
import type { SignedPoint } from "../keys/mark-store.ts";
import { lastTrees, type SealedRow, type SeenTree } from "./checkpoints-store.ts";
import { disownedTrees } from "./disowned-store.ts";
import type { CosignedTree } from "./judge.ts";

const MODULUS = 2n ** 256n;
const PORTION = 1000;

/** The sum of no trees: 64 lowercase hex characters, as every sum. */
export const NO_TREES = "0".repeat(64);

/** Returns a sum after the last tree of an origin was replaced; null for none. */
export function sumAfter(
  hash: MemoryHash,
  sum: string,
  origin: string,
  { from, to }: { readonly from: CosignedTree | null; readonly to: CosignedTree | null },
): string {
  return moved(sum, hashOf(hash, "tree", origin, to) - hashOf(hash, "tree", origin, from));
}

/** Returns a sum after trees were disowned. */
export function sumWithDisowned(hash: MemoryHash, sum: string, trees: readonly SeenTree[]): string {
  return moved(
    sum,
    trees.reduce((added, tree) => added + hashOf(hash, "disowned", tree.origin, tree), 0n),
  );
}

function moved(sum: string, by: bigint): string {
  const value = BigInt(`0x${sum}`) + by;
  return (((value % MODULUS) + MODULUS) % MODULUS).toString(16).padStart(64, "0");
}

/** Resolves to the sum of all last trees and all disowned ones that are stored. */
export async function sumOfTrees(hash: MemoryHash, reader: Reader): Promise<string> {
  let sum = sumWithDisowned(hash, NO_TREES, await disownedTrees(reader));
  for (let after = ""; ; ) {
    const rows = await lastTrees(reader, after, PORTION);
    for (const { origin, tree_size, root_hash } of rows)
      sum = sumAfter(hash, sum, origin, { from: null, to: { treeSize: tree_size, rootHash: root_hash } });
    after = rows.at(-1)?.origin ?? after;
    if (rows.length < PORTION) return sum;
  }
}

/** Returns the seal on how far a witness has signed. */
export function sealOf(hash: MemoryHash, vkey: string, { signedNo, signedHead, treeSum }: SignedPoint): string {
  return hash.hash("state", `${vkey}\n${signedNo}\n${signedHead}\n${treeSum}\n`);
}

/** Resolves to whether the last trees are those that the witness has signed last. */
export async function isWhole(hash: MemoryHash, reader: Reader, row: SealedRow): Promise<boolean> {
  const { vkey, signed_no: signedNo, signed_head: signedHead, tree_sum: treeSum, seal } = row;
  if (seal !== sealOf(hash, vkey, { signedNo, signedHead, treeSum })) return false;
  return (await sumOfTrees(hash, reader)) === treeSum;
}

function hashOf(hash: MemoryHash, what: "tree" | "disowned", origin: string, tree: CosignedTree | null): bigint {
  return tree === null ? 0n : BigInt(`0x${hash.hash(what, `${origin}\n${tree.treeSize}\n${tree.rootHash}\n`)}`);
}
