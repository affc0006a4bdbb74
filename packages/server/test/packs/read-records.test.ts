/** Records and payloads in portions: whole, in order, and never many large payloads at once. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { ArchivedPayloads } from "../../src/archived/archived-payloads.ts";
import { payloadsOfRange, recordsOf, rowsOfRange } from "../../src/packs/read-records.ts";
import { redactedEventsOfRange } from "../../src/streams/events-store.ts";
import { findStream } from "../../src/streams/streams-store.ts";
import { BANK, eventOf, record, storeWithStreams } from "../store-under-test.ts";

const STREAM = "str_bank_1";
const INCLUDED = { payloads: "included" } as const;
const SMALL = 400;
const ALL = 460;
const LARGE_BYTES = 250_000;
/** The most characters of a portion; the first large payloads, which nothing announces, may be more. */
const MOST = 1024 * 1024 + LARGE_BYTES;

/** Resolves to a stream of small payloads and then large ones; some are erased. */
async function filled(t: TestContext) {
  const store = await storeWithStreams(t);
  const payload = (seqNo: number) => (seqNo > SMALL ? `{"text":"${"x".repeat(LARGE_BYTES)}"}` : `{"no":${seqNo}}`);
  const events = Array.from({ length: ALL }, (_, index) => {
    const seqNo = index + 1;
    const stream_event_id = `sev_${String(seqNo).padStart(4, "0")}`;
    const erased = seqNo % 50 === 0 ? { payload: null, payload_salt: null } : { payload: payload(seqNo) };
    return eventOf(STREAM, seqNo, { stream_event_id, ...erased });
  });
  await record(store, BANK, events);
  const stream = await store.read((reader) => findStream(reader, BANK, STREAM));
  assert.ok(stream !== null);
  const source = { database: store.database, archived: new ArchivedPayloads(join(temporaryFolder(), "archive")) };
  return { source, stream, events, range: { from_seq_no: 1, to_seq_no: ALL } };
}

async function all<Batch>(portions: AsyncIterable<Batch>): Promise<Batch[]> {
  const read: Batch[] = [];
  for await (const portion of portions) read.push(portion);
  return read;
}

test("rows come whole and in order; portions are long for small payloads, and short for large ones", async (t) => {
  const { source, stream, events, range } = await filled(t);
  const portions = await all(rowsOfRange(source, stream, range, INCLUDED));
  assert.deepEqual(
    portions.flat().map(({ seq_no, payload }) => [seq_no, payload]),
    events.map(({ seq_no, payload }) => [seq_no, payload]),
  );
  const sizes = portions.map((rows) => rows.reduce((sum, { payload }) => sum + (payload?.length ?? 0), 0));
  const firstLarge = sizes.findIndex((size) => size > LARGE_BYTES);
  assert.equal(Math.max(...portions.map((rows) => rows.length)), 100);
  assert.ok(firstLarge > 0 && firstLarge < 10, `${firstLarge} portions of small payloads`);
  assert.ok(
    sizes.slice(firstLarge + 1).every((size) => size <= 2 * MOST),
    String(sizes),
  );
  assert.deepEqual(await all(rowsOfRange(source, stream, { from_seq_no: 7, to_seq_no: 7 }, INCLUDED)), [
    [portions.flat()[6]],
  ]);
});

test("payloads come whole and in order, without those that are erased, and never many large ones at once", async (t) => {
  const { source, stream, events, range } = await filled(t);
  const portions = await all(payloadsOfRange(source, stream, range));
  assert.deepEqual(
    portions.flatMap((portion) => Object.entries(portion).map(([id, { payload }]) => [id, JSON.stringify(payload)])),
    events.filter(({ payload }) => payload !== null).map(({ stream_event_id, payload }) => [stream_event_id, payload]),
  );
  const sizes = portions.map((portion) => JSON.stringify(Object.values(portion).map(({ payload }) => payload)).length);
  assert.ok(Math.max(...portions.map((portion) => Object.keys(portion).length)) === 100);
  assert.ok(Math.max(...sizes) <= MOST, String(sizes));
});

test("records come without payloads, which are not even read", async (t) => {
  const { source, stream, events, range } = await filled(t);
  const portions = await all(recordsOf(source.database, stream, range));
  assert.deepEqual(
    portions
      .flat()
      .map((one) => [one.seq_no, one.stream_event_id, one.payload_hash, "payload" in one, "payload_salt" in one]),
    events.map((one) => [one.seq_no, one.stream_event_id, one.payload_hash, false, false]),
  );
  const rows = await source.database.read((reader) => redactedEventsOfRange(reader, BANK, STREAM, 2, 3));
  const redacted = { payload: null, payload_salt: null };
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    events.slice(1, 3).map((row) => ({ ...row, ...redacted })),
  );
});
