/**
 * The latest part that a verified object shows of a stream and of the service log: it commits to everything before it.
 * It is small for any object, so that it can leave the thread that has read the object.
 */
import type {
  Anchor,
  AnchorConsistency,
  Bundle,
  Checkpoint,
  Consistency,
  Disclosure,
  IvcEpoch,
  Json,
  JsonObject,
  Kind,
  PortableReceipt,
  ReceiptRecord,
  StreamSegment,
  Window,
} from "@svc/core";

/** The latest part; at least one member is present. */
export interface Latest {
  /** Null if the object shows nothing of a stream that a tenant here has. */
  readonly streamId: string | null;
  /** The last of the object's records that the stream has; if it has none of them, the object's first record. */
  readonly record: ReceiptRecord | undefined;
  /** Without the members that its seal does not cover. */
  readonly window: Window | undefined;
  readonly checkpoints: readonly Checkpoint[];
  /** Epochs of the service log, without members. */
  readonly anchors: readonly Anchor[];
}

interface Shown {
  readonly records: readonly ReceiptRecord[];
  readonly window: Window | undefined;
  readonly checkpoints: readonly Checkpoint[];
  /** Those that follow from each other, in order. */
  readonly anchors: readonly Anchor[];
}

/**
 * Resolves to the number of the last event of a stream, or of the newest epoch of the service log if the stream is
 * null; to null for an unknown stream, or without an epoch.
 */
export type HeadOf = (streamId: string | null) => Promise<number | null>;

/**
 * Resolves to the latest part of an object that has been verified as of this kind; null if its kind shows none, or
 * nothing of a stream that a tenant here has, nor of the service log.
 */
export async function latestOf(kind: Kind, value: Json, headOf: HeadOf): Promise<Latest | null> {
  const shown = shownBy(kind, value);
  if (shown === null) return null;
  const { records, window, checkpoints } = shown;
  const anchors = await latestAnchors(kind, shown.anchors, headOf);
  const streamId = (checkpoints[0] ?? window ?? records[0])?.stream_id;
  const head = streamId === undefined ? null : await headOf(streamId);
  if (streamId === undefined || head === null)
    return anchors.length === 0
      ? null
      : { streamId: null, record: undefined, window: undefined, checkpoints: [], anchors };
  const record = records.findLast(({ seq_no }) => seq_no <= head) ?? records[0];
  return { streamId, record, window: window && signedPart(window), checkpoints, anchors };
}

/** A bundle can have many: the last one that the log here has got to is the one that commits to most. */
async function latestAnchors(kind: Kind, anchors: readonly Anchor[], headOf: HeadOf): Promise<Anchor[]> {
  if (kind !== "bundle" || anchors.length < 2) return anchors.map(withoutMembers);
  const head = (await headOf(null)) ?? 0;
  const last = anchors.findLast(({ epoch_no }) => epoch_no <= head) ?? anchors[0];
  return last === undefined ? [] : [withoutMembers(last)];
}

function shownBy(kind: Kind, value: Json): Shown | null {
  const none = { records: [], window: undefined, checkpoints: [], anchors: [] };
  const object = value as JsonObject as unknown;
  switch (kind) {
    case "receipt":
      return { ...none, records: [object as ReceiptRecord] };
    case "stream":
      return { ...none, records: (object as StreamSegment).records };
    case "window":
      return { ...none, window: object as Window };
    case "checkpoint":
      return { ...none, checkpoints: [object as Checkpoint] };
    case "anchor":
      return { ...none, anchors: [object as Anchor] };
    case "consistency":
      // Each is signed by itself, and only one of them may belong to another history.
      return { ...none, ...bothOf(object as Consistency | AnchorConsistency) };
    case "portable-receipt": {
      const { receipt, window, checkpoint, anchor } = object as PortableReceipt;
      return { records: [receipt], window, checkpoints: presentOf(checkpoint), anchors: presentOf(anchor) };
    }
    case "bundle": {
      const { artifacts } = object as Bundle;
      return {
        records: artifacts["receipts.json"],
        window: artifacts["windows.json"].at(-1),
        checkpoints: artifacts["checkpoints.json"].slice(-1),
        anchors: artifacts["anchors.json"],
      };
    }
    case "disclosure": {
      const { receipt } = object as Disclosure;
      return receipt === null ? null : shownBy("portable-receipt", receipt as unknown as Json);
    }
    case "ivc-epoch":
      // Each follows the one before.
      return { ...none, checkpoints: ((object as IvcEpoch).checkpoints ?? []).slice(-1) };
    default:
      return null;
  }
}

function bothOf(evidence: Consistency | AnchorConsistency): Partial<Shown> {
  return "to_anchor" in evidence
    ? { anchors: [evidence.to_anchor, evidence.from_anchor] }
    : { checkpoints: [evidence.to_checkpoint, evidence.from_checkpoint] };
}

function presentOf<Part>(part: Part | undefined): Part[] {
  return part === undefined ? [] : [part];
}

function withoutMembers(anchor: Anchor): Anchor {
  return { ...anchor, members: [] };
}

function signedPart({ leaves: _leaves, inclusions: _inclusions, ...signed }: Window): Window {
  return signed;
}
