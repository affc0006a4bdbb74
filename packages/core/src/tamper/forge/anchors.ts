/** Hashes, seals and notes anchors again (protocol section 12). */
import { anchorBody, epochHash } from "../../objects/anchor/epoch.ts";
import type { Anchor } from "../../objects/anchor/schema.ts";
import { type Checkpoint, checkpointHash } from "../../objects/checkpoint.ts";
import { leafOf } from "./checkpoints.ts";
import { type Forger, noteAgain, sealAgain } from "./forger.ts";
import { ForgedTree } from "./tree.ts";

/**
 * Returns an anchor in the place of the good one. If its members or its size differ, a log is made up around them. The
 * chain holds the old epoch: a stranger says of another one that it is only published.
 */
export function anchorAgain(forger: Forger, good: Anchor, edited: Anchor): Anchor {
  const logged = sameLog(good, edited) ? edited : withLog(forger, edited);
  return sealedAnchor(forger, good, logged);
}

/** Does the same if the root of the log is already known. */
export function sealedAnchor(forger: Forger, good: Anchor, edited: Anchor): Anchor {
  const { kernel, signs } = forger;
  const isOther = epochHash(kernel, good) !== epochHash(kernel, edited);
  const unsealed: Anchor =
    signs && isOther
      ? {
          ...edited,
          network: null,
          contract: null,
          tx_hash: null,
          block_number: null,
          block_hash: null,
          evidence: null,
        }
      : edited;
  const { origin, log_size, epoch_root } = unsealed;
  return {
    ...unsealed,
    seal: sealAgain(forger, "anchor", anchorBody(unsealed), edited.seal),
    note: noteAgain(forger, { origin, size: log_size, rootHash: epoch_root }, edited.note),
  };
}

/**
 * Returns an anchor whose members name the present checkpoints, each in the place of the good one at the same index.
 */
export function coveringAgain(
  forger: Forger,
  good: Anchor,
  edited: Anchor,
  before: readonly Checkpoint[],
  now: readonly Checkpoint[],
): Anchor {
  const { kernel } = forger;
  const hashes = before.map((checkpoint) => checkpointHash(kernel, checkpoint));
  const members = edited.members.map((member) => {
    const checkpoint = now[hashes.indexOf(member.checkpoint_hash)];
    if (checkpoint === undefined) return member;
    const { checkpoint_id } = checkpoint;
    return { ...member, checkpoint_id, checkpoint_hash: checkpointHash(kernel, checkpoint) };
  });
  return anchorAgain(forger, good, { ...edited, members });
}

function sameLog(good: Anchor, edited: Anchor): boolean {
  return (
    good.log_size === edited.log_size &&
    edited.members.every((member, index) => {
      const old = good.members[index];
      return old?.checkpoint_hash === member.checkpoint_hash && old.leaf_index === member.leaf_index;
    })
  );
}

function withLog(forger: Forger, anchor: Anchor): Anchor {
  const leaves = anchor.members.map((member) => [member.leaf_index, leafOf(forger, member.checkpoint_hash)] as const);
  const tree = ForgedTree.of(forger.kernel, anchor.log_size, new Map(leaves));
  if (tree === null) return anchor;
  const members = anchor.members.map((member) => ({ ...member, inclusion_path: tree.path(member.leaf_index) }));
  return { ...anchor, epoch_root: tree.root(), members };
}
