/**
 * Checkpoints that the verifier already knows (protocol section 16): a saved head exposes a service that rewrote its
 * history. If the object itself cannot be linked to one, consistency evidence must link it. An object that is older
 * than one may be part of the same history: another known checkpoint or a link shows it.
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
  /** The hashes of the windows that it holds, by number, if it holds some. */
  readonly windows?: ReadonlyMap<number, HashHex>;
}

/** Checks a tree against the known checkpoints of its stream. `links`: consistency evidence that holds. */
export function examineKnownCheckpoints(exam: Examination, tree: ShownTree, links: readonly Consistency[]): void {
  const check = "known_checkpoint";
  const known = [...(exam.trust.known_checkpoints ?? []).entries()].filter(
    ([, one]) => one.stream_id === tree.streamId,
  );
  if (known.length === 0) {
    exam.notChecked(check, "you know no checkpoint of this stream, so a rewritten past would not be noticed");
    return;
  }
  const linked = linkedRoots(tree, links);
  const newest = { window_count: tree.newestSize, checkpoint_root: tree.roots.get(tree.newestSize) };
  const isKnown = known.some(([, one]) => isSame(one, newest));
  const later = isKnown ? [] : laterHeads(tree, links);
  let largest = 0;
  for (const [index, { window_count, checkpoint_root }] of known) {
    exam.looked(check);
    const path = `trust:/known_checkpoints/${index}`;
    if (window_count > tree.newestSize) {
      if (isKnown || later.some((head) => isSame(head, { window_count, checkpoint_root })))
        largest = Math.max(largest, window_count);
      else {
        const message =
          `You know a checkpoint over ${window_count} windows. The newest one here covers ${tree.newestSize}, and ` +
          `nothing here shows that it is part of that one.`;
        exam.distrust({ code: "known_checkpoint_newer", path, message }, path, check);
      }
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
  if (largest > 0) exam.found(check, `older than the checkpoint over ${largest} windows that you know, and part of it`);
}

/** A size of a tree, and the root at it. */
interface Head {
  readonly window_count: number;
  readonly checkpoint_root: HashHex | undefined;
}

function isSame(left: Head, right: Head): boolean {
  return left.window_count === right.window_count && left.checkpoint_root === right.checkpoint_root;
}

/** Follows consistency evidence forwards from the newest root of the object: what it leads to extends the object. */
function laterHeads(tree: ShownTree, links: readonly Consistency[]): Head[] {
  const heads: Head[] = [{ window_count: tree.newestSize, checkpoint_root: tree.roots.get(tree.newestSize) }];
  let open = links.filter((link) => link.stream_id === tree.streamId);
  for (let grown = true; grown; ) {
    const usable = open.filter(({ from_checkpoint }) => heads.some((head) => isSame(head, from_checkpoint)));
    grown = usable.length > 0;
    for (const { to_checkpoint } of usable) heads.push(to_checkpoint);
    open = open.filter((link) => !usable.includes(link));
  }
  return heads;
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
