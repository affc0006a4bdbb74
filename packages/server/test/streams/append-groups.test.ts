/** Appending in groups: the members of one commit, the outcome of each, and the effect of a failure on all of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type EventInput, ZERO_HASH } from "@svc/core";
import type { Principal } from "@svc/host/principal";
import { type Database, WriteConflict } from "@svc/host/store";
import { loan } from "@svc/testkit/server/loan";
import { Idempotency } from "../../src/idempotency/idempotency.ts";
import { findIdempotencyRecord } from "../../src/idempotency/store.ts";
import { kernel } from "../../src/kernel.ts";
import { declarePolicy } from "../../src/policies/declare-policy.ts";
import { Append } from "../../src/streams/append.ts";
import type { AlongWithEvents } from "../../src/streams/append-request.ts";
import { type AppendRequest, prepareRequest } from "../../src/streams/appending.ts";
import { type EventRow, eventsOfRange } from "../../src/streams/events-store.ts";
import { eventOf } from "../../src/streams/logged-event.ts";
import { appended, recorded } from "../../src/streams/recorded.ts";
import { findStream, insertStream, moveWindows } from "../../src/streams/streams-store.ts";
import { contextUnderTest, failingWrites, heard } from "../context-under-test.ts";
import { at, BANK, CARDS, LOANS, plain, principalOf, streamOf } from "../store-under-test.ts";

async function appending(t: Parameters<typeof contextUnderTest>[0], around?: (database: Database) => Database) {
  const made = await contextUnderTest(t, around);
  const append = new Append(made.context, new Idempotency(made.context));
  const groups = heard(made.context, recorded);
  const counts = heard(made.context, appended);
  /** Appends a number of events by one request; all requests of one turn are one group, up to its limits. */
  const asked = (
    key: string,
    count = 1,
    changes: Partial<AppendRequest> = {},
    along: AlongWithEvents | null = null,
  ) => {
    const events: EventInput[] = Array.from({ length: count }, (_, index) => ({ ...loan(index), payload: { index } }));
    const request: AppendRequest = {
      principal: principalOf(LOANS),
      streamId: "str_bank_1",
      events,
      isBatch: true,
      idempotencyKey: key,
      headMatch: null,
      afterKey: null,
      bytes: new Uint8Array(),
      ...changes,
    };
    return append.append(prepareRequest(made.context, request), along);
  };
  const stored = () => made.store.read((reader) => eventsOfRange(reader, BANK, "str_bank_1", 1, 10_000));
  return { ...made, groups, counts, asked, stored };
}

test("256 requests at most are committed together, in the order in which they came", async (t) => {
  const { groups, counts, asked } = await appending(t);
  const answers = await Promise.all(Array.from({ length: 300 }, (_, index) => asked(`key-${index}`)));
  assert.deepEqual(
    answers.map((rows) => rows.map(({ seq_no }) => seq_no)),
    answers.map((_, index) => [index + 1]),
  );
  assert.deepEqual(counts, [256, 44]);
  assert.deepEqual(
    groups.map(({ last }) => last.seq_no),
    [256, 300],
  );
});

test("2000 events at most are committed together, and one larger request alone", async (t) => {
  const { counts, asked } = await appending(t);
  await Promise.all([asked("a", 1999), asked("b", 1), asked("c", 2001), asked("d", 1)]);
  assert.deepEqual(counts, [2000, 2001, 1]);
});

test("a group is one write, and is published once", async (t) => {
  const { state, around } = failingWrites();
  const { groups, asked } = await appending(t, around);
  const [, second] = await Promise.all([asked("a"), asked("b", 2), asked("c")]);
  assert.equal(state.writes, 1);
  assert.equal(groups.length, 1);
  assert.deepEqual(
    second?.map(({ seq_no }) => seq_no),
    [2, 3],
  );
  await Promise.all([asked("a"), asked("none", 1, { streamId: "str_none" }).catch(() => null)]);
  assert.deepEqual([state.writes, groups.length], [2, 1], "no message where nothing was recorded");
});

test("what cannot be written is refused to each of the group, with nothing of it left, and the next group is written", async (t) => {
  const { state, around } = failingWrites();
  const { groups, asked, stored } = await appending(t, around);
  for (const isAtCommit of [false, true]) {
    const failure = new Error("no disk");
    Object.assign(state, { failure, isAtCommit });
    const outcomes = await Promise.allSettled([asked("a"), asked("b"), asked("none", 1, { streamId: "str_none" })]);
    assert.deepEqual(
      outcomes.map((one) => one.status === "rejected" && one.reason === failure),
      [true, true, true],
    );
    assert.deepEqual([groups.length, await stored()], [0, []]);
  }
  state.failure = null;
  const [a, b] = await Promise.all([asked("a"), asked("b")]);
  assert.deepEqual(plain(await stored()), plain([...a, ...b]));
});

test("a group whose write is tried again is the same group", async (t) => {
  let tries = 0;
  const { counts, asked, stored } = await appending(t, (database) => ({
    maxWriters: 1,
    commits: 0,
    read: (work) => database.read(work),
    write: (work) =>
      database.write(async (writer) => {
        const result = await work(writer);
        if (++tries === 1) throw new WriteConflict("the head");
        return result;
      }),
    close: () => database.close(),
  }));
  const [a, b] = await Promise.all([asked("a"), asked("b", 2)]);
  assert.equal(tries, 2);
  assert.deepEqual(plain(await stored()), plain([...a, ...b]));
  assert.deepEqual(counts, [3]);
});

test("each of a group gets its own events, one that repeats another the same ones, and a refusal stops no other", async (t) => {
  const { asked, stored } = await appending(t);
  const [a, other, b, again] = await Promise.allSettled([
    asked("a", 2),
    asked("x", 1, { streamId: "str_none" }),
    asked("b"),
    asked("a", 2),
  ]);
  assert.ok(a.status === "fulfilled" && b.status === "fulfilled" && again.status === "fulfilled");
  assert.equal(other.status, "rejected");
  assert.deepEqual(again.value, a.value);
  assert.deepEqual(plain(await stored()), plain([...a.value, ...b.value]));
  assert.deepEqual(
    a.value.map(({ seq_no }) => seq_no),
    [1, 2],
  );
  assert.deepEqual(plain(await asked("a", 2)), plain(a.value), "in a later group");
});

test("who may not see a stream is refused also where another of the group has opened it", async (t) => {
  const { asked } = await appending(t);
  const kept: Principal = { ...principalOf(LOANS), limits: { actions: null, streams: ["str_bank_4"] } };
  const outcomes = await Promise.allSettled([
    asked("a"),
    asked("b", 1, { principal: principalOf(CARDS) }),
    asked("c", 1, { principal: kept }),
    asked("d"),
  ]);
  assert.deepEqual(
    outcomes.map((one) => (one.status === "rejected" ? one.reason.code : one.value.map(({ seq_no }) => seq_no))),
    [[1], "stream_forbidden", "stream_forbidden", [2]],
  );
});

test("the refusal of a request behind one that was not recorded names the stream", async (t) => {
  const { asked } = await appending(t);
  await assert.rejects(asked("b", 1, { afterKey: "a" }), {
    code: "predecessor_missing",
    details: { stream_id: "str_bank_1" },
  });
});

test("events enter a stream only by the route of its class", async (t) => {
  const { asked } = await appending(t);
  await assert.rejects(asked("a", 1, { streamId: "str_bank_3" }), { code: "stream_class_closed" });
  await assert.rejects(asked("b", 1, { streamId: "str_bank_5" }), { code: "event_log_stream" });
});

test("a request is kept under the time at which its first event was received", async (t) => {
  const { asked, context, store } = await appending(t);
  const [first] = await asked("a", 2);
  const scope = { tenantId: BANK, principalId: LOANS.systemId, route: "POST /v2/streams/{id}/events/batch", key: "a" };
  const kept = await store.read((reader) => findIdempotencyRecord(reader, scope));
  assert.ok(kept !== null && first !== undefined);
  const { request_mac: mac, ...rest } = kept;
  const events = [0, 1].map((index) => ({ ...loan(index), payload: { index } }));
  const canonical = context.kernel.canonicalize([scope.route, "str_bank_1", { events }]);
  assert.equal(mac, context.keyedHash.hash("request", canonical));
  assert.deepEqual(rest, { stream_id: "str_bank_1", from_seq_no: 1, to_seq_no: 2, result: null });
  const times = await store.read((reader) =>
    reader.all<{ created_at: string }>("SELECT created_at FROM idempotency_records"),
  );
  assert.deepEqual(plain(times), [{ created_at: first.received_at }]);
});

test("a group tells whether a stream of it now has a whole window of events that no window holds", async (t) => {
  const { store, groups, asked } = await appending(t);
  const [one, other] = ["str_three_1", "str_three_2"];
  await store.write(async (writer) => {
    await declarePolicy(writer, kernel, principalOf(LOANS), { policy_id: "three", window_max_events: 3 }, at(20));
    for (const streamId of [one, other]) await insertStream(writer, streamOf(LOANS, streamId, { policy_id: "three" }));
    await insertStream(writer, streamOf(LOANS, "str_endless", { policy_id: "none" }));
  });
  const isFull = async (...counts: [streamId: string, count: number][]) => {
    await Promise.all(counts.map(([streamId, count]) => asked(`${streamId} ${groups.length}`, count, { streamId })));
    return groups.at(-1)?.isWindowFull;
  };
  assert.equal(await isFull([one, 2]), false);
  assert.equal(await isFull([one, 1]), true);
  assert.equal(await isFull([other, 1]), false);
  assert.equal(await isFull([other, 1], [one, 1]), true);
  assert.equal(await isFull(["str_endless", 20]), false);
  await store.write(async (writer) => {
    const stream = await findStream(writer, BANK, one);
    assert.ok(stream !== null);
    await moveWindows(writer, stream, { toSeqNo: 3, unwindowedSince: at(1000), closedAt: at(1000) });
  });
  assert.equal(await isFull([one, 1]), false);
  assert.equal(await isFull([one, 1]), true);
});

test("requests of one group are compared with each other: by key, by head, and by the key before", async (t) => {
  const { asked } = await appending(t);
  const outcome = async (...requests: Promise<readonly EventRow[]>[]) =>
    (await Promise.allSettled(requests)).map((one) =>
      one.status === "rejected" ? [one.reason.code, one.reason.details] : one.value.map(({ seq_no }) => seq_no),
    );
  const own = { stream_id: "str_bank_1" };
  const missing = ["predecessor_missing", own];
  assert.deepEqual(await outcome(asked("a", 1), asked("a", 2), asked("b", 1, { afterKey: "a" })), [
    [1],
    ["idempotency_conflict", own],
    [2],
  ]);
  const elsewhere = { streamId: "str_bank_4" };
  assert.deepEqual(
    await outcome(
      asked("c", 1, { afterKey: "a" }),
      asked("d", 1, { afterKey: "e" }),
      asked("e", 1, elsewhere),
      asked("f", 1, { afterKey: "e" }),
      asked("g", 1, { ...elsewhere, afterKey: "e" }),
      asked("h", 1, { ...elsewhere, afterKey: "a" }),
    ),
    [[3], missing, [1], missing, [2], ["predecessor_missing", { stream_id: "str_bank_4" }]],
  );
  const [head] = await asked("c", 1, { afterKey: "a" });
  const moved = (await asked("i"))[0];
  assert.ok(head !== undefined && moved !== undefined);
  const conflict = ["sequence_conflict", { ...own, seq_no: 4, stream_head_hash: moved.stream_head_hash }];
  assert.deepEqual(await outcome(asked("j", 1, { headMatch: head.stream_head_hash })), [conflict]);
  const onHead = { headMatch: moved.stream_head_hash };
  const [first, second] = await outcome(asked("k", 1, onHead), asked("l", 1, onHead));
  assert.deepEqual([first, second?.[0]], [[5], "sequence_conflict"]);
  assert.deepEqual(
    await outcome(asked("m", 1, { streamId: "str_bank_2", principal: principalOf(CARDS), headMatch: ZERO_HASH })),
    [[1]],
  );
});

test("an event of a log keeps its status beside it, and one of any other stream none", async (t) => {
  const { asked, store } = await appending(t);
  const events = [
    eventOf({ type: "t", status: "done", occurred_at: "2026-03-01T10:00:00Z", source_ref: "r", payload: {} }),
  ];
  const [logged] = await asked("a", 1, { streamId: "str_bank_5", isLog: true, events });
  const [other] = await asked("a", 1, { events });
  assert.ok(logged !== undefined && other !== undefined);
  assert.match(logged.stream_event_id, /^sev_[0-9a-z]{26}$/);
  const sql = "SELECT stream_id, status, event_log_no FROM events ORDER BY stream_id";
  assert.deepEqual(plain(await store.read((reader) => reader.all<object>(sql))), [
    { stream_id: "str_bank_1", status: null, event_log_no: null },
    { stream_id: "str_bank_5", status: "done", event_log_no: 1 },
  ]);
});

test("rows of a caller are committed with its events, once, and with none that are refused", async (t) => {
  const { store, asked, stored } = await appending(t);
  await store.write((writer) => writer.script("CREATE TABLE callers (key TEXT NOT NULL, seq_nos TEXT NOT NULL)"));
  const along = (key: string, refusal: Error | null = null): AlongWithEvents => ({
    admit: async () => {
      if (refusal !== null) throw refusal;
    },
    store: async (writer, events) => {
      const seqNos = events.map(({ seq_no }) => seq_no).join(" ");
      await writer.run("INSERT INTO callers (key, seq_nos) VALUES ($1, $2)", key, seqNos);
    },
  });
  const kept = () =>
    store.read(async (reader) =>
      (await reader.all<{ key: string; seq_nos: string }>("SELECT key, seq_nos FROM callers ORDER BY seq_nos")).map(
        ({ key, seq_nos }) => [key, seq_nos],
      ),
    );
  const refusal = new Error("shut off");
  const outcomes = await Promise.allSettled([
    asked("a", 2, {}, along("a")),
    asked("refused", 1, {}, along("refused", refusal)),
    asked("b", 1, {}, along("b")),
    asked("a", 2, {}, along("a")),
  ]);
  assert.deepEqual(
    outcomes.map((one) => (one.status === "rejected" ? one.reason : one.value.map(({ seq_no }) => seq_no))),
    [[1, 2], refusal, [3], [1, 2]],
  );
  assert.deepEqual((await asked("b", 1, {}, along("b"))).length, 1, "a repeated request stores nothing again");
  assert.deepEqual(await kept(), [
    ["a", "1 2"],
    ["b", "3"],
  ]);
  // Rows that cannot be stored undo the group: no event is there without them.
  const failing: AlongWithEvents = { ...along("c"), store: () => Promise.reject(new Error("no room")) };
  const failed = await Promise.allSettled([asked("c", 1, {}, failing), asked("d")]);
  assert.deepEqual(
    failed.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  assert.equal((await stored()).length, 3);
  assert.equal((await kept()).length, 2);
});
