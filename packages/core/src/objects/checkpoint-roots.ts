/**
 * Recomputes the roots of a checkpoint's tree from the checkpoint itself (protocol sections 1 and 9): from its listed
 * windows and the frontier before them, if that is known.
 */
import { encodeHex, hexToBytes } from "../encoding/hex.ts";
import type { Kernel, NodeHash } from "../kernel/kernel.ts";
import type { Examination } from "../report/examination.ts";
import type { ShapeFault } from "../report/shape.ts";
import type { HashHex } from "../schema/atoms.ts";

/** The members of a checkpoint that its roots depend on. */
export interface RootedCheckpoint {
  readonly checkpoint_no: number;
  readonly window_count: number;
  readonly checkpoint_root: HashHex;
  readonly window_roots: readonly { readonly window_no: number; readonly window_hash: HashHex }[];
  readonly frontier?: readonly HashHex[];
}

/**
 * Returns a checkpoint with the frontier before its listed windows, so that a verifier can recompute its root (protocol
 * section 9). `frontier`: one 32-byte hash for each bit that is set in the number of windows before, the largest
 * subtree first. Throws RangeError for another number of hashes. It does not check that they are the right ones:
 * `verify` does.
 *
 * @example
 * console.log(showFrontier(checkpoint, []).frontier); // []
 */
export function showFrontier<Shown extends RootedCheckpoint>(checkpoint: Shown, frontier: readonly NodeHash[]): Shown {
  const length = frontierLength((checkpoint.window_roots[0]?.window_no ?? 1) - 1);
  if (frontier.length !== length)
    throw new RangeError(
      `the frontier before checkpoint ${checkpoint.checkpoint_no} has ${length} hashes, and ${frontier.length} ` +
        `were given`,
    );
  return { ...checkpoint, frontier: frontier.map(encodeHex) };
}

/** Returns the fault of form of a frontier that has not the length of its tree. `path`: that of the pair. */
export function frontierFaults(
  { window_count, frontier }: { readonly window_count: number; readonly frontier: readonly HashHex[] },
  path: string,
): ShapeFault[] {
  const length = frontierLength(window_count);
  if (frontier.length === length) return [];
  const message = `The frontier of ${window_count} windows has ${length} hashes, and ${frontier.length} are there.`;
  return [{ path: `${path}/frontier`, message }];
}

/** Returns the number of hashes in the frontier of a tree: one for each bit that is set in its size. */
export function frontierLength(size: number): number {
  let length = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) length += rest % 2;
  return length;
}

/** Recomputes the root from the frontier and the listed windows, if the frontier before them is known. */
export function examineRoot(exam: Examination, checkpoint: RootedCheckpoint, path: string): void {
  const roots = recomputedRoots(exam.kernel, checkpoint);
  if (roots === null) {
    exam.notChecked("checkpoint_root", "the root cannot be recomputed without the frontier before the listed windows");
    return;
  }
  const actual = roots.get(checkpoint.window_count) ?? "";
  exam.expectEqual("checkpoint_root", "checkpoint_root_mismatch", checkpoint.checkpoint_root, actual, {
    path: `${path}/checkpoint_root`,
    message: `The listed windows do not give the root of checkpoint ${checkpoint.checkpoint_no}.`,
    count: false,
  });
}

/**
 * Returns the roots of a checkpoint's tree by size, for each size from before its listed windows to after them; null if
 * the frontier before them is not known. Size 0 has no root.
 */
export function recomputedRoots(kernel: Kernel, checkpoint: RootedCheckpoint): Map<number, HashHex> | null {
  const before = (checkpoint.window_roots[0]?.window_no ?? 1) - 1;
  const shown = checkpoint.frontier ?? (before === 0 ? [] : null);
  if (shown === null) return null;
  let frontier = shown.map(hexToBytes);
  const roots = new Map<number, HashHex>();
  if (before > 0) roots.set(before, encodeHex(kernel.rootFromFrontier(frontier)) as HashHex);
  checkpoint.window_roots.forEach((window, index) => {
    frontier = kernel.appendToFrontier(before + index, frontier, [kernel.leafHash(hexToBytes(window.window_hash))]);
    roots.set(before + index + 1, encodeHex(kernel.rootFromFrontier(frontier)) as HashHex);
  });
  return roots;
}
