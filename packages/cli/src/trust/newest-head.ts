/**
 * The newest checkpoint that a verified object shows, as a known checkpoint (protocol section 16). It reads members and
 * verifies nothing: call it only with an object of a `verified` report.
 */
import type { Bundle, Checkpoint, Consistency, Json, Kind, PortableReceipt } from "@svc/core";
import type { KnownHead } from "./pins.ts";

/** Returns the head of an object of that kind; null if it shows no checkpoint. */
export function newestHead(kind: Kind | null, value: Json): KnownHead | null {
  const checkpoint = newestCheckpoint(kind, value as unknown);
  if (checkpoint === undefined) return null;
  const { stream_id, window_count, checkpoint_root } = checkpoint;
  return { stream_id, window_count, checkpoint_root };
}

function newestCheckpoint(kind: Kind | null, value: unknown): Checkpoint | undefined {
  switch (kind) {
    case "bundle":
      return (value as Bundle).artifacts["checkpoints.json"].at(-1);
    case "checkpoint":
      return value as Checkpoint;
    case "consistency":
      // Undefined if the evidence is over anchors.
      return (value as Partial<Consistency>).to_checkpoint;
    case "portable-receipt":
      return (value as PortableReceipt).checkpoint;
    default:
      return undefined;
  }
}
