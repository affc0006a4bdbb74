/**
 * Checkpoints that the verifier already knows (protocol section 16): a saved head exposes a service that rewrote its
 * history, or an exporter that sends an old state. If the object itself cannot be linked to one, consistency evidence
 * must link it.
 */
import { KEEP_BOTH_HISTORIES } from "../own-actions.ts";
import type { Examination } from "../report/examination.ts";
import type { HashHex } from "../schema/atoms.ts";
import type { Consistency } from "./consistency.ts";

/** The checkpoint tree that an object shows. */
export interface ShownTree {
  readonly streamId: string;
  /** The roots that the object itself establishes, by size. */
  readonly roots: ReadonlyMap<number, HashHex>;
  /** The size of its newest checkpoint. */
  readonly newestSize: number;
}

/** Checks a tree against the known checkpoints of its stream. `links`: consistency evidence that holds. */
export function examineKnownCheckpoints(exam: Examination, tree: ShownTree, links: readonly Consistency[]): void {
  const check = "known_checkpoint";
  const known = [...(exam.trust.known_checkpoints ?? []).entries()].filter(
    ([, one]) => one.stream_id === tree.streamId,
  );
  if (known.length === 0) {
    exam.leaveOut(check, "you know no checkpoint of this stream, so a rewritten past would not be noticed");
    return;
  }
  const linked = linkedRoots(tree, links);
  for (const [index, { window_count, checkpoint_root }] of known) {
    exam.looked(check);
    const path = `trust:/known_checkpoints/${index}`;
    if (window_count > tree.newestSize) {
      exam.reject(check, {
        code: "checkpoint_stale",
        path,
        message: `You know a checkpoint over ${window_count} windows; the newest one here covers ${tree.newestSize}.`,
        expected: `${window_count}`,
        actual: `${tree.newestSize}`,
      });
      continue;
    }
    const shown = tree.roots.get(window_count);
    if (shown !== undefined) {
      exam.expect(check, shown === checkpoint_root, {
        code: "fork_detected",
        path,
        message: `You know another root over the first ${window_count} windows: both cannot be of one history.`,
        expected: checkpoint_root,
        actual: shown,
        ownAction: KEEP_BOTH_HISTORIES,
      });
      continue;
    }
    exam.expect(check, linked.get(window_count) === checkpoint_root, {
      code: "known_checkpoint_unlinked",
      path,
      message: `Nothing here links the checkpoint over ${window_count} windows that you know to this object.`,
    });
  }
}

/**
 * Follows consistency evidence backwards from the roots that the object establishes: evidence that leads to one of them
 * establishes another root.
 */
function linkedRoots(tree: ShownTree, links: readonly Consistency[]): Map<number, HashHex> {
  const roots = new Map(tree.roots);
  let open = links.filter((link) => link.stream_id === tree.streamId);
  for (let grown = true; grown; ) {
    const usable = open.filter(({ to_checkpoint: to }) => roots.get(to.window_count) === to.checkpoint_root);
    grown = usable.length > 0;
    // A tree has one root at each size, so no link can give a known size another root.
    for (const { from_checkpoint: from } of usable) roots.set(from.window_count, from.checkpoint_root);
    open = open.filter((link) => !usable.includes(link));
  }
  return roots;
}
