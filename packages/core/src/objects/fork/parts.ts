/**
 * Takes objects apart into possible sides of fork evidence, and into parts that help to show that two sides exclude
 * each other: policies, keys, and the leaves of trees. It reads objects that have their shape, and verifies nothing.
 */
import type { Json, JsonObject, Kernel } from "../../kernel/kernel.ts";
import { cosignatureLine } from "../../note/cosignature.ts";
import { encodeNoteLine } from "../../note/signed-note.ts";
import type { Anchor } from "../anchor/schema.ts";
import type { Bundle } from "../bundle/schema.ts";
import type { Checkpoint } from "../checkpoint.ts";
import { type KeyEndorsement, type KeyHint, keyHint } from "../key-endorsement.ts";
import type { Policy, WitnessPolicy } from "../policy.ts";
import type { PortableReceipt } from "../portable-receipt/schema.ts";
import type { ReceiptRecord } from "../receipt.ts";
import { type Window, windowHash } from "../window.ts";
import type { WitnessStatement } from "../witness.ts";
import { KnownLeaves } from "./known-leaves.ts";
import { parseTreeNote, type TreeNote } from "./note-text.ts";

/** The parts of one or several objects. */
export interface Parts {
  readonly receipts: ReceiptRecord[];
  readonly windows: Window[];
  readonly checkpoints: Checkpoint[];
  readonly anchors: Anchor[];
  readonly notes: TreeNote[];
  readonly policies: Policy[];
  readonly hints: KeyHint[];
  readonly endorsements: KeyEndorsement[];
  readonly leaves: KnownLeaves;
}

/** The kinds of object that have parts to show; in all others nothing is found. */
export type PartedKind =
  | "receipt"
  | "stream"
  | "window"
  | "checkpoint"
  | "consistency"
  | "bundle"
  | "portable-receipt"
  | "anchor";

/** Says whether objects of a kind have parts to show. */
export function isParted(kind: string): kind is PartedKind {
  return Object.hasOwn(TAKE_APART, kind);
}

/** Returns the parts of the text of a note; none if it is not the note of a tree. */
export function partsOfNote(kernel: Kernel, text: string): Parts {
  const parts = noParts(kernel);
  const note = parseTreeNote(text);
  if (note !== null) parts.notes.push(note);
  return parts;
}

/** Returns the parts of an object that has the shape of its kind. */
export function partsOf(kernel: Kernel, kind: PartedKind, value: JsonObject): Parts {
  const parts = noParts(kernel);
  const { key_hints = [], key_endorsements = [] } = value as {
    key_hints?: KeyHint[];
    key_endorsements?: KeyEndorsement[];
  };
  addAll(parts.hints, key_hints);
  addAll(parts.endorsements, key_endorsements);
  TAKE_APART[kind](parts, value as never, kernel);
  for (const { note } of [...parts.checkpoints, ...parts.anchors]) parts.notes.push(...noteOf(note));
  for (const checkpoint of parts.checkpoints) parts.leaves.addCheckpoint(checkpoint);
  for (const anchor of parts.anchors) parts.leaves.addAnchor(anchor);
  return parts;
}

const TAKE_APART: Readonly<Record<PartedKind, (parts: Parts, value: never, kernel: Kernel) => void>> = {
  receipt: (parts, receipt: ReceiptRecord) => parts.receipts.push(receipt),
  stream: (parts, { records }: { records: ReceiptRecord[] }) => addAll(parts.receipts, records),
  window: (parts, window: Window) => parts.windows.push(window),
  checkpoint: (parts, checkpoint: Checkpoint) => parts.checkpoints.push(checkpoint),
  consistency: (parts, value: { readonly [name: string]: Json }) => {
    const { from_checkpoint, to_checkpoint, from_anchor, to_anchor } = value as Record<string, never>;
    for (const checkpoint of [from_checkpoint, to_checkpoint])
      if (checkpoint !== undefined) parts.checkpoints.push(checkpoint);
    for (const anchor of [from_anchor, to_anchor]) if (anchor !== undefined) parts.anchors.push(anchor);
  },
  anchor: (parts, anchor: Anchor) => parts.anchors.push(anchor),
  bundle: takeBundle,
  "portable-receipt": takePortable,
};

function takeBundle(parts: Parts, { manifest, artifacts }: Bundle, kernel: Kernel): void {
  const { policies, witness_policies, statements } = artifacts["witnesses.json"];
  addAll(parts.receipts, artifacts["receipts.json"]);
  addAll(parts.windows, artifacts["windows.json"]);
  addAll(parts.checkpoints, artifacts["checkpoints.json"]);
  addAll(parts.anchors, artifacts["anchors.json"]);
  addAll(parts.policies, policies);
  addCosigned(parts, kernel, artifacts["checkpoints.json"], witness_policies, statements);
  const { window_count, frontier } = manifest.prior_windows;
  const hashes = artifacts["windows.json"].map((window) => windowHash(kernel, window));
  parts.leaves.addRun({ priorCount: window_count, priorFrontier: frontier, windowHashes: hashes });
}

function takePortable(parts: Parts, portable: PortableReceipt, kernel: Kernel): void {
  const { receipt, inclusion, window, checkpoint_inclusion, checkpoint, last_window, witnesses, anchor } = portable;
  parts.receipts.push(receipt);
  if (window !== undefined)
    parts.windows.push(
      inclusion === undefined || window.inclusions !== undefined ? window : { ...window, inclusions: [inclusion] },
    );
  if (last_window !== undefined) parts.windows.push(last_window.window);
  if (anchor !== undefined) parts.anchors.push(anchor);
  if (checkpoint === undefined) return;
  parts.checkpoints.push(checkpoint);
  const tree = { size: checkpoint.window_count, root: checkpoint.checkpoint_root };
  const addWindow = (shown: Window, path: readonly Window["window_root"][]) =>
    parts.leaves.addLeaf(tree, shown.window_no - 1, { hash: windowHash(kernel, shown), path });
  if (window !== undefined && checkpoint_inclusion !== undefined) addWindow(window, checkpoint_inclusion.path);
  if (last_window !== undefined) addWindow(last_window.window, last_window.path);
  if (witnesses === undefined) return;
  addAll(parts.policies, witnesses.policies);
  addCosigned(parts, kernel, [checkpoint], witnesses.witness_policies, witnesses.statements);
}

/**
 * Adds the notes of checkpoints, with the cosignatures that are beside them as statements, as a witness's evidence
 * needs them.
 */
function addCosigned(
  parts: Parts,
  kernel: Kernel,
  checkpoints: readonly Checkpoint[],
  policies: readonly WitnessPolicy[],
  statements: readonly WitnessStatement[],
): void {
  const keys = policies.flatMap(({ witnessKeys }) => witnessKeys);
  for (const { checkpoint_id, witness_id, key_epoch, cosigned_at, signature } of statements) {
    const checkpoint = checkpoints.find((one) => one.checkpoint_id === checkpoint_id);
    const key = keys.find((one) => one.witness_id === witness_id && one.key_epoch === key_epoch);
    if (checkpoint === undefined || key === undefined) continue;
    const line = encodeNoteLine(cosignatureLine(kernel, key.name, key.public_key_hex, cosigned_at, signature));
    parts.notes.push(...noteOf(checkpoint.note + line));
    parts.hints.push(keyHint(kernel, key.public_key_hex));
  }
}

/** It is not one call with many arguments, because an object may hold more parts than a call may. */
function addAll<Part>(parts: Part[], more: readonly Part[]): void {
  for (const part of more) parts.push(part);
}

function noteOf(text: string): TreeNote[] {
  const note = parseTreeNote(text);
  return note === null ? [] : [note];
}

function noParts(kernel: Kernel): Parts {
  return {
    receipts: [],
    windows: [],
    checkpoints: [],
    anchors: [],
    notes: [],
    policies: [],
    hints: [],
    endorsements: [],
    leaves: new KnownLeaves(kernel),
  };
}
