/** Makes a portable receipt consistent again, from its event up to its checkpoint (protocol section 13). */
import type { NodeHash } from "../../kernel/kernel.ts";
import type { Checkpoint } from "../../objects/checkpoint.ts";
import { type Inclusion, issueInclusion } from "../../objects/inclusion.ts";
import type { PortableReceipt } from "../../objects/portable-receipt/schema.ts";
import { headHash, type ReceiptRecord } from "../../objects/receipt.ts";
import { type Window, windowHash } from "../../objects/window.ts";
import type { HashHex } from "../../schema/atoms.ts";
import { coveringAgain } from "./anchors.ts";
import { checkpointAgain, endingWith, leafOf, listingOf } from "./checkpoints.ts";
import type { Forger } from "./forger.ts";
import { recordAgain } from "./records.ts";
import { ForgedTree } from "./tree.ts";
import { inclusionOf, windowAgain, windowOver } from "./windows.ts";
import { policiesAgain, type RenamedDigests, statementsAgain } from "./witnesses.ts";

const AS_BEFORE: RenamedDigests = (part) => part;

/** Returns a portable receipt in the place of the good one. The trees around its parts are made up. */
export function portableReceiptAgain(forger: Forger, good: PortableReceipt, edited: PortableReceipt): PortableReceipt {
  const shown =
    good.witnesses !== undefined && edited.witnesses !== undefined
      ? policiesAgain(forger, good.witnesses, edited.witnesses)
      : { witnesses: edited.witnesses, renamed: AS_BEFORE };
  const receipt = recordAgain(forger, edited.receipt, null);
  const withReceipt = { ...edited, receipt };
  if (edited.inclusion === undefined || edited.window === undefined) return withReceipt;
  const { inclusion, window } = windowAround(forger, good, receipt, edited.inclusion, shown.renamed(edited.window));
  const withWindow = { ...withReceipt, inclusion, window };
  const { checkpoint: old, checkpoint_inclusion, last_window } = edited;
  if (old === undefined || checkpoint_inclusion === undefined) return withWindow;

  const lastWindow =
    last_window === undefined
      ? null
      : windowAgain(forger, withHead(forger, shown.renamed(last_window.window), old.latest_event_hash));
  const { checkpoint: rooted, tree } = checkpointOver(forger, good, old, window, lastWindow ?? window);
  const pathOf = ({ window_no }: Window, path: readonly HashHex[]) => tree?.path(window_no - 1) ?? [...path];
  const isLast = lastWindow === null && receipt.seq_no === window.to_seq_no;
  const latest = isLast ? receipt.event_hash : old.latest_event_hash;
  const checkpoint = checkpointAgain(forger, endingWith(rooted, lastWindow ?? window, latest));
  const before = [good.checkpoint ?? old];
  const { witnesses } = shown;
  const { anchor } = edited;
  const last =
    last_window === undefined || lastWindow === null
      ? {}
      : { last_window: { window: lastWindow, path: pathOf(lastWindow, last_window.path) } };
  const vouched =
    witnesses === undefined
      ? {}
      : { witnesses: { ...witnesses, statements: statementsAgain(forger, witnesses, before, [checkpoint]) } };
  const anchored =
    anchor === undefined ? {} : { anchor: coveringAgain(forger, good.anchor ?? anchor, anchor, before, [checkpoint]) };
  const path = pathOf(window, checkpoint_inclusion.path);
  return {
    ...withWindow,
    checkpoint_inclusion: { ...checkpoint_inclusion, path },
    checkpoint,
    ...last,
    ...vouched,
    ...anchored,
  };
}

/**
 * Returns the event's window, and the event's place in it: among the leaves that the window shows, or else in a tree
 * that is made up.
 */
function windowAround(
  forger: Forger,
  good: PortableReceipt,
  { seq_no, event_hash, stream_head_hash }: ReceiptRecord,
  inclusion: Inclusion,
  window: Window,
): { readonly inclusion: Inclusion; readonly window: Window } {
  if (event_hash === good.receipt.event_hash) return { inclusion, window: windowAgain(forger, window) };
  const leaves = window.leaves?.map((leaf, index) => (index === inclusion.leaf_index ? event_hash : leaf));
  if (leaves !== undefined && inclusion.leaf_index < leaves.length) {
    const again = windowOver(forger, window, leaves);
    return {
      inclusion: issueInclusion(forger.kernel, again, leaves, again.from_seq_no + inclusion.leaf_index),
      window: again,
    };
  }
  const again = inclusionOf(forger, inclusion, event_hash);
  // Inclusions of other events lead to the old root; nothing seals them.
  const { inclusions: _inclusions, ...sealed } = window;
  const head = seq_no === window.to_seq_no ? { stream_head_hash } : {};
  return { inclusion: again, window: windowAgain(forger, { ...sealed, window_root: again.window_root, ...head }) };
}

/** Returns a window that ends with this event. */
function withHead({ kernel }: Forger, window: Window, latest: HashHex): Window {
  return { ...window, stream_head_hash: headHash(kernel, window.stream_id, window.to_seq_no, latest) };
}

/** Returns the checkpoint over these windows, and the tree around them; no tree if no part of it differs. */
function checkpointOver(
  forger: Forger,
  good: PortableReceipt,
  checkpoint: Checkpoint,
  window: Window,
  last: Window,
): { readonly checkpoint: Checkpoint; readonly tree: ForgedTree | null } {
  const { kernel } = forger;
  const listed = checkpoint.window_roots.map((one) => {
    const shown = [window, last].find(({ window_no }) => window_no === one.window_no);
    return shown === undefined ? one : listingOf(forger, shown);
  });
  const windows = [good.window, good.last_window?.window].flatMap((one) => one ?? []);
  const before = new Set(windows.map((one) => windowHash(kernel, one)));
  const isSame =
    [window, last].every((one) => before.has(windowHash(kernel, one))) &&
    JSON.stringify(checkpoint.window_roots) === JSON.stringify(good.checkpoint?.window_roots) &&
    checkpoint.window_count === good.checkpoint?.window_count;
  const leaves = new Map<number, NodeHash>();
  for (const one of listed) leaves.set(one.window_no - 1, leafOf(forger, one.window_hash));
  for (const one of [window, last]) leaves.set(one.window_no - 1, leafOf(forger, windowHash(kernel, one)));
  const tree = isSame ? null : ForgedTree.of(kernel, checkpoint.window_count, leaves);
  if (tree === null) return { checkpoint, tree };
  const size = (listed[0]?.window_no ?? 1) - 1;
  const frontier = checkpoint.frontier === undefined ? {} : { frontier: tree.frontier(size) };
  return { checkpoint: { ...checkpoint, window_roots: listed, checkpoint_root: tree.root(), ...frontier }, tree };
}
