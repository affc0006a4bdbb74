/**
 * The latest part that a verified object shows of a stream: it commits to everything before it. It is small for any
 * object, so that it can leave the thread that has read the object.
 */
import type {
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
  readonly streamId: string;
  /** The last of the object's records that the stream has; if it has none of them, the object's first record. */
  readonly record: ReceiptRecord | undefined;
  /** Without the members that its seal does not cover. */
  readonly window: Window | undefined;
  readonly checkpoints: readonly Checkpoint[];
}

interface Shown {
  readonly records: readonly ReceiptRecord[];
  readonly window: Window | undefined;
  readonly checkpoints: readonly Checkpoint[];
}

/**
 * Resolves to the latest part of an object that has been verified as of this kind; null if its kind shows none, or no
 * tenant here has the stream. `headOf` resolves to the number of the last event of a stream, null for an unknown
 * stream.
 */
export async function latestOf(
  kind: Kind,
  value: Json,
  headOf: (streamId: string) => Promise<number | null>,
): Promise<Latest | null> {
  const shown = shownBy(kind, value);
  const streamId = (shown?.checkpoints[0] ?? shown?.window ?? shown?.records[0])?.stream_id;
  const head = streamId === undefined ? null : await headOf(streamId);
  if (shown === null || streamId === undefined || head === null) return null;
  const { records, window, checkpoints } = shown;
  const record = records.findLast(({ seq_no }) => seq_no <= head) ?? records[0];
  return { streamId, record, window: window && signedPart(window), checkpoints };
}

function shownBy(kind: Kind, value: Json): Shown | null {
  const none = { records: [], window: undefined, checkpoints: [] };
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
    case "consistency":
      // Each is signed by itself, and only one of them may belong to another history.
      return { ...none, checkpoints: bothOf(object as Consistency) };
    case "portable-receipt": {
      const { receipt, window, checkpoint } = object as PortableReceipt;
      return { records: [receipt], window, checkpoints: checkpoint === undefined ? [] : [checkpoint] };
    }
    case "bundle": {
      const { artifacts } = object as Bundle;
      return {
        records: artifacts["receipts.json"],
        window: artifacts["windows.json"].at(-1),
        checkpoints: artifacts["checkpoints.json"].slice(-1),
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

function bothOf({ to_checkpoint, from_checkpoint }: Consistency): Checkpoint[] {
  return [to_checkpoint, from_checkpoint];
}

function signedPart({ leaves: _leaves, inclusions: _inclusions, ...signed }: Window): Window {
  return signed;
}
