/**
 * The latest that a verified object shows of a stream: it commits to all that came before. Small, whatever the object is, so that it can leave
 * the thread that has read the object.
 */
import type {
  Bundle,
  Checkpoint,
  Consistency,
  Json,
  JsonObject,
  Kind,
  PortableReceipt,
  ReceiptRecord,
  StreamSegment,
  Window,
} from "@svc/core";

/** At least one of them is there. */
export interface Latest {
  readonly streamId: string;
  /** Where the object goes further than the stream: the last of its records that the stream has, or the one behind. */
  readonly record: ReceiptRecord | undefined;
  /** Without what its seal does not cover. */
  readonly window: Window | undefined;
  readonly checkpoints: readonly Checkpoint[];
}

interface Shown {
  readonly records: readonly ReceiptRecord[];
  readonly window: Window | undefined;
  readonly checkpoints: readonly Checkpoint[];
}

/**
 * The latest of an object that has been verified as of this kind; null where its kind shows none, or the stream is nobody's here. `headOf`
 * resolves to the number of the last event of a stream, null for a stream that is not there.
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
      // Each is signed by itself, and only one of them may be of another history.
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
