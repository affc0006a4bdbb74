/**
 * The leaves of trees that an object shows: single leaves with their paths, and runs of leaves behind a frontier, from
 * which a path can be made for any tree that ends in them. Two such trees give a divergence.
 */
import { encodeHex, hexToBytes } from "../../encoding/hex.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import type { HashHex } from "../../schema/atoms.ts";
import type { Anchor } from "../anchor/schema.ts";
import type { Checkpoint } from "../checkpoint.ts";
import { type KnownTree, proveWindow } from "../tree-paths.ts";
import { divergenceOf, includes, type ProvenLeaf, type SignedTree } from "./divergence.ts";
import type { Divergence } from "./schema.ts";

/** A leaf that can be proven: its data, and the path, which is made on demand. */
interface ShownLeaf {
  readonly hash: HashHex;
  path(): readonly HashHex[];
}

/** A run of leaves, with the roots of the trees that end in it. */
interface Run extends KnownTree {
  readonly roots: ReadonlyMap<number, HashHex>;
}

/** The leaves that one object shows. */
export class KnownLeaves {
  readonly #kernel: Kernel;
  readonly #single = new Map<string, Map<number, ProvenLeaf>>();
  readonly #runs: Run[] = [];

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** Adds a leaf of a tree with its path. */
  addLeaf(tree: SignedTree, index: number, leaf: ProvenLeaf): void {
    const key = keyOf(tree);
    const known = this.#single.get(key) ?? new Map<number, ProvenLeaf>();
    this.#single.set(key, known.set(index, leaf));
  }

  /** Adds leaves that follow each other behind a frontier. */
  addRun(run: KnownTree): void {
    this.#runs.push({ ...run, roots: rootsOf(this.#kernel, run) });
  }

  /**
   * Adds the windows that a checkpoint lists, if the tree before them is known. Call it in the order of the
   * checkpoints.
   */
  addCheckpoint({ window_count, checkpoint_root, window_roots, frontier }: Checkpoint): void {
    if (this.#runs.some(({ roots }) => roots.get(window_count) === checkpoint_root)) return;
    const priorCount = (window_roots[0]?.window_no ?? 1) - 1;
    const windowHashes = window_roots.map(({ window_hash }) => window_hash);
    const before = this.#runs.findLast((run) => run.priorCount + run.windowHashes.length === priorCount);
    if (before !== undefined) this.addRun({ ...before, windowHashes: [...before.windowHashes, ...windowHashes] });
    else if (frontier !== undefined || priorCount === 0)
      this.addRun({ priorCount, priorFrontier: frontier ?? [], windowHashes });
  }

  /** Adds the checkpoints whose places an anchor shows. */
  addAnchor({ log_size, epoch_root, members }: Anchor): void {
    for (const { leaf_index, checkpoint_hash, inclusion_path } of members)
      this.addLeaf({ size: log_size, root: epoch_root }, leaf_index, { hash: checkpoint_hash, path: inclusion_path });
  }

  /** Returns the indexes of a tree at which this object shows leaf data, ascending. */
  of(tree: SignedTree): Map<number, ShownLeaf> {
    const known = new Map<number, ShownLeaf>();
    for (const run of this.#runs.filter(({ roots }) => roots.get(tree.size) === tree.root).slice(-1)) {
      for (let index = run.priorCount; index < tree.size; index++) {
        const hash = run.windowHashes[index - run.priorCount];
        if (hash === undefined) continue;
        known.set(index, { hash, path: () => proveWindow(this.#kernel, run, index + 1, tree.size) });
      }
    }
    for (const [index, leaf] of this.#single.get(keyOf(tree)) ?? []) {
      if (includes(this.#kernel, tree, index, leaf)) known.set(index, { hash: leaf.hash, path: () => leaf.path });
    }
    return new Map([...known].sort(([a], [b]) => a - b));
  }
}

/** Returns the root of every tree that ends in a known leaf of a run, by size. */
function rootsOf(kernel: Kernel, { priorCount, priorFrontier, windowHashes }: KnownTree): Map<number, HashHex> {
  const roots = new Map<number, HashHex>();
  let frontier = priorFrontier.map(hexToBytes);
  windowHashes.forEach((hash, index) => {
    frontier = kernel.appendToFrontier(priorCount + index, frontier, [kernel.leafHash(hexToBytes(hash))]);
    roots.set(priorCount + index + 1, encodeHex(kernel.rootFromFrontier(frontier)) as HashHex);
  });
  return roots;
}

/**
 * Returns the first index at which two trees are shown to hold different leaf data, as a divergence; null if none is
 * shown.
 */
export function firstDivergence(
  left: { readonly leaves: KnownLeaves; readonly tree: SignedTree },
  right: { readonly leaves: KnownLeaves; readonly tree: SignedTree },
): Divergence | null {
  const there = right.leaves.of(right.tree);
  for (const [index, one] of left.leaves.of(left.tree)) {
    const other = there.get(index);
    if (other === undefined || one.hash === other.hash) continue;
    return divergenceOf(index, { ...one, path: one.path() }, { ...other, path: other.path() });
  }
  return null;
}

function keyOf({ size, root }: SignedTree): string {
  return `${size} ${root}`;
}
