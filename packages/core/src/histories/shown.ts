/**
 * The part of an object that tells whether another object shows another history of the same stream: hashes that commit
 * to all before them, at the places where they stand. An examination collects it, so that many files that are verified
 * together are compared without being read again.
 */
import { encodeLongHex } from "../encoding/hex.ts";
import type { JsonObject, Kernel } from "../kernel/kernel.ts";
import type { BulkReceipts } from "../objects/bundle/bulk.ts";
import type { Bundle } from "../objects/bundle/schema.ts";
import type { ShownTree } from "../objects/known-checkpoints.ts";
import type { PortableReceipt } from "../objects/portable-receipt/schema.ts";
import type { ReceiptRecord, RedactedRecord } from "../objects/receipt.ts";
import { type Window, windowHash } from "../objects/window.ts";
import type { JsonKind } from "../report/checks.ts";
import type { Endorsed, EventRun, ShownHistory } from "../report/histories.ts";

/** Returns what an object shows that was examined; null for a kind that shows no history of a stream. */
export function shownHistory(
  kernel: Kernel,
  kind: JsonKind,
  value: JsonObject,
  tree: ShownTree | null,
  endorsed: readonly Endorsed[],
  bulk?: BulkReceipts,
): ShownHistory | null {
  const { roots = null, windows: held = null } = tree ?? {};
  const shows = (stream_id: string, events: EventRun | null, window?: Window): ShownHistory => ({
    stream_id,
    events,
    windows: window === undefined ? held : new Map([[window.window_no, windowHash(kernel, window)]]),
    roots,
    endorsed,
  });
  switch (kind) {
    case "receipt": {
      const record = value as unknown as ReceiptRecord;
      return shows(record.stream_id, runOf([record]));
    }
    case "stream": {
      const { records } = value as unknown as { records: readonly ReceiptRecord[] };
      return shows(records[0]?.stream_id ?? "", runOf(records));
    }
    case "window": {
      const window = value as unknown as Window;
      return shows(window.stream_id, null, window);
    }
    case "portable-receipt": {
      const { receipt, window } = value as unknown as PortableReceipt;
      return shows(receipt.stream_id, runOf([receipt]), window);
    }
    case "bundle": {
      const { manifest, artifacts } = value as unknown as Bundle;
      const events =
        bulk === undefined
          ? runOf(artifacts["receipts.json"])
          : { from: bulk.fromSeqNo, hashes: encodeLongHex(bulk.eventHashes) };
      return shows(manifest.stream_id, events);
    }
    default:
      return tree === null ? null : shows(tree.streamId, null);
  }
}

function runOf(records: readonly RedactedRecord[]): EventRun | null {
  const [first] = records;
  if (first === undefined) return null;
  const hashes = records.length === 1 ? first.event_hash : records.map(({ event_hash }) => event_hash).join("");
  return { from: first.seq_no, hashes };
}
