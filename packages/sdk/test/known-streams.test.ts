/** The memory of a client: a program that writes to many streams must not fill it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReceiptRecord } from "@svc/core";
import { KnownStreams } from "../src/receipts/known-streams.ts";

const record = (seq_no: number) => ({ seq_no, event_hash: `hash of ${seq_no}` }) as ReceiptRecord;

test("of streams that were not heard of for long only the newest record is kept", () => {
  const known = new KnownStreams();
  for (let number = 1; number <= 256; number++) known.note(`stream ${number}`, [1, 2, 3].map(record));
  known.note("stream 1", [record(4)]);
  known.note("stream 257", [record(1)]);
  const kept = (streamId: string) => [1, 2, 3, 4].filter((seqNo) => known.peek(streamId).at(seqNo) !== undefined);
  assert.deepEqual(["stream 1", "stream 2", "stream 3", "stream 257"].map(kept), [[1, 2, 3, 4], [3], [1, 2, 3], [1]]);
  assert.equal(known.peek("stream 2").head, 3);
  known.note("stream 2", [record(4), record(5)]);
  assert.equal(known.peek("stream 2").at(5)?.event_hash, "hash of 5");
});

test("a stream of which nothing holds is not remembered", () => {
  const known = new KnownStreams();
  assert.equal(known.peek("unknown").head, null);
  known.of("made").isNew();
  assert.deepEqual([known.peek("made").head, known.peek("unknown").head], [0, null]);
});
