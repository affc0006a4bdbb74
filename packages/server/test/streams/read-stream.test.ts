/** Reading streams without a server: their owners, a page and the way to the next one, and a head. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Principal } from "@svc/host/principal";
import { kernel } from "../../src/kernel.ts";
import { ReadStream } from "../../src/streams/read-stream.ts";
import { recordOf } from "../../src/streams/receipt-records.ts";
import { requireAssigned, visibleStream } from "../../src/streams/visible-stream.ts";
import {
  BANK,
  CARDS,
  CLAIMS,
  eventOf,
  FRAUD,
  LOANS,
  principalOf,
  record,
  storeWithStreams,
} from "../store-under-test.ts";

const LIMITED: Principal = { ...principalOf(LOANS), limits: { actions: null, streams: ["str_bank_1", "str_bank_3"] } };

/** The place behind which the next page begins; empty for the last page. */
function placeOf(cursor: string | null): string {
  return Buffer.from(cursor ?? "", "base64url").toString("latin1");
}

test(
  "a stream is seen by its own system; the lifecycle stream of a tenant by all of them; and no further than a key " +
    "goes",
  async (t) => {
    const { read } = await storeWithStreams(t);
    const seen = async (principal: Principal, streamId: string) =>
      read((reader) => visibleStream(reader, principal, streamId)).then(
        ({ stream_id }) => stream_id,
        (error) => error.code,
      );
    const cases: readonly (readonly [Principal, string, string])[] = [
      [principalOf(LOANS), "str_bank_1", "str_bank_1"],
      [principalOf(CARDS), "str_bank_1", "stream_forbidden"],
      [principalOf(CLAIMS), "str_bank_1", "stream_not_found"],
      [principalOf(LOANS), "str_none", "stream_not_found"],
      [principalOf(LOANS), "str_bank_3", "str_bank_3"],
      [principalOf(CARDS), "str_bank_3", "str_bank_3"],
      [principalOf(FRAUD), "str_bank_3", "stream_not_found"],
      [{ ...principalOf(LOANS), kind: "user" }, "str_bank_1", "stream_forbidden"],
      [{ ...principalOf(LOANS), kind: "user" }, "str_bank_3", "stream_forbidden"],
      [{ ...principalOf(LOANS), kind: "user", roles: ["reader"] }, "str_bank_2", "str_bank_2"],
      [{ ...principalOf(LOANS), kind: "auditor", roles: ["reader"] }, "str_bank_1", "stream_forbidden"],
      [LIMITED, "str_bank_1", "str_bank_1"],
      [LIMITED, "str_bank_3", "str_bank_3"],
      [LIMITED, "str_bank_4", "stream_forbidden"],
      [{ ...LIMITED, limits: { actions: null, streams: null } }, "str_bank_4", "str_bank_4"],
    ];
    for (const [principal, streamId, expected] of cases)
      assert.equal(await seen(principal, streamId), expected, `${principal.kind} ${principal.id} ${streamId}`);
    const own = { stream_id: "str_1", system_id: null, class: "legacy", use_case: "" } as const;
    assert.throws(
      () => requireAssigned(principalOf(LOANS), own),
      { code: "stream_forbidden" },
      "one that is no system's",
    );
  },
);

test("a list of streams comes in pages, each with the way to the next, as far as the key goes", async (t) => {
  const { database } = await storeWithStreams(t);
  const streams = new ReadStream({ database, kernel });
  const any = { useCase: null, streamClass: null };
  const page = async (principal: Principal, limit: number, after: string | null) => {
    const { items, next_cursor } = await streams.streams(principal, any, { limit, after });
    return [...items.map(({ stream_id, metadata }) => [stream_id, metadata.of]), placeOf(next_cursor)];
  };
  const named = (...ids: string[]) => ids.map((id) => [id, id]);
  assert.deepEqual(await page(principalOf(LOANS), 3, null), [
    ...named("str_bank_1", "str_bank_3", "str_bank_4"),
    "str_bank_4",
  ]);
  assert.deepEqual(await page(principalOf(LOANS), 4, null), [
    ...named("str_bank_1", "str_bank_3", "str_bank_4", "str_bank_5"),
    "",
  ]);
  assert.deepEqual(await page(principalOf(LOANS), 3, "str_bank_4"), [...named("str_bank_5"), ""]);
  assert.deepEqual(await page(LIMITED, 3, null), [...named("str_bank_1", "str_bank_3"), ""]);
});

test("a list of events comes in pages, from a number on, without payloads", async (t) => {
  const store = await storeWithStreams(t);
  const all = [1, 2, 3, 4, 5].map((seqNo) => eventOf("str_bank_1", seqNo));
  await record(store, BANK, all);
  const streams = new ReadStream({ database: store.database, kernel });
  const any = { eventType: null, sourceRef: null };
  const page = async (limit: number, after: number | null, fromSeqNo: number | null) => {
    const { items, next_cursor } = await streams.events(
      principalOf(LOANS),
      "str_bank_1",
      { ...any, fromSeqNo },
      { limit, after },
    );
    return [items, placeOf(next_cursor)];
  };
  const shown = (...numbers: number[]) => numbers.map((seqNo) => recordOf(eventOf("str_bank_1", seqNo), false));
  assert.deepEqual(await page(2, null, null), [shown(1, 2), "2"]);
  assert.deepEqual(await page(2, 2, null), [shown(3, 4), "4"]);
  assert.deepEqual(await page(2, 4, null), [shown(5), ""]);
  assert.deepEqual(await page(5, null, null), [shown(1, 2, 3, 4, 5), ""]);
  assert.deepEqual(await page(5, null, 3), [shown(3, 4, 5), ""]);
  assert.deepEqual(await page(5, 4, 3), [shown(5), ""]);
  assert.deepEqual(await page(5, 1, 3), [shown(3, 4, 5), ""]);
  await assert.rejects(
    streams.events(principalOf(CARDS), "str_bank_1", { ...any, fromSeqNo: null }, { limit: 1, after: null }),
    {
      code: "stream_forbidden",
    },
  );
});

test("a head is the last event of its stream; an empty stream has none", async (t) => {
  const store = await storeWithStreams(t);
  const streams = new ReadStream({ database: store.database, kernel });
  const head = () => streams.head(principalOf(LOANS), "str_bank_1");
  await assert.rejects(head(), { code: "stream_empty" });
  await record(store, BANK, [eventOf("str_bank_1", 1), eventOf("str_bank_1", 2)]);
  const { stream_id, stream_event_id, seq_no, event_hash, previous_event_hash, stream_head_hash, receipt } = recordOf(
    eventOf("str_bank_1", 2),
    false,
  );
  const expected = { stream_id, stream_event_id, seq_no, event_hash, previous_event_hash, stream_head_hash, receipt };
  assert.deepEqual(await head(), expected);
});

test("a receipt is read by who may see its stream", async (t) => {
  const store = await storeWithStreams(t);
  const event = eventOf("str_bank_1", 1);
  await record(store, BANK, [event]);
  const streams = new ReadStream({ database: store.database, kernel });
  const read = (principal: Principal, eventId = event.stream_event_id) =>
    streams.receipt(principal, eventId).then(
      ({ seq_no }) => seq_no,
      (error) => error.code,
    );
  assert.equal(await read(principalOf(LOANS)), 1);
  assert.equal(await read(principalOf(CARDS)), "stream_forbidden");
  assert.equal(await read(principalOf(CLAIMS)), "receipt_not_found");
  assert.equal(await read(principalOf(LOANS), "sev_none"), "receipt_not_found");
});
