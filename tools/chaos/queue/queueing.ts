/**
 * A queueing program, as its own process that is killed: it gives numbered events to an append queue on a file spool,
 * and prints at once which are in the spool and which receipts it got. It exits with 0 when it is asked to flush and
 * all have receipts.
 */
import { writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type QueuedReceipt, SvcClient } from "../../../packages/sdk/src/index.ts";
import { FileSpool } from "../../../packages/sdk/src/node/index.ts";

/** The task of the program. */
export interface Queueing {
  readonly url: string;
  readonly apiKey: string;
  readonly streamId: string;
  readonly folder: string;
  /** Numbers of the events, both ends included. */
  readonly from: number;
  readonly to: number;
}

/** A line of its output. */
export type Said =
  | { readonly spooled: number }
  | { readonly receipt: Pick<QueuedReceipt, "source_ref" | "seq_no" | "event_hash">; readonly by: "batch" | "event" }
  | { readonly flushed: true };

/**
 * Small, so that a round has many files and batches, two of them under way at a time; a chunk shares a wait for the
 * disk.
 */
const [SEGMENT_BYTES, BATCH, CHUNK, CHUNK_PAUSE_MS] = [4096, 4, 5, 8];
/** Short, so that delayed requests are sent again meanwhile. */
const TIMEOUT_MS = 150;

const { url, apiKey, streamId, folder, from, to } = JSON.parse(process.argv[2] ?? "") as Queueing;
const client = new SvcClient({ baseUrl: url, apiKey, timeoutMs: TIMEOUT_MS, maxAttempts: 2 });
const stream = client.stream(streamId);
const queue = await stream.openQueue({
  spool: new FileSpool({ folder, segmentBytes: SEGMENT_BYTES }),
  maxBatchEvents: BATCH,
  onReceipts: (receipts) => {
    for (const receipt of receipts) sayReceipt(receipt, "batch");
  },
  onStopped: ({ code, message }) => {
    throw new Error(`the queue stopped: ${code}: ${message}`);
  },
});
for (let first = from; first <= to; first += CHUNK) {
  const numbers = Array.from({ length: Math.min(CHUNK, to - first + 1) }, (_, index) => first + index);
  await Promise.all(
    numbers.map(async (number) => {
      const queued = await stream.appendLater({
        source_ref: `reading-${number}`,
        event_type: "sensor.read",
        occurred_at: "2026-03-01T10:15:30.5+01:00",
        payload: { sensor: "S-17", number },
      });
      say({ spooled: number });
      void queued.receipt.then((receipt) => sayReceipt(receipt, "event"));
    }),
  );
  await pause(CHUNK_PAUSE_MS);
}
await queue.flush();
await queue.close();
say({ flushed: true });

function sayReceipt({ source_ref, seq_no, event_hash }: QueuedReceipt, by: "batch" | "event"): void {
  say({ receipt: { source_ref, seq_no, event_hash }, by });
}

/** Written before the next step, so that a kill takes nothing back. */
function say(what: Said): void {
  writeSync(1, `${JSON.stringify(what)}\n`);
}
