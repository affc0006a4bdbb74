/** The events of an export: by numbers, by times, by systems, and contradictory requests. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_EXPORT_EVENTS, MAX_EXPORT_STREAMS } from "@svc/api/limits";
import type { Principal } from "@svc/host/principal";
import { chooseEvents, type ExportRequest } from "../../src/exports/choose-events.ts";
import { findStream, insertStream, moveHeads } from "../../src/streams/streams-store.ts";
import {
  at,
  BANK,
  CARDS,
  eventOf,
  hashNo,
  INSURER,
  LOANS,
  principalOf,
  record,
  type Store,
  storeWithStreams,
  streamOf,
} from "../store-under-test.ts";

const OWN = principalOf(LOANS);

/** Resolves to a store with five events in one stream, received a second apart from 101 on, and two in another. */
async function recorded(t: Parameters<typeof storeWithStreams>[0]) {
  const store = await storeWithStreams(t);
  const numbers = [1, 2, 3, 4, 5];
  await record(
    store,
    BANK,
    numbers.map((seqNo) => eventOf("str_bank_1", seqNo)),
  );
  await record(
    store,
    BANK,
    [1, 2].map((seqNo) => eventOf("str_bank_4", seqNo)),
  );
  await record(store, INSURER, [eventOf("str_insurer_1", 1)]);
  const choose = async (request: ExportRequest, principal: Principal = OWN) => {
    const ranges = await store.read((reader) => chooseEvents(reader, principal, request));
    return ranges.map(({ stream_id, from_seq_no, to_seq_no }) => [stream_id, from_seq_no, to_seq_no]);
  };
  return { store, choose };
}

/** Sets the number of events in a stream's row; the events themselves do not exist. */
async function endAt({ write }: Store, streamId: string, seqNo: number): Promise<void> {
  await write(async (writer) => {
    const stream = await findStream(writer, BANK, streamId);
    assert.ok(stream !== null);
    await moveHeads(writer, [{ stream, seqNo, eventHash: hashNo(seqNo), receivedAt: at(1) }]);
  });
}

const streams = ["str_bank_1"];

test("a range is of one stream, by its numbers, both included; the end that is not given is the stream's", async (t) => {
  const { choose } = await recorded(t);
  assert.deepEqual(await choose({ streams }), [["str_bank_1", 1, 5]]);
  assert.deepEqual(await choose({ streams, from_seq_no: 2, to_seq_no: 4 }), [["str_bank_1", 2, 4]]);
  assert.deepEqual(await choose({ streams, from_seq_no: 5 }), [["str_bank_1", 5, 5]]);
  assert.deepEqual(await choose({ streams, to_seq_no: 5 }), [["str_bank_1", 1, 5]]);
  assert.deepEqual(await choose({ streams, to_seq_no: 1 }), [["str_bank_1", 1, 1]]);
  assert.deepEqual(await choose({ streams, from_seq_no: 3, to_seq_no: 3 }), [["str_bank_1", 3, 3]]);
});

test("a request that makes no sense is refused with its place", async (t) => {
  const { choose } = await recorded(t);
  const both = { streams: ["str_bank_1", "str_bank_4"] };
  const cases: readonly (readonly [ExportRequest, string, RegExp])[] = [
    [{}, "/streams", /must be given/],
    [{ received_from: at(1) }, "/streams", /must be given/],
    [{ ...both, from_seq_no: 1 }, "/from_seq_no", /single stream/],
    [{ ...both, to_seq_no: 1 }, "/from_seq_no", /single stream/],
    [{ streams, systems: [LOANS.systemId], from_seq_no: 1 }, "/from_seq_no", /single stream/],
    [{ systems: [LOANS.systemId], to_seq_no: 1 }, "/from_seq_no", /single stream/],
    [{ streams, from_seq_no: 3, to_seq_no: 2 }, "/to_seq_no", /at least from_seq_no, 3/],
    [{ streams, from_seq_no: 6 }, "/from_seq_no", /at most 5/],
    [{ streams, to_seq_no: 6 }, "/to_seq_no", /at most 5/],
    [{ streams, from_seq_no: 1, to_seq_no: 6 }, "/to_seq_no", /at most 5/],
  ];
  for (const [request, path, message] of cases) {
    const refused = await choose(request).then(
      () => assert.fail(`${JSON.stringify(request)} is taken`),
      (error) => error,
    );
    assert.deepEqual([refused.code, refused.details.problems.length], ["invalid_request", 1], JSON.stringify(request));
    const [problem] = refused.details.problems;
    assert.equal(problem.path, path, JSON.stringify(request));
    assert.match(problem.message, message);
  }
});

test("times choose what was received from one on and before another; parts of a millisecond are between two", async (t) => {
  const { choose } = await recorded(t);
  const time = (text: string) => `2026-03-01T10:01:${text}`;
  const cases: readonly (readonly [Omit<ExportRequest, "streams">, number, number])[] = [
    [{ received_from: time("43Z") }, 3, 5],
    [{ received_from: time("43.000Z") }, 3, 5],
    [{ received_from: time("43.0000000Z") }, 3, 5],
    [{ received_from: time("43.0000001Z") }, 4, 5],
    [{ received_from: time("43.00001Z") }, 4, 5],
    [{ received_from: time("42.9999Z") }, 3, 5],
    [{ received_before: time("43Z") }, 1, 2],
    [{ received_before: time("43.0000001Z") }, 1, 3],
    [{ received_before: time("43.001Z") }, 1, 3],
    [{ received_from: time("42Z"), received_before: time("44Z") }, 2, 3],
    [{ received_from: "2026-03-01T11:01:42+01:00" }, 2, 5],
    [{ received_from: at(0), received_before: at(900) }, 1, 5],
    [{ received_from: time("42Z"), from_seq_no: 3, to_seq_no: 4 }, 3, 4],
    [{ received_from: time("44Z"), from_seq_no: 3 }, 4, 5],
    [{ received_before: time("44Z"), to_seq_no: 2 }, 1, 2],
    [{ received_before: time("44Z"), to_seq_no: 5 }, 1, 3],
  ];
  for (const [request, from, to] of cases)
    assert.deepEqual(await choose({ streams, ...request }), [["str_bank_1", from, to]], JSON.stringify(request));
  for (const none of [{ received_from: at(106) }, { received_before: at(101) }])
    await assert.rejects(choose({ streams, ...none }), { code: "export_empty" });
});

test("a system stands for all of its streams that have such events, each once, as far as the key goes", async (t) => {
  const { choose } = await recorded(t);
  const systems = [LOANS.systemId];
  const all = [
    ["str_bank_1", 1, 5],
    ["str_bank_4", 1, 2],
  ];
  assert.deepEqual(await choose({ systems }), all);
  assert.deepEqual(await choose({ systems: [...systems, ...systems], streams: ["str_bank_4", "str_bank_4"] }), all);
  assert.deepEqual(await choose({ streams: ["str_bank_4", "str_bank_1"] }), all);
  assert.deepEqual(await choose({ systems, received_from: at(103) }), [["str_bank_1", 3, 5]]);
  const limits = { actions: null, streams: ["str_bank_4", "str_insurer_1"] };
  assert.deepEqual(await choose({ systems }, { ...OWN, limits }), [["str_bank_4", 1, 2]]);
  assert.deepEqual(await choose({ systems: [], streams }), [["str_bank_1", 1, 5]]);
});

test("another system's streams are refused, by the system and by the stream", async (t) => {
  const { choose } = await recorded(t);
  const systems = [LOANS.systemId];
  for (const principal of [principalOf(CARDS), { ...OWN, kind: "user" } as const])
    await assert.rejects(choose({ systems }, principal), { code: "system_forbidden" });
  await assert.rejects(choose({ systems: [LOANS.systemId, CARDS.systemId] }), { code: "system_forbidden" });
  await assert.rejects(choose({ streams }, principalOf(CARDS)), { code: "stream_forbidden" });
  await assert.rejects(choose({ streams: ["str_insurer_1"] }), { code: "stream_not_found" });
  const limits = { actions: null, streams: ["str_bank_4"] };
  await assert.rejects(choose({ streams }, { ...OWN, limits }), { code: "stream_forbidden" });
});

test("an export holds so many events at most, over all of its streams", async (t) => {
  const { store, choose } = await recorded(t);
  await endAt(store, "str_bank_5", MAX_EXPORT_EVENTS - 5);
  const two = { streams: ["str_bank_1", "str_bank_5"] };
  assert.equal((await choose(two)).length, 2);
  await assert.rejects(choose({ streams: [...two.streams, "str_bank_4"] }), { code: "range_too_large" });
  await endAt(store, "str_bank_4", 1);
  const many = { streams: ["str_bank_1", "str_bank_4", "str_bank_5"] };
  await assert.rejects(choose(many), { code: "range_too_large", message: /would hold 1000001 events/ });
});

test("an event that is missing in the middle is no place", async (t) => {
  const { store, choose } = await recorded(t);
  await endAt(store, "str_bank_5", 9);
  await assert.rejects(choose({ streams: ["str_bank_5"], received_from: at(1) }), /event 5 of str_bank_5 is missing/);
});

test("an export holds so many streams at most, those without events counted too", async (t) => {
  const { store, choose } = await recorded(t);
  const more = Array.from(
    { length: MAX_EXPORT_STREAMS - 3 },
    (_, index) => `str_more_${String(index).padStart(3, "0")}`,
  );
  await store.write(async (writer) => {
    for (const id of more) await insertStream(writer, streamOf(LOANS, id));
  });
  const systems = [LOANS.systemId];
  assert.equal((await choose({ systems })).length, 2);
  await store.write((writer) => insertStream(writer, streamOf(LOANS, "str_too_many")));
  await assert.rejects(choose({ systems }), { code: "range_too_large" });
});
