/** Hashes and seals windows again (protocol section 8). */
import { encodeHex, hexToBytes } from "../../encoding/hex.ts";
import type { NodeHash } from "../../kernel/kernel.ts";
import { type Inclusion, issueInclusion } from "../../objects/inclusion.ts";
import { headHash } from "../../objects/receipt.ts";
import { type Window, windowBody, windowRoot } from "../../objects/window.ts";
import type { HashHex } from "../../schema/atoms.ts";
import { type Forger, sealAgain } from "./forger.ts";
import { ForgedTree } from "./tree.ts";

/** Returns a window over these event hashes, all of its range in order. */
export function windowOver(forger: Forger, window: Window, eventHashes: readonly HashHex[]): Window {
  const { kernel } = forger;
  const { from_seq_no, to_seq_no, stream_id } = window;
  const last = eventHashes.at(-1);
  if (last === undefined) return windowAgain(forger, window);
  const rooted = {
    ...window,
    window_root: windowRoot(kernel, eventHashes.map(hexToBytes)),
    stream_head_hash: headHash(kernel, stream_id, to_seq_no, last),
  };
  const holds = ({ seq_no }: Inclusion) => seq_no >= from_seq_no && seq_no < from_seq_no + eventHashes.length;
  // Nothing can be shown of an event that is no longer there.
  const inclusions = window.inclusions
    ?.filter(holds)
    .map(({ seq_no }) => issueInclusion(kernel, rooted, eventHashes, seq_no));
  return windowAgain(forger, {
    ...rooted,
    ...(window.leaves === undefined ? {} : { leaves: [...eventHashes] }),
    ...(inclusions === undefined ? {} : { inclusions }),
  });
}

/** Returns a window with its present members, sealed again. */
export function windowAgain(forger: Forger, window: Window): Window {
  return { ...window, seal: sealAgain(forger, "window", windowBody(window), window.seal) };
}

/** Returns an inclusion of another event hash, with a path and a root that are made up around it. */
export function inclusionOf({ kernel }: Forger, inclusion: Inclusion, event_hash: HashHex): Inclusion {
  const { leaf_index, tree_size } = inclusion;
  const leaf: NodeHash = kernel.leafHash(hexToBytes(event_hash));
  const tree = ForgedTree.of(kernel, tree_size, new Map([[leaf_index, leaf]]));
  if (tree === null) return inclusion;
  const leaf_hash = encodeHex(leaf) as HashHex;
  return { ...inclusion, event_hash, leaf_hash, inclusion_path: tree.path(leaf_index), window_root: tree.root() };
}
