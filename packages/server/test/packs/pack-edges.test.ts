/** Packs that do not fit: the refusal names the edges to which the range was extended, and a range that fits. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServiceError } from "@svc/host/errors";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { type BundleLimits, collectEvidence, type EventRange } from "../../src/packs/collect-evidence.ts";
import { payloadBytes } from "../../src/packs/pack-size-store.ts";
import { findStream } from "../../src/streams/streams-store.ts";

test("the refusal of a range that is too large names its edges, and what would fit", async (t) => {
  const { client, made, server } = await startServer(t);
  const { stream_id, tenant_id } = made;
  const { database, kernel } = server.service.context;
  const some = (count: number) => Array.from({ length: count }, (_, number) => loan(number));
  // Each has one window and one checkpoint.
  for (const [count, head] of [
    [3, 3],
    [6, 9],
    [2, 11],
  ] as const) {
    await client.appendBatch(stream_id, some(count));
    await client.witnessed(stream_id, head);
  }
  const collect = (range: EventRange, limits: BundleLimits) =>
    database.read(async (reader) => {
      const stream = (await findStream(reader, tenant_id, stream_id)) ?? assert.fail();
      return collectEvidence(reader, kernel, stream, range, null, limits);
    });
  const refusal = async (range: EventRange, limits: BundleLimits): Promise<ServiceError> => {
    const error = await collect(range, limits).then(
      () => assert.fail("it fits"),
      (refused: ServiceError) => refused,
    );
    assert.equal(error.code, "range_too_large");
    return error;
  };
  const bytesTo = (to: number) => database.read((reader) => payloadBytes(reader, stream_id, 1, to));

  const few = { events: 8, payloadBytes: null };
  const large = await refusal({ from_seq_no: 2, to_seq_no: 5 }, few);
  assert.deepEqual(large.details, { from_seq_no: 1, to_seq_no: 9, fits: { from_seq_no: 2, to_seq_no: 3 } });
  assert.match(large.message, /events 1 to 9.*Ask for smaller ranges: events 2 to 3, and then from event 4 on/);
  for (const [from_seq_no, to_seq_no, extendedTo] of [
    [2, 3, 3],
    [4, 5, 9],
  ] as const) {
    const evidence = await collect({ from_seq_no, to_seq_no }, few);
    assert.ok(!("missing" in evidence));
    assert.equal(evidence.to_seq_no, extendedTo);
  }

  const heavy = { events: 100, payloadBytes: (await bytesTo(9)) + 1 };
  const { details, message } = await refusal({ from_seq_no: 1, to_seq_no: 11 }, heavy);
  assert.deepEqual(details, { from_seq_no: 1, to_seq_no: 11, fits: { from_seq_no: 1, to_seq_no: 9 } });
  assert.match(message, /bytes of payloads/);

  const single = await refusal({ from_seq_no: 5, to_seq_no: 5 }, { events: 5, payloadBytes: null });
  assert.deepEqual(single.details, { from_seq_no: 4, to_seq_no: 9 });
  assert.match(single.message, /no smaller range that begins with event 5 fits/);
});
