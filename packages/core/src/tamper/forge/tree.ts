/** An RFC 6962 tree in which some leaves are given and the others made up, so that paths and roots fit each other. */
import { encodeHex } from "../../encoding/hex.ts";
import type { Kernel, NodeHash } from "../../kernel/kernel.ts";
import type { HashHex } from "../../schema/atoms.ts";

/** Larger trees are not made up: every mutant would cost their size. */
const MAX_LEAVES = 4096;

export class ForgedTree {
  readonly #kernel: Kernel;
  readonly #leaves: readonly NodeHash[];

  /** Returns the tree of this size with these leaf hashes at these indexes; null for no leaves and for too many. */
  static of(kernel: Kernel, size: number, known: ReadonlyMap<number, NodeHash>): ForgedTree | null {
    return size < 1 || size > MAX_LEAVES ? null : new ForgedTree(kernel, size, known);
  }

  private constructor(kernel: Kernel, size: number, known: ReadonlyMap<number, NodeHash>) {
    this.#kernel = kernel;
    const filler = kernel.leafHash(new Uint8Array());
    this.#leaves = Array.from({ length: size }, (_, index) => known.get(index) ?? filler);
  }

  /** Returns the root of the first `size` leaves; by default of all. */
  root(size = this.#leaves.length): HashHex {
    return encodeHex(this.#kernel.rootFromLeafHashes(this.#leaves.slice(0, size))) as HashHex;
  }

  /** Returns the inclusion path of a leaf; empty for one outside the tree. */
  path(index: number): HashHex[] {
    return index < this.#leaves.length ? this.#kernel.proveInclusion(this.#leaves, index).map(toHex) : [];
  }

  /** Returns the frontier of the first `size` leaves. */
  frontier(size: number): HashHex[] {
    return this.#kernel.appendToFrontier(0, [], this.#leaves.slice(0, size)).map(toHex);
  }

  /** Returns the consistency path from the first `size` leaves to all; empty for a size that has none. */
  consistency(size: number): HashHex[] {
    return size >= 1 && size <= this.#leaves.length ? this.#kernel.proveConsistency(this.#leaves, size).map(toHex) : [];
  }
}

function toHex(hash: NodeHash): HashHex {
  return encodeHex(hash) as HashHex;
}
