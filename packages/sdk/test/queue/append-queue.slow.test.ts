/** The append queue against the real server: order, receipts, restarts, refusals, and reports to the program. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import {
  type EventInput,
  MemorySpool,
  type PublicKeyHex,
  pinKeys,
  type QueuedReceipt,
  type QueueStop,
  referenceKernel,
  SvcError,
  verify,
} from "../../src/index.ts";
import { FileSpool } from "../../src/node/index.ts";
import {
  client,
  DAY_MS,
  freshStreamId,
  losing,
  nobody,
  noting,
  opened,
  reading,
  readings,
  recorded,
  refsOf,
  server,
  small,
  until,
} from "./queue-service.ts";

const root = mkdtempSync(join(tmpdir(), "svc-queue-"));
after(() => rmSync(root, { recursive: true }));

test("events are recorded in the order in which they were given, and each gets its receipt", async () => {
  const streamId = await freshStreamId();
  const told: QueuedReceipt[] = [];
  const { stream, queue } = await opened(streamId, {
    spool: new MemorySpool(),
    onReceipts: (receipts) => void told.push(...receipts),
  });
  const queued = await Promise.all(readings(1, 2500).map((event) => stream.appendLater(event)));
  assert.deepEqual(
    queued.map(({ position }) => position),
    Array.from({ length: 2500 }, (_, index) => index + 1),
  );
  const early = queued[7]?.receipt;
  await queue.flush();
  assert.deepEqual(await recorded(streamId), refsOf(readings(1, 2500)));
  // The receipts are asked for after they came.
  const receipts = await Promise.all(queued.map(({ receipt }) => receipt));
  assert.deepEqual(receipts, told);
  assert.equal(await early, receipts[7]);
  const trust = pinKeys(referenceKernel, [server.publicKeyHex as PublicKeyHex]);
  for (const receipt of [receipts[0], receipts.at(-1)])
    assert.equal(verify(new TextEncoder().encode(JSON.stringify(receipt)), { trust }).verdict, "verified");
  const { events, bytes, appends, oldestAt, sending, stopped } = queue.waiting();
  assert.deepEqual([events, bytes, appends, oldestAt, sending, stopped], [0, 0, 0, null, 0, null]);
  await queue.close();
});

test("what waits outlives the program, and a batch whose answer was lost is the same one after it", async () => {
  const streamId = await freshStreamId();
  const folder = join(root, "restart");
  const first = losing(() => true);
  const one = await opened(streamId, { spool: new FileSpool({ folder }) }, first.own);
  for (const event of readings(1, 20)) await one.stream.appendLater(event);
  await until(() => one.queue.waiting().lastError?.code === "no_answer");
  const waiting = one.queue.waiting();
  assert.equal(waiting.events, 20);
  assert.ok(waiting.bytes > 20 * JSON.stringify(reading(1)).length && (waiting.oldestAt ?? 0) > Date.now() - 60_000);
  await one.queue.close();
  const told: QueuedReceipt[] = [];
  const second = losing(() => false);
  const options = {
    spool: new FileSpool({ folder }),
    onReceipts: (receipts: readonly QueuedReceipt[]) => void told.push(...receipts),
  };
  const two = await opened(streamId, options, second.own);
  await two.stream.appendLater(reading(21));
  await two.queue.flush();
  assert.deepEqual(await recorded(streamId), refsOf(readings(1, 21)));
  assert.deepEqual(refsOf(told), refsOf(readings(1, 21)));
  assert.deepEqual(second.sent[0], first.sent[0]);
  await two.queue.close();
});

test("answers that are lost, or belong to another request, take nothing out and record nothing twice", async () => {
  const streamId = await freshStreamId();
  const older: Response[] = [];
  let calls = 0;
  const confused: typeof fetch = async (input, init) => {
    calls += 1;
    const response = await fetch(input, init);
    older.push(response.clone());
    if (calls === 2) throw new TypeError("cut");
    if (calls === 4) return older[0]?.clone() ?? response;
    if (calls === 6) return new Response("<html>back soon</html>", { status: 200 });
    return response;
  };
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool() }, confused);
  const seqNos: number[] = [];
  // The event is the same each time, so that only its place tells its receipt from the one before.
  for (let round = 0; round < 4; round++) {
    const { receipt } = await stream.appendLater(reading(1));
    seqNos.push((await receipt).seq_no);
  }
  assert.deepEqual([seqNos, calls], [[1, 2, 3, 4], 7]);
  await queue.close();
});

for (const [what, changes, code] of [
  ["no time zone", { occurred_at: "2026-03-01T09:30:00" }, "timezone_required"],
  ["a payload that is too large", { payload: { text: "x".repeat(300_000) } }, "payload_too_large"],
  ["a payload that nests too deep", { payload: { list: JSON.parse("[".repeat(40) + "]".repeat(40)) } }, "too_deep"],
  ["no name", { event_type: "" }, "invalid_request"],
] as const)
  test(`an event with ${what} stops the queue, and nothing before it waits for it`, async () => {
    const streamId = await freshStreamId();
    const stops: QueueStop[] = [];
    const { stream, queue } = await opened(streamId, {
      spool: new MemorySpool(),
      onStopped: (stop) => stops.push(stop),
    });
    const bad = reading(12, changes);
    const queued = await Promise.all(
      [...readings(1, 11), bad, ...readings(13, 30)].map((event) => stream.appendLater(event)),
    );
    await assert.rejects(queue.flush(), { name: "QueueError", code: "queue_stopped" });
    assert.deepEqual(await recorded(streamId), refsOf(readings(1, 11)));
    const [{ first, last, events, maybeRecorded } = assert.fail("no stop")] = stops;
    assert.deepEqual([first, last, maybeRecorded, events], [12, 12, false, [JSON.parse(JSON.stringify(bad))]]);
    assert.deepEqual([queue.waiting().stopped, stops[0]?.code, queue.waiting().events], [stops[0], code, 19]);
    // It stops again at the same batch, as long as nobody decides.
    queue.resume();
    await assert.rejects(queue.flush(), { code: "queue_stopped" });
    const discarded = queue.discard();
    await assert.rejects(queue.discard(), TypeError, "by one caller");
    assert.deepEqual(await discarded, events);
    await queue.flush();
    await assert.rejects(queued[11]?.receipt ?? assert.fail(), { code: "event_discarded" });
    assert.equal((await queued[12]?.receipt)?.seq_no, 12);
    assert.deepEqual(await recorded(streamId), refsOf([...readings(1, 11), ...readings(13, 30)]));
    await assert.rejects(queue.discard(), TypeError);
    await queue.close();
  });

test("a batch that had no answer, and is then refused for one event, is taken apart too", async () => {
  const streamId = await freshStreamId();
  let calls = 0;
  const late: typeof fetch = (input, init) => (++calls === 1 ? nobody : fetch)(input, init);
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool() }, late);
  const events = [...readings(1, 4), reading(5, { occurred_at: "yesterday" }), ...readings(6, 9)];
  await Promise.all(events.map((event) => stream.appendLater(event)));
  await assert.rejects(queue.flush(), { code: "queue_stopped" });
  const { stopped } = queue.waiting();
  assert.deepEqual([stopped?.first, stopped?.last, stopped?.maybeRecorded], [5, 5, false]);
  await queue.discard();
  await queue.flush();
  assert.deepEqual(await recorded(streamId), refsOf([...readings(1, 4), ...readings(6, 9)]));
  await queue.close();
});

test("a key that is refused stops the queue at the whole batch, and the same batch goes on", async () => {
  const streamId = await freshStreamId();
  let isRevoked = true;
  const keys: (string | null)[] = [];
  const revoked: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    keys.push(headers.get("idempotency-key"));
    if (isRevoked) headers.set("authorization", "Bearer svc_revoked");
    return fetch(input, { ...init, headers });
  };
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool() }, revoked);
  await Promise.all(readings(1, 5).map((event) => stream.appendLater(event)));
  await assert.rejects(queue.flush(), { code: "queue_stopped" });
  const { stopped } = queue.waiting();
  assert.deepEqual([stopped?.code, stopped?.status, stopped?.events.length], ["unauthorized", 401, 5]);
  assert.equal(stopped?.maybeRecorded, true, "an attempt before may have been recorded");
  isRevoked = false;
  queue.resume();
  await queue.flush();
  assert.equal(new Set(keys).size, 1);
  assert.deepEqual(await recorded(streamId), refsOf(readings(1, 5)));
  await queue.close();
});

test("a batch that may have been recorded is not sent when its key may be forgotten", async () => {
  const streamId = await freshStreamId();
  const folder = join(root, "old");
  const start = Date.now();
  const at = (days: number) => ({ spool: new FileSpool({ folder }), now: () => start + days * DAY_MS });
  const lost = await opened(streamId, at(0), losing(() => true).own);
  await Promise.all(readings(1, 3).map((event) => lost.stream.appendLater(event)));
  await until(() => lost.queue.waiting().lastError !== null);
  await lost.queue.close();

  const late = losing(() => false);
  const { queue, stream } = await opened(streamId, at(28), late.own);
  await assert.rejects(queue.flush(), { code: "queue_stopped" });
  const { stopped } = queue.waiting();
  assert.deepEqual([stopped?.code, stopped?.maybeRecorded, late.sent], ["batch_too_old", true, []]);
  // The stream has them, so they leave the queue.
  assert.deepEqual(await recorded(streamId), refsOf(readings(1, 3)));
  assert.deepEqual(refsOf(await queue.discard()), refsOf(readings(1, 3)));
  await stream.appendLater(reading(4));
  await queue.flush();
  assert.deepEqual(await recorded(streamId), refsOf(readings(1, 4)));
  await queue.close();
});

test("the same of a batch that was not recorded: it is sent anew; and one that is not too old is just sent", async () => {
  const streamId = await freshStreamId();
  const folder = join(root, "old-unrecorded");
  const start = Date.now();
  const at = (days: number) => ({ spool: new FileSpool({ folder }), now: () => start + days * DAY_MS });
  const unsent = await opened(streamId, at(0), nobody);
  await unsent.stream.appendLater(reading(1));
  await until(() => unsent.queue.waiting().lastError !== null);
  await unsent.queue.close();
  const { queue } = await opened(streamId, at(28));
  await assert.rejects(queue.flush(), { code: "queue_stopped" });
  queue.resume({ anew: true });
  await queue.flush();
  await queue.close();
  const later = await opened(streamId, at(28), nobody);
  await later.stream.appendLater(reading(2));
  await until(() => later.queue.waiting().lastError !== null);
  await later.queue.close();
  const inTime = await opened(streamId, at(28 + 26));
  await inTime.queue.flush();
  assert.deepEqual(await recorded(streamId), refsOf(readings(1, 2)));
  await inTime.queue.close();
});

test("a batch of a time far ahead of the clock is of an age that nobody knows", async () => {
  const streamId = await freshStreamId();
  const folder = join(root, "ahead-of-the-clock");
  const start = Date.now();
  const at = (days: number) => ({ spool: new FileSpool({ folder }), now: () => start + days * DAY_MS });
  const lost = losing(() => true);
  const ahead = await opened(streamId, at(365), lost.own);
  await ahead.stream.appendLater(reading(1));
  await until(() => ahead.queue.waiting().lastError !== null);
  await ahead.queue.close();
  const putBack = await opened(streamId, at(0));
  await assert.rejects(putBack.queue.flush(), { code: "queue_stopped" });
  assert.equal(putBack.queue.waiting().stopped?.code, "batch_too_old");
  await putBack.queue.close();
  const slightly = await opened(streamId, at(364));
  await slightly.queue.flush();
  assert.deepEqual(await recorded(streamId), ["reading-1"]);
  await slightly.queue.close();
});

test("a batch that is too large for what is between is taken apart", async () => {
  const streamId = await freshStreamId();
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool() }, small(300));
  await Promise.all(readings(1, 2300).map((event) => stream.appendLater(event)));
  await queue.flush();
  assert.deepEqual(await recorded(streamId), refsOf(readings(1, 2300)));
  await queue.close();
});

test("one that may have been recorded before is not: under another key it could appear twice", async () => {
  const streamId = await freshStreamId();
  let calls = 0;
  const own = small(3);
  const late: typeof fetch = async (input, init) => {
    calls += 1;
    if (calls > 1) return own(input, init);
    await fetch(input, init);
    throw new TypeError("the answer is lost");
  };
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool() }, late);
  await Promise.all(readings(1, 8).map((event) => stream.appendLater(event)));
  await assert.rejects(queue.flush(), { code: "queue_stopped" });
  const { stopped } = queue.waiting();
  assert.deepEqual([stopped?.status, stopped?.events.length, stopped?.maybeRecorded], [413, 8, true]);
  assert.deepEqual(await recorded(streamId), refsOf(readings(1, 8)));
  await queue.close();
});

test("how many events are sent together can be limited, within what the service takes", async () => {
  const streamId = await freshStreamId();
  const { own, sent } = noting((_call, go) => go());
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool(), maxBatchEvents: 3 }, own);
  await Promise.all(readings(1, 8).map((event) => stream.appendLater(event)));
  await queue.flush();
  assert.deepEqual(
    sent.map(({ count }) => count),
    [3, 3, 2],
  );
  assert.deepEqual(await recorded(streamId), refsOf(readings(1, 8)));
  await queue.close();
  for (const maxBatchEvents of [0, 1001, 1.5, Number.NaN])
    await assert.rejects(opened(streamId, { spool: new MemorySpool(), maxBatchEvents }), RangeError);
});

test("what is recorded is what was given, whatever names it has", async () => {
  const streamId = await freshStreamId();
  // V8 13 and 14 would read the second name as the first one (nodejs/node#63785).
  const names = ["ab\\", "ab\n", 'ab"', "__proto__", "1"];
  const told: QueuedReceipt[] = [];
  const onReceipts = (receipts: readonly QueuedReceipt[]) => void told.push(...receipts);
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool(), onReceipts });
  await Promise.all(
    names.map((name, index) => stream.appendLater(reading(index + 1, { payload: { q: 1, [name]: 2 } }))),
  );
  await queue.flush();
  assert.deepEqual(
    told.map((receipt) => ("payload" in receipt ? Object.keys(receipt.payload ?? {}).toSorted() : null)),
    names.map((name) => ["q", name].toSorted()),
  );
  await queue.close();
});

test("an append waits while the spool is full", async () => {
  const streamId = await freshStreamId();
  const maxBytes = JSON.stringify(reading(1)).length * 3;
  let isThere = false;
  const absent: typeof fetch = (input, init) => (isThere ? fetch : nobody)(input, init);
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool({ maxBytes }) }, absent);
  const appended: number[] = [];
  const all = readings(1, 9).map(async (event) => appended.push((await stream.appendLater(event)).position));
  await until(() => queue.waiting().lastError !== null);
  assert.deepEqual([queue.waiting().events, queue.waiting().appends, appended], [3, 6, [1, 2, 3]]);
  isThere = true;
  await Promise.all(all);
  // An event larger than the spool goes into an empty spool.
  await stream.appendLater(reading(10, { payload: { text: "x".repeat(maxBytes) } }));
  await queue.flush();
  assert.deepEqual(await recorded(streamId), refsOf(readings(1, 10)));
  await queue.close();
});

test("receipts that the program does not take stay due", async () => {
  const streamId = await freshStreamId();
  const told: string[][] = [];
  const onReceipts = async (receipts: readonly QueuedReceipt[]) => {
    told.push(receipts.map(({ event_hash }) => event_hash));
    // This error of the program only looks like a refusal of the batch.
    if (told.length === 1) throw new SvcError("invalid_request", "the program's own disk is full", 422);
  };
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool(), onReceipts });
  const [{ receipt }] = await Promise.all([stream.appendLater(reading(1)), stream.appendLater(reading(2))]);
  await assert.rejects(queue.flush(), { code: "queue_stopped", message: /the program's own disk is full/ });
  assert.deepEqual(
    [queue.waiting().stopped?.code, queue.waiting().stopped?.maybeRecorded],
    ["receipts_not_taken", true],
  );
  queue.resume();
  await queue.flush();
  assert.deepEqual([told.length, told[0], told[0]?.[0]], [2, told[1], (await receipt).event_hash]);
  assert.deepEqual(await recorded(streamId), ["reading-1", "reading-2"]);
  await queue.close();
});

test("a queue that is closed takes nothing more, and says so to everybody who waits", async () => {
  const streamId = await freshStreamId();
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool({ maxBytes: 1 }) }, nobody);
  const { receipt } = await stream.appendLater(reading(1));
  const blocked = stream.appendLater(reading(2));
  const waits = [receipt, blocked, queue.flush()].map((promise) => assert.rejects(promise, { code: "queue_closed" }));
  await until(() => queue.waiting().appends === 1);
  await queue.close();
  await Promise.all(waits);
  await assert.rejects(stream.appendLater(reading(3)), { code: "queue_closed" });
  await queue.close();
});

test("flush waits for what is on its way into the spool, and waiting counts it", async () => {
  const streamId = await freshStreamId();
  let [letIn, arrive] = [() => {}, () => {}];
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    letIn = resolve;
  });
  class SlowSpool extends MemorySpool {
    override async add(events: Parameters<MemorySpool["add"]>[0]) {
      arrive();
      await gate;
      await super.add(events);
    }
  }
  const { stream, queue } = await opened(streamId, { spool: new SlowSpool() });
  const given = stream.appendLater(reading(1));
  await arrived;
  assert.deepEqual([queue.waiting().events, queue.waiting().appends], [0, 1]);
  const flushed = queue.flush().then(() => recorded(streamId));
  // A caller that does not wait for it gets here first.
  await new Promise((resolve) => setImmediate(resolve));
  letIn();
  assert.deepEqual(await flushed, refsOf([reading(1)]));
  assert.deepEqual([(await given).position, queue.waiting().appends], [1, 0]);
  await queue.close();
});

test("resume while the program discards does nothing: what is discarded is not sent again", async () => {
  const streamId = await freshStreamId();
  let settle = () => {};
  const gate = new Promise<void>((resolve) => {
    settle = resolve;
  });
  class SlowSpool extends MemorySpool {
    override async settle(done: number, doneSeqNo: number) {
      await gate;
      await super.settle(done, doneSeqNo);
    }
  }
  let sent = 0;
  const counting: typeof fetch = (...request) => {
    sent += 1;
    return fetch(...request);
  };
  let stop = (_stop: QueueStop) => {};
  const stopped = new Promise<QueueStop>((resolve) => {
    stop = resolve;
  });
  const { stream, queue } = await opened(
    streamId,
    { spool: new SlowSpool(), onStopped: (each) => stop(each) },
    counting,
  );
  const queued = await stream.appendLater(reading(1, { occurred_at: "yesterday" }));
  await stopped;
  const before = sent;
  const discarded = queue.discard();
  queue.resume();
  queue.resume({ anew: true });
  await assert.rejects(queue.discard(), TypeError);
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(sent, before, "the discarded event was sent again");
  settle();
  assert.equal((await discarded).length, 1);
  await assert.rejects(queued.receipt, { code: "event_discarded" });
  await stream.appendLater(reading(2));
  await queue.flush();
  assert.deepEqual([queue.waiting().events, queue.waiting().bytes], [0, 0]);
  assert.deepEqual(await recorded(streamId), refsOf([reading(2)]));
  await queue.close();
});

test("what is no event, and a stream without a queue", async () => {
  const streamId = await freshStreamId();
  await assert.rejects(client.stream(streamId).appendLater(reading(1)), TypeError);
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool() });
  await assert.rejects(stream.openQueue({ spool: new MemorySpool() }), TypeError);
  // The event is sent as it was when it was given.
  const event: { -readonly [Name in keyof EventInput]: EventInput[Name] } = reading(1);
  const given = stream.appendLater(event);
  event.source_ref = "changed afterwards";
  await given;
  for (const value of [null, "text", 1, []])
    await assert.rejects(stream.appendLater(value as unknown as EventInput), { code: "not_an_event" });
  await queue.flush();
  await queue.close();
  const again = await stream.openQueue({ spool: new MemorySpool() });
  await (await stream.appendLater(reading(2))).receipt;
  assert.deepEqual(await recorded(streamId), ["reading-1", "reading-2"]);
  await again.close();
});
