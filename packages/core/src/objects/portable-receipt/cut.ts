/**
 * Cuts the portable receipt of one event out of a bundle (protocol sections 13 and 14). It copies and computes paths,
 * and checks nothing: verify the bundle before, and the portable receipt afterwards.
 */
import { hexToBytes } from "../../encoding/hex.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import type { HashHex } from "../../schema/atoms.ts";
import type { Anchor } from "../anchor/schema.ts";
import { isMined } from "../anchor/state.ts";
import type { Bundle, WitnessArtifact } from "../bundle/schema.ts";
import { type Checkpoint, checkpointHash } from "../checkpoint.ts";
import { showFrontier } from "../checkpoint-roots.ts";
import { issueInclusion } from "../inclusion.ts";
import { policyDigest, witnessPolicyDigest } from "../policy.ts";
import type { ReceiptRecord } from "../receipt.ts";
import { type KnownTree, proveWindow } from "../tree-paths.ts";
import { type Window, windowHash } from "../window.ts";
import { issuePortableReceipt } from "./issue.ts";
import type { LastWindow, PortableReceipt } from "./schema.ts";

/** Options for cutting a portable receipt. */
export interface CutOptions {
  /**
   * The checkpoint to lead to. By default the bundle's last one, which met the policy's quorum when the bundle was
   * verified.
   */
  readonly checkpointNo?: number;
}

/**
 * Returns the portable receipt of one event, with everything that the bundle shows of it, and of no other event
 * (protocol section 13). It carries the payload if the bundle does. `bundle`: verify it before. `seqNo`: of the event,
 * from 1. Throws RangeError if the bundle has no such event, or no such checkpoint that covers it. It checks nothing.
 *
 * @example
 * const portable = portableReceiptOf(selectKernel(), bundle, 2);
 * console.log(verify(new TextEncoder().encode(JSON.stringify(portable)), { trust }).subject.to_seq_no); // 2
 */
export function portableReceiptOf(
  kernel: Kernel,
  bundle: Bundle,
  seqNo: number,
  { checkpointNo }: CutOptions = {},
): PortableReceipt {
  const { artifacts, manifest, key_hints, key_endorsements } = bundle;
  const record = artifacts["receipts.json"].find(({ seq_no }) => seq_no === seqNo);
  const window = artifacts["windows.json"].find(({ to_seq_no }) => seqNo <= to_seq_no);
  if (record === undefined || window === undefined)
    throw new RangeError(
      `event ${seqNo} is not in the bundle, which covers ${manifest.from_seq_no} to ${manifest.to_seq_no}`,
    );
  const checkpoint = checkpointOver(artifacts["checkpoints.json"], window, checkpointNo);
  const tree: KnownTree = {
    priorCount: manifest.prior_windows.window_count,
    priorFrontier: manifest.prior_windows.frontier,
    windowHashes: artifacts["windows.json"].map((one) => windowHash(kernel, one)),
  };
  const { window_no } = window;
  const { window_count } = checkpoint;
  const eventHashes = artifacts["receipts.json"]
    .filter(({ seq_no }) => seq_no >= window.from_seq_no && seq_no <= window.to_seq_no)
    .map(({ event_hash }) => event_hash);
  return issuePortableReceipt({
    receipt: withPayload(bundle, record),
    inclusion: issueInclusion(kernel, window, eventHashes, seqNo),
    window: bare(window),
    checkpoint_inclusion: { window_no, window_count, path: proveWindow(kernel, tree, window_no, window_count) },
    checkpoint: rooted(kernel, tree, checkpoint),
    ...(window_no === window_count
      ? {}
      : { last_window: lastWindow(kernel, tree, artifacts["windows.json"], checkpoint) }),
    witnesses: witnessesOf(kernel, artifacts["witnesses.json"], checkpoint, window),
    ...anchorOf(artifacts["anchors.json"], checkpointHash(kernel, checkpoint)),
    ...(key_hints.length === 0 ? {} : { key_hints }),
    ...(key_endorsements.length === 0 ? {} : { key_endorsements }),
  });
}

function checkpointOver(
  checkpoints: readonly Checkpoint[],
  window: Window,
  checkpointNo: number | undefined,
): Checkpoint {
  const checkpoint =
    checkpointNo === undefined
      ? checkpoints.at(-1)
      : checkpoints.find(({ checkpoint_no }) => checkpoint_no === checkpointNo);
  if (checkpoint === undefined || checkpoint.window_count < window.window_no) {
    const which =
      checkpointNo === undefined ? "no checkpoint of the bundle" : `no checkpoint ${checkpointNo} of the bundle`;
    throw new RangeError(`${which} covers window ${window.window_no}`);
  }
  return checkpoint;
}

function lastWindow(
  kernel: Kernel,
  tree: KnownTree,
  windows: readonly Window[],
  { window_count }: Checkpoint,
): LastWindow {
  const last = windows.find(({ window_no }) => window_no === window_count);
  if (last === undefined) throw new RangeError(`window ${window_count}, the checkpoint's last, is not in the bundle`);
  return { window: bare(last), path: proveWindow(kernel, tree, window_count, window_count) };
}

/**
 * Returns the checkpoint with the frontier before its listed windows if the bundle shows it, so that a verifier can
 * recompute its root.
 */
function rooted(
  kernel: Kernel,
  { priorCount, priorFrontier, windowHashes }: KnownTree,
  checkpoint: Checkpoint,
): Checkpoint {
  const before = (checkpoint.window_roots[0]?.window_no ?? 1) - 1;
  if (checkpoint.frontier !== undefined || before === 0 || before < priorCount) return checkpoint;
  const leaves = windowHashes.slice(0, before - priorCount).map((hash) => kernel.leafHash(hexToBytes(hash)));
  return showFrontier(checkpoint, kernel.appendToFrontier(priorCount, priorFrontier.map(hexToBytes), leaves));
}

/** Returns the policies that the checkpoint and the window name, and the statements about the checkpoint. */
function witnessesOf(kernel: Kernel, shown: WitnessArtifact, checkpoint: Checkpoint, window: Window): WitnessArtifact {
  const named = [checkpoint.policy_digest, window.policy_digest];
  const namedWitness = [checkpoint.witness_policy_digest, window.witness_policy_digest];
  return {
    policies: shown.policies.filter((policy) => named.includes(policyDigest(kernel, policy))),
    witness_policies: shown.witness_policies.filter((policy) =>
      namedWitness.includes(witnessPolicyDigest(kernel, policy)),
    ),
    statements: shown.statements.filter(({ checkpoint_id }) => checkpoint_id === checkpoint.checkpoint_id),
  };
}

/**
 * Returns the first mined anchor that covers the checkpoint, or the first of any state, with only the member about it.
 */
function anchorOf(anchors: readonly Anchor[], covered: HashHex): { anchor?: Anchor } {
  const covering = anchors.flatMap((anchor) => {
    const members = anchor.members.filter(({ checkpoint_hash }) => checkpoint_hash === covered);
    return members.length === 0 ? [] : [{ ...anchor, members }];
  });
  const anchor = covering.find(isMined) ?? covering[0];
  return anchor === undefined ? {} : { anchor };
}

/** Returns a window without the members that its seal does not cover: hashes of other events are not needed here. */
function bare(window: Window): Window {
  const { leaves: _leaves, inclusions: _inclusions, ...sealed } = window;
  return sealed;
}

function withPayload({ payloads = {} }: Bundle, record: ReceiptRecord): ReceiptRecord {
  const id = record.stream_event_id;
  return Object.hasOwn(payloads, id) ? { ...record, ...payloads[id] } : record;
}
