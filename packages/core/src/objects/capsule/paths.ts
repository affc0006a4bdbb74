/** Checks paths in the tree of a capsule (protocol sections 19, 20 and 28). */
import { concatBytes } from "../../encoding/bytes.ts";
import { encodeHex, hexToBytes } from "../../encoding/hex.ts";
import type { Kernel, NodeHash } from "../../kernel/kernel.ts";
import type { HashHex } from "../../schema/atoms.ts";
import type { ListedCommitments } from "./capsule.ts";
import { type CapsuleSize, LISTED_NAMES } from "./slot.ts";

/** The members of an envelope's content that lead to its capsule. */
export interface ListedTree {
  readonly commitments: ListedCommitments;
  readonly capsuleSize: CapsuleSize;
  readonly capsulePath: readonly HashHex[];
}

/**
 * Returns the root to which the listed commitments of each tree lead; null for a path of another length than its size
 * demands. All trees are hashed together, level by level.
 */
export function rootsOf(kernel: Kernel, trees: readonly ListedTree[]): (HashHex | null)[] {
  const { length } = LISTED_NAMES;
  const fits = trees.map(({ capsuleSize, capsulePath }) => length * 2 ** capsulePath.length === capsuleSize);
  const listed = trees.flatMap(({ commitments }) => LISTED_NAMES.map((name) => hexToBytes(commitments[name])));
  let roots = kernel.leafHashes(listed);
  while (roots.length > trees.length) roots = kernel.nodeHashes(pairsOf(roots));
  // The listed fields are the first leaves, so each step has the rest of the tree on its right.
  for (let step = 0; ; step++) {
    const open = trees.flatMap(({ capsulePath }, index) => {
      const right = fits[index] === true ? capsulePath[step] : undefined;
      return right === undefined ? [] : [{ index, right }];
    });
    if (open.length === 0) break;
    const children = open.flatMap(({ index, right }) => [roots[index] ?? NONE, hexToBytes(right)]);
    const hashes = kernel.nodeHashes(pairsOf(children));
    for (const [at, { index }] of open.entries()) roots[index] = hashes[at] as NodeHash;
  }
  return trees.map((_, index) => (fits[index] === true ? (encodeHex(roots[index] ?? NONE) as HashHex) : null));
}

/** Returns neighbours, two in one. */
function pairsOf(hashes: readonly NodeHash[]): Uint8Array[] {
  const joined = concatBytes(hashes);
  return Array.from({ length: hashes.length / 2 }, (_, at) => joined.subarray(64 * at, 64 * at + 64));
}

const NONE = new Uint8Array();

/** Says whether a commitment is the leaf at an index under a root. */
export function isLeafAt(
  kernel: Kernel,
  commitment: HashHex,
  index: number,
  { capsuleSize, capsuleRoot, path }: { capsuleSize: CapsuleSize; capsuleRoot: HashHex; path: readonly HashHex[] },
): boolean {
  const leaf = kernel.leafHash(hexToBytes(commitment));
  return kernel.verifyInclusion(leaf, index, capsuleSize, path.map(hexToBytes), hexToBytes(capsuleRoot));
}
