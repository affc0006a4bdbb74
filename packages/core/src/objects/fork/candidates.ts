/**
 * Searches two objects for pairs of parts that seem to contradict each other, kind by kind, the simplest to understand
 * first (protocol section 11). It only searches: each pair must still hold as evidence. In a kind with an order, the
 * part that is first in the stream comes first here.
 */
import { addTo } from "../../grouping.ts";
import type { Json, JsonObject, Kernel } from "../../kernel/kernel.ts";
import { type Checkpoint, checkpointHash } from "../checkpoint.ts";
import { policyDigest } from "../policy.ts";
import type { ReceiptRecord } from "../receipt.ts";
import { type Window, windowHash } from "../window.ts";
import { excludeEachOther, treeOf } from "./checkpoint.ts";
import { logOf } from "./epoch.ts";
import type { ForkInput } from "./issue.ts";
import { firstDivergence } from "./known-leaves.ts";
import { eventHashesAt } from "./leaf.ts";
import type { TreeNote } from "./note-text.ts";
import { isOverdue } from "./omission.ts";
import type { Parts } from "./parts.ts";
import type { Divergence, ForkKind } from "./schema.ts";

/** Two sides, and the members of the evidence that follow from them. */
export interface Candidate extends Pick<ForkInput, "stream_id" | "kind" | "divergence" | "policy"> {
  readonly left: JsonObject | string;
  readonly right: JsonObject | string;
}

type Search = (kernel: Kernel, a: Parts, b: Parts) => Iterable<Candidate>;

/** The search for candidates of each kind, in the order in which they are tried. */
export const SEARCHES: readonly (readonly [ForkKind, Search])[] = [
  ["head", heads],
  ["chain", chains],
  ["window", windows],
  ["leaf", leaves],
  ["checkpoint", checkpoints],
  ["epoch", epochs],
  ["note", notes],
  ["witness", cosigned],
  ["omission", omissions],
];

/** So many trees of an object are searched for a divergence. */
const LARGEST_TREES = 3;

interface StatedHead {
  readonly stream_id: string;
  readonly seqNo: number;
  readonly stream_head_hash: string;
  readonly side: JsonObject;
}

function headsOf({ receipts, windows, checkpoints }: Parts): StatedHead[] {
  return [
    ...receipts.map((side) => ({ ...side, seqNo: side.seq_no, side: asJson(side) })),
    ...windows.map((side) => ({ ...side, seqNo: side.to_seq_no, side: asJson(side) })),
    ...checkpoints.map((side) => ({ ...side, seqNo: side.to_seq_no, side: asJson(side) })),
  ];
}

function* heads(_kernel: Kernel, a: Parts, b: Parts): Generator<Candidate> {
  const there = grouped(headsOf(b), ({ stream_id, seqNo }) => `${stream_id} ${seqNo}`);
  for (const one of headsOf(a).sort((x, y) => x.seqNo - y.seqNo)) {
    for (const other of there.get(`${one.stream_id} ${one.seqNo}`) ?? []) {
      if (one.stream_head_hash === other.stream_head_hash) continue;
      yield { kind: "head", stream_id: one.stream_id, left: one.side, right: other.side };
    }
  }
}

function* chains(_kernel: Kernel, a: Parts, b: Parts): Generator<Candidate> {
  for (const [earlier, later] of bothWays(a, b)) {
    const there = grouped(later.receipts, placeOf);
    for (const left of earlier.receipts) {
      for (const right of there.get(`${left.stream_id} ${left.seq_no + 1}`) ?? []) {
        if (right.previous_event_hash === left.event_hash) continue;
        yield { kind: "chain", stream_id: left.stream_id, left: asJson(left), right: asJson(right) };
      }
    }
  }
}

function* windows(kernel: Kernel, a: Parts, b: Parts): Generator<Candidate> {
  const pair = (left: Window, right: Window): Candidate => ({
    kind: "window",
    stream_id: left.stream_id,
    left: asJson(left),
    right: asJson(right),
  });
  const there = grouped(b.windows, ({ stream_id, window_no }) => `${stream_id} ${window_no}`);
  for (const left of a.windows) {
    for (const right of there.get(`${left.stream_id} ${left.window_no}`) ?? [])
      if (windowHash(kernel, left) !== windowHash(kernel, right)) yield pair(left, right);
  }
  // Within one object ranges rise with the numbers, so only the nearest numbers on either side can contradict.
  const byStream = grouped(b.windows, ({ stream_id }) => stream_id);
  for (const sorted of byStream.values()) sorted.sort((x, y) => x.window_no - y.window_no);
  for (const left of a.windows) {
    const others = byStream.get(left.stream_id) ?? [];
    const before = others[firstAt(others, ({ window_no }) => window_no >= left.window_no) - 1];
    const after = others[firstAt(others, ({ window_no }) => window_no > left.window_no)];
    if (before !== undefined && before.to_seq_no >= left.from_seq_no) yield pair(left, before);
    if (after !== undefined && after.from_seq_no <= left.to_seq_no) yield pair(left, after);
  }
}

function* leaves(_kernel: Kernel, a: Parts, b: Parts): Generator<Candidate> {
  for (const [one, other] of bothWays(a, b)) {
    const there = grouped(one.receipts, placeOf);
    for (const window of other.windows) {
      for (const seqNo of shownPlaces(window)) {
        for (const receipt of there.get(`${window.stream_id} ${seqNo}`) ?? []) {
          if (eventHashesAt(window, seqNo).includes(receipt.event_hash)) continue;
          yield { kind: "leaf", stream_id: window.stream_id, left: asJson(receipt), right: asJson(window) };
        }
      }
    }
  }
}

function shownPlaces({ from_seq_no, leaves = [], inclusions = [] }: Window): Set<number> {
  return new Set([...leaves.map((_, index) => from_seq_no + index), ...inclusions.map(({ seq_no }) => seq_no)]);
}

function* checkpoints(kernel: Kernel, a: Parts, b: Parts): Generator<Candidate> {
  const hashes = new Map([...a.checkpoints, ...b.checkpoints].map((one) => [one, checkpointHash(kernel, one)]));
  const pair = (left: Checkpoint, right: Checkpoint, divergence: Divergence | null): Candidate => ({
    kind: "checkpoint",
    stream_id: left.stream_id,
    left: asJson(left),
    right: asJson(right),
    divergence,
  });
  const differ = (left: Checkpoint, right: Checkpoint) =>
    left.stream_id === right.stream_id && hashes.get(left) !== hashes.get(right);
  for (const left of a.checkpoints) {
    for (const right of b.checkpoints)
      if (differ(left, right) && excludeEachOther(left, right)) yield pair(left, right, null);
  }
  for (const left of largest(a.checkpoints, ({ window_count }) => window_count)) {
    for (const right of largest(b.checkpoints, ({ window_count }) => window_count)) {
      if (!differ(left, right)) continue;
      const divergence = firstDivergence(
        { leaves: a.leaves, tree: treeOf(left) },
        { leaves: b.leaves, tree: treeOf(right) },
      );
      if (divergence !== null) yield pair(left, right, divergence);
    }
  }
}

/** Returns an object's largest trees, which hold all leaves of its smaller ones. */
function largest<Part>(parts: readonly Part[], sizeOf: (part: Part) => number): Part[] {
  return [...parts].sort((x, y) => sizeOf(y) - sizeOf(x)).slice(0, LARGEST_TREES);
}

function* epochs(_kernel: Kernel, a: Parts, b: Parts): Generator<Candidate> {
  for (const left of a.anchors) {
    for (const right of b.anchors) {
      if (left.origin !== right.origin) continue;
      const pair = { kind: "epoch" as const, stream_id: null, left: asJson(left), right: asJson(right) };
      if (left.epoch_root === right.epoch_root && left.log_size === right.log_size) continue;
      if (left.epoch_no === right.epoch_no || left.log_size === right.log_size) yield { ...pair, divergence: null };
      const [one, other] = [logOf(left), logOf(right)];
      const divergence = firstDivergence({ leaves: a.leaves, tree: one }, { leaves: b.leaves, tree: other });
      if (divergence !== null) yield { ...pair, divergence };
    }
  }
}

function* notes(_kernel: Kernel, a: Parts, b: Parts): Generator<Candidate> {
  const pair = (left: TreeNote, right: TreeNote, divergence: Divergence | null): Candidate => ({
    kind: "note",
    stream_id: left.streamId,
    left: left.note,
    right: right.note,
    divergence,
  });
  for (const [left, right] of contradictingRoots(a, b)) yield pair(left, right, null);
  for (const left of largest(a.notes, ({ size }) => size)) {
    for (const right of largest(b.notes, ({ size }) => size)) {
      if (left.origin !== right.origin || left.size === right.size) continue;
      const divergence = firstDivergence({ leaves: a.leaves, tree: left }, { leaves: b.leaves, tree: right });
      if (divergence !== null) yield pair(left, right, divergence);
    }
  }
}

function* cosigned(_kernel: Kernel, a: Parts, b: Parts): Generator<Candidate> {
  for (const [left, right] of contradictingRoots(a, b))
    yield { kind: "witness", stream_id: left.streamId, left: left.note, right: right.note };
}

/** Yields pairs of notes of one origin and size, and of two roots. */
function* contradictingRoots(a: Parts, b: Parts): Generator<readonly [TreeNote, TreeNote]> {
  const there = grouped(b.notes, ({ origin, size }) => `${size} ${origin}`);
  for (const left of a.notes) {
    for (const right of there.get(`${left.size} ${left.origin}`) ?? [])
      if (left.root !== right.root) yield [left, right];
  }
}

function* omissions(kernel: Kernel, a: Parts, b: Parts): Generator<Candidate> {
  const policies = new Map([...a.policies, ...b.policies].map((policy) => [policyDigest(kernel, policy), policy]));
  for (const [one, other] of bothWays(a, b)) {
    const byStream = grouped(one.receipts, ({ stream_id }) => stream_id);
    for (const sorted of byStream.values()) sorted.sort((x, y) => x.seq_no - y.seq_no);
    for (const checkpoint of other.checkpoints) {
      const policy = policies.get(checkpoint.policy_digest);
      const receipts = byStream.get(checkpoint.stream_id) ?? [];
      // The first event that it leaves out has waited longest.
      const receipt = receipts[firstAt(receipts, ({ seq_no }) => seq_no > checkpoint.to_seq_no)];
      if (policy === undefined || receipt === undefined || !isOverdue(receipt, checkpoint, policy)) continue;
      const { stream_id } = checkpoint;
      yield { kind: "omission", stream_id, left: asJson(receipt), right: asJson(checkpoint), policy };
    }
  }
}

/** Returns the first index at which a condition holds, if it holds from there on; the length if it never does. */
function firstAt<Part>(sorted: readonly Part[], holds: (part: Part) => boolean): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (holds(sorted[middle] as Part)) to = middle;
    else from = middle + 1;
  }
  return from;
}

function bothWays(a: Parts, b: Parts): readonly (readonly [Parts, Parts])[] {
  return [
    [a, b],
    [b, a],
  ];
}

function placeOf({ stream_id, seq_no }: ReceiptRecord): string {
  return `${stream_id} ${seq_no}`;
}

function grouped<Part>(parts: readonly Part[], keyOf: (part: Part) => string): Map<string, Part[]> {
  const groups = new Map<string, Part[]>();
  for (const part of parts) addTo(groups, keyOf(part), part);
  return groups;
}

function asJson(value: object): JsonObject {
  return value as Readonly<Record<string, Json>>;
}
