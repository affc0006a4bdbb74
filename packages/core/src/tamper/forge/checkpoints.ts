/** Hashes, seals and notes checkpoints again (protocol section 9). */
import { encodeHex, hexToBytes } from "../../encoding/hex.ts";
import type { NodeHash } from "../../kernel/kernel.ts";
import { type Checkpoint, checkpointBody, type ListedWindow } from "../../objects/checkpoint.ts";
import { frontierLength, recomputedRoots } from "../../objects/checkpoint-roots.ts";
import { headHash } from "../../objects/receipt.ts";
import { type Window, windowHash } from "../../objects/window.ts";
import type { HashHex } from "../../schema/atoms.ts";
import { type Forger, noteAgain, sealAgain } from "./forger.ts";

/**
 * Returns a checkpoint that stands alone: its root from its own listed windows if they give it, its head from its own
 * event hash.
 */
export function standaloneCheckpointAgain(forger: Forger, checkpoint: Checkpoint): Checkpoint {
  const { kernel } = forger;
  const before = (checkpoint.window_roots[0]?.window_no ?? 1) - 1;
  const { frontier = [], stream_id, to_seq_no, latest_event_hash } = checkpoint;
  const roots = frontier.length === frontierLength(before) ? recomputedRoots(kernel, checkpoint) : null;
  return checkpointAgain(forger, {
    ...checkpoint,
    checkpoint_root: roots?.get(checkpoint.window_count) ?? checkpoint.checkpoint_root,
    stream_head_hash: headHash(kernel, stream_id, to_seq_no, latest_event_hash),
  });
}

/** Returns a checkpoint with its present members, sealed and noted again. */
export function checkpointAgain(forger: Forger, checkpoint: Checkpoint): Checkpoint {
  const { origin, window_count, checkpoint_root } = checkpoint;
  return {
    ...checkpoint,
    seal: sealAgain(forger, "checkpoint", checkpointBody(checkpoint), checkpoint.seal),
    note: noteAgain(forger, { origin, size: window_count, rootHash: checkpoint_root }, checkpoint.note),
  };
}

/** Returns a checkpoint whose last window is this one. */
export function endingWith(checkpoint: Checkpoint, last: Window, latest: HashHex | undefined): Checkpoint {
  const { to_seq_no, stream_head_hash, policy_digest, witness_policy_digest } = last;
  const latest_event_hash = latest ?? checkpoint.latest_event_hash;
  return { ...checkpoint, to_seq_no, stream_head_hash, policy_digest, witness_policy_digest, latest_event_hash };
}

/** Returns a window in the form in which a checkpoint lists it. */
export function listingOf({ kernel }: Forger, window: Window): ListedWindow {
  const { window_no, window_root, from_seq_no, to_seq_no } = window;
  return { window_no, window_hash: windowHash(kernel, window), window_root, from_seq_no, to_seq_no };
}

/** Returns the leaf of the checkpoint tree for a window hash. */
export function leafOf({ kernel }: Forger, hash: HashHex): NodeHash {
  return kernel.leafHash(hexToBytes(hash));
}

/** A checkpoint tree at one size. */
export interface TreeState {
  /** Null for a tree without leaves. */
  readonly root: HashHex | null;
  readonly frontier: readonly HashHex[];
}

/**
 * Returns the tree with these windows after a frontier, at each size from before them on; empty if the frontier has
 * another size.
 */
export function treesAfter(
  forger: Forger,
  prior: { readonly window_count: number; readonly frontier: readonly HashHex[] },
  windows: readonly Window[],
): Map<number, TreeState> {
  const { kernel } = forger;
  const trees = new Map<number, TreeState>();
  if (prior.frontier.length !== frontierLength(prior.window_count)) return trees;
  let frontier = prior.frontier.map(hexToBytes);
  const note = (size: number) => {
    const root = size === 0 ? null : (encodeHex(kernel.rootFromFrontier(frontier)) as HashHex);
    trees.set(size, { root, frontier: frontier.map((hash) => encodeHex(hash) as HashHex) });
  };
  note(prior.window_count);
  windows.forEach((window, index) => {
    const size = prior.window_count + index;
    frontier = kernel.appendToFrontier(size, frontier, [leafOf(forger, windowHash(kernel, window))]);
    note(size + 1);
  });
  return trees;
}
