/**
 * Erasure without HTTP: the deleted and the remaining values, its messages, the answer to a repeated request, and the
 * store of erasures.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { EventInput } from "@svc/core";
import type { Principal } from "@svc/host/principal";
import { loan } from "@svc/testkit/server/loan";
import { EraseEvent, type ErasureRequest } from "../../src/erasure/erase-event.ts";
import { erased } from "../../src/erasure/erased.ts";
import {
  erasuresInFiles,
  findErasure,
  insertErasure,
  markCleared,
  unclearedErasures,
} from "../../src/erasure/erasures-store.ts";
import { exportsChanged } from "../../src/exports/built.ts";
import { Idempotency } from "../../src/idempotency/idempotency.ts";
import { findIdempotencyRecord } from "../../src/idempotency/store.ts";
import { Append } from "../../src/streams/append.ts";
import { prepareRequest } from "../../src/streams/appending.ts";
import { eventsOfRange } from "../../src/streams/events-store.ts";
import { recordOf } from "../../src/streams/receipt-records.ts";
import { appended, recorded } from "../../src/streams/recorded.ts";
import { accessBefore } from "../../src/tenancy/access-log-store.ts";
import { contextUnderTest, heard } from "../context-under-test.ts";
import {
  at,
  BANK,
  CARDS,
  CLAIMS,
  eventOf,
  INSURER,
  LOANS,
  plain,
  principalOf,
  record,
  storeWithStreams,
} from "../store-under-test.ts";

const OWN = principalOf(LOANS);
const STREAM = "str_bank_1";
const ROUTE = "POST /v2/streams/{id}/events/{id}/erase";

/** Resolves to three events of one request, and one of another. */
async function erasing(t: TestContext) {
  const made = await contextUnderTest(t);
  const { context, store } = made;
  const idempotency = new Idempotency(context);
  const append = new Append(context, idempotency);
  const erasure = new EraseEvent(context, idempotency);
  const asked = (key: string, events: readonly EventInput[], streamId = STREAM) =>
    append.append(
      prepareRequest(context, {
        principal: OWN,
        streamId,
        events,
        isBatch: true,
        idempotencyKey: key,
        headMatch: null,
        afterKey: null,
        bytes: new Uint8Array(),
      }),
    );
  const batch = [loan(1), loan(2), loan(3)];
  const rows = [...(await asked("batch", batch)), ...(await asked("single", [loan(4)]))];
  const [first, second] = rows;
  assert.ok(first !== undefined && second !== undefined);
  const erase = (changes: Partial<ErasureRequest> = {}, principal: Principal = OWN) => {
    const request = { streamId: STREAM, eventId: second.stream_event_id, reason: "asked for", idempotencyKey: "" };
    return erasure.erase(principal, { ...request, ...changes });
  };
  const stored = async () => plain(await store.read((reader) => eventsOfRange(reader, BANK, STREAM, 1, 9)));
  return { ...made, asked, batch, rows, first, second, erase, stored };
}

test("payload and salt of one event go, and that is published and noted", async (t) => {
  const { context, store, rows, second, erase, stored, now } = await erasing(t);
  const told = {
    recorded: heard(context, recorded),
    appended: heard(context, appended),
    erased: heard(context, erased),
    exports: heard(context, exportsChanged),
  };
  now.seconds = 1001;
  const answer = await erase();
  const { stream_event_id, event_hash } = second;
  assert.deepEqual(
    await stored(),
    rows.map((row) => (row.seq_no === 2 ? { ...row, payload: null, payload_salt: null } : { ...row })),
  );
  const [{ last, isWindowFull } = assert.fail(), ...others] = told.recorded;
  assert.equal(isWindowFull, false);
  assert.deepEqual([others, told.appended, told.erased, told.exports], [[], [], [stream_event_id], [null]]);
  assert.deepEqual(answer, {
    stream_id: STREAM,
    stream_event_id,
    seq_no: 2,
    erased_at: at(1001),
    lifecycle_record: recordOf(last, true),
  });
  assert.deepEqual([last.event_type, last.source_ref, last.received_at], ["event.erased", stream_event_id, at(1001)]);
  const actor = { kind: "system", id: LOANS.systemId };
  const detail = { stream_id: STREAM, stream_event_id, seq_no: 2, event_hash, reason: "asked for", actor };
  assert.deepEqual(JSON.parse(last.payload ?? ""), detail);
  const found = await store.read((reader) => findErasure(reader, BANK, stream_event_id));
  assert.deepEqual({ ...found }, { stream_event_id, lifecycle_event_id: last.stream_event_id, erased_at: at(1001) });
  const about = { tenantId: null, action: null, objectId: stream_event_id };
  const { rows: entries } = await store.read((reader) => accessBefore(reader, about, { after: null, most: 9 }));
  assert.deepEqual(
    entries.map(({ action, tenant_id, actor_id, at: time, detail: words }) => [
      action,
      tenant_id,
      actor_id,
      time,
      words,
    ]),
    [["event.erased", BANK, LOANS.systemId, at(1001), JSON.stringify({ stream_id: STREAM, reason: "asked for" })]],
  );
});

test("an event is erased once: the first erasure is the answer, and nothing is published again", async (t) => {
  const { context, erase, now, store } = await erasing(t);
  const first = await erase({ idempotencyKey: "key" });
  const told = [heard(context, recorded), heard(context, erased), heard(context, exportsChanged)];
  now.seconds = 1005;
  assert.deepEqual(await erase({ idempotencyKey: "key" }), first);
  assert.deepEqual(await erase({ reason: "another", idempotencyKey: "other" }), first);
  assert.deepEqual(told, [[], [], []]);
  await assert.rejects(erase({ reason: "another", idempotencyKey: "key" }), { code: "idempotency_conflict" });
  const kept = async (key: string) => {
    const scope = { tenantId: BANK, principalId: LOANS.systemId, route: ROUTE, key };
    const row = await store.read((reader) => findIdempotencyRecord(reader, scope));
    return row === null ? null : [row.stream_id, row.from_seq_no, row.to_seq_no, row.result];
  };
  assert.deepEqual(
    [await kept("key"), await kept("other")],
    [
      [STREAM, 0, 0, null],
      [STREAM, 0, 0, null],
    ],
  );
});

test("an event is erased in its own stream, by who may see that, and never in a lifecycle stream", async (t) => {
  const { erase, stored, rows, asked } = await erasing(t);
  const [elsewhere] = await asked("elsewhere", [loan(1)], "str_bank_4");
  const { lifecycle_record } = await erase({ eventId: rows[3]?.stream_event_id ?? "" });
  const before = await stored();
  const refused = [
    [() => erase({ eventId: "sev_none" }), "receipt_not_found"],
    [() => erase({ eventId: elsewhere?.stream_event_id ?? "" }), "receipt_not_found"],
    [() => erase({}, principalOf(CARDS)), "stream_forbidden"],
    [() => erase({}, principalOf(CLAIMS)), "stream_not_found"],
    [
      () => erase({ streamId: lifecycle_record.stream_id, eventId: lifecycle_record.stream_event_id }),
      "stream_class_closed",
    ],
  ] as const;
  for (const [erasure, code] of refused) await assert.rejects(erasure(), { code });
  assert.deepEqual(await stored(), before);
});

test("a repeated request that lost a payload is compared by what is left of it", async (t) => {
  const { asked, batch, erase, stored } = await erasing(t);
  await erase();
  const [one, two, three] = batch;
  assert.ok(one !== undefined && two !== undefined && three !== undefined);
  const answer = (await stored()).slice(0, 3);
  assert.deepEqual(plain(await asked("batch", batch)), answer);
  // Nothing is left of the erased payload with which a guess could be compared.
  assert.deepEqual(plain(await asked("batch", [one, { ...two, payload: { guess: 1 } }, three])), answer);
  const conflicting = [
    [{ ...one, payload: { other: 1 } }, two, three],
    [one, two, { ...three, payload: {} }],
    [one, { ...two, source_ref: "other" }, three],
    [one, { ...two, event_type: "other" }, three],
    [one, two],
    [one, two, three, loan(5)],
    [three, two, one],
  ];
  for (const events of conflicting)
    await assert.rejects(asked("batch", events), { code: "idempotency_conflict" }, JSON.stringify(events));
  assert.deepEqual(plain(await asked("single", [loan(4)])), (await stored()).slice(3));
});

test("erasures are found by their tenant, wait for the files in their order, and are marked by their names", async (t) => {
  const store = await storeWithStreams(t);
  const [own, other] = [eventOf("str_bank_3", 1), eventOf("str_insurer_3", 1)];
  await record(store, BANK, [own, ...[1, 2, 3].map((seqNo) => eventOf(STREAM, seqNo))]);
  await record(store, INSURER, [other, eventOf("str_insurer_1", 1)]);
  const insert = (tenantId: string, id: string, seconds: number, by = own) =>
    store.write((writer) =>
      insertErasure(writer, tenantId, {
        stream_event_id: id,
        lifecycle_event_id: by.stream_event_id,
        erased_at: at(seconds),
      }),
    );
  const ids = [1, 2, 3].map((seqNo) => eventOf(STREAM, seqNo).stream_event_id);
  const [one = "", two = "", three = ""] = ids;
  const foreign = eventOf("str_insurer_1", 1).stream_event_id;
  await insert(BANK, one, 3);
  await insert(BANK, two, 1);
  await insert(BANK, three, 4);
  await insert(INSURER, foreign, 2, other);
  const find = (tenantId: string, id: string) => store.read((reader) => findErasure(reader, tenantId, id));
  assert.deepEqual(
    { ...(await find(BANK, two)) },
    { stream_event_id: two, lifecycle_event_id: own.stream_event_id, erased_at: at(1) },
  );
  assert.equal((await find(INSURER, foreign))?.lifecycle_event_id, other.stream_event_id);
  assert.deepEqual(
    [await find(INSURER, two), await find(BANK, foreign), await find(BANK, "sev_none")],
    [null, null, null],
  );
  const waiting = (most: number) => store.read((reader) => unclearedErasures(reader, most));
  const before = (seconds: number) => store.read((reader) => erasuresInFiles(reader, at(seconds)));
  assert.deepEqual(
    [await waiting(9), await waiting(2)],
    [
      [two, foreign, one, three],
      [two, foreign],
    ],
  );
  assert.deepEqual([await before(1), await before(1.001), await before(3), await before(9)], [0, 1, 2, 4]);
  await store.write((writer) => markCleared(writer, [foreign, three], at(9)));
  assert.deepEqual([await waiting(9), await before(9)], [[two, one], 2]);
});
