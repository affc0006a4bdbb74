/** Batches of a queue are sent ahead: their order, and the outcome of each when something goes wrong. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { MemorySpool, type QueuedReceipt, SvcClient } from "../../src/index.ts";
import { FileSpool } from "../../src/node/index.ts";
import {
  client,
  freshStreamId,
  losing,
  noting,
  opened,
  reading,
  readings,
  recorded,
  refsOf,
  server,
  until,
} from "./queue-service.ts";

const root = mkdtempSync(join(tmpdir(), "svc-sent-ahead-"));
after(() => rmSync(root, { recursive: true }));

test("a full batch is sent while the one before is on its way, and recorded behind it", async () => {
  const streamId = await freshStreamId();
  const second = Promise.withResolvers<void>();
  const { own, sent } = noting(async (call, go) => {
    const response = await go();
    if (call === 2) second.resolve();
    // The first answer does not come before the second request has been recorded.
    await second.promise;
    return response;
  });
  const told: QueuedReceipt[] = [];
  const onReceipts = (receipts: readonly QueuedReceipt[]) => void told.push(...receipts);
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool(), onReceipts }, own);
  await Promise.all(readings(1, 2500).map((event) => stream.appendLater(event)));
  await queue.flush();
  assert.deepEqual(
    sent.map(({ count, after, status }) => [count, after, status]),
    [
      [1000, null, 201],
      [1000, sent[0]?.key, 201],
      [500, null, 201],
    ],
  );
  assert.deepEqual(refsOf(told), refsOf(readings(1, 2500)));
  assert.deepEqual(await recorded(streamId), refsOf(readings(1, 2500)));
  await queue.close();
});

test("two batches are sent ahead while receipts are checked and taken, each recorded behind the one before", async () => {
  const streamId = await freshStreamId();
  const third = Promise.withResolvers<void>();
  const { own, sent } = noting(async (call, go) => {
    const response = await go();
    if (call === 3) third.resolve();
    // The first answer does not come before the third request has been recorded.
    await third.promise;
    return response;
  });
  const told: number[] = [];
  const onReceipts = () => void told.push(sent.length);
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool(), maxBatchEvents: 2, onReceipts }, own);
  await Promise.all(readings(1, 12).map((event) => stream.appendLater(event)));
  await queue.flush();
  assert.deepEqual(told, [3, 4, 5, 6, 6, 6], "so many requests when the receipts of each batch have come");
  assert.deepEqual(
    sent.map(({ count, after, status }) => [count, after, status]),
    sent.map((_, index) => [2, sent[index - 1]?.key ?? null, 201]),
  );
  assert.deepEqual(await recorded(streamId), refsOf(readings(1, 12)));
  await queue.close();
});

test("no more is sent ahead behind batches that have to come again", async () => {
  const streamId = await freshStreamId();
  const cut = Promise.withResolvers<void>();
  const { own, sent } = noting(async (call, go) => {
    if (call === 2 || call === 3) {
      // The client has noted the failure by then.
      if (call === 3) setImmediate(cut.resolve);
      throw new TypeError("cut before it came");
    }
    const response = await go();
    if (call === 1) await cut.promise;
    return response;
  });
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool(), maxBatchEvents: 2 }, own);
  await Promise.all(readings(1, 8).map((event) => stream.appendLater(event)));
  await queue.flush();
  const [first, second, third] = sent.map(({ key }) => key);
  assert.deepEqual(
    sent.map(({ after, status }) => [after, status]),
    [
      [null, 201],
      [first, null],
      [second, null],
      [null, 201],
      [null, 201],
      [third, 201],
    ],
  );
  assert.deepEqual(
    sent.slice(3, 5).map(({ key }) => key),
    [second, third],
  );
  assert.deepEqual(await recorded(streamId), refsOf(readings(1, 8)));
  await queue.close();
});

test("a batch that overtakes the one before is not recorded, and comes again in its turn", async () => {
  const streamId = await freshStreamId();
  const second = Promise.withResolvers<void>();
  const { own, sent } = noting(async (call, go) => {
    if (call === 1) {
      await second.promise;
      throw new TypeError("cut before it came");
    }
    const response = await go();
    second.resolve();
    return response;
  });
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool() }, own);
  await Promise.all(readings(1, 2000).map((event) => stream.appendLater(event)));
  await queue.flush();
  assert.deepEqual(
    sent.map(({ after, status }) => [after, status]),
    [
      [null, null],
      [sent[0]?.key, 409],
      [null, 201],
      [null, 201],
    ],
  );
  assert.deepEqual([sent[2]?.key, sent[3]?.key], [sent[0]?.key, sent[1]?.key]);
  assert.deepEqual(await recorded(streamId), refsOf(readings(1, 2000)));
  await queue.close();
});

test("that a batch was sent too early, said in its turn, is the answer to another request", async () => {
  const streamId = await freshStreamId();
  const { own, sent } = noting(async (call, go) => {
    if (call === 1) return fetch(`${server.baseUrl}/v2/streams/${streamId}/events/batch?after_key=x`, other);
    return go();
  });
  const headers = { authorization: `Bearer ${server.apiKey}`, "content-type": "application/json" };
  const other = {
    method: "POST",
    headers: { ...headers, "idempotency-key": "another" },
    body: JSON.stringify({ events: readings(9, 9) }),
  };
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool() }, own);
  await stream.appendLater(reading(1));
  await queue.flush();
  assert.deepEqual(
    sent.map(({ status, key }) => [status, key]),
    [
      [409, sent[0]?.key],
      [201, sent[0]?.key],
    ],
  );
  assert.deepEqual(await recorded(streamId), refsOf(readings(1, 1)));
  await queue.close();
});

test("three batches whose answers are lost are the same three after a restart", async () => {
  const streamId = await freshStreamId();
  const folder = join(root, "three-batches");
  const all = Promise.withResolvers<void>();
  const first = noting(async (call, go) => {
    await go();
    if (call === 3) all.resolve();
    await all.promise;
    throw new TypeError("the connection was cut");
  });
  const options = () => ({ spool: new FileSpool({ folder }), maxBatchEvents: 500 });
  const one = await opened(streamId, options(), first.own);
  await Promise.all(readings(1, 1500).map((event) => one.stream.appendLater(event)));
  await all.promise;
  await one.queue.close();
  const second = noting((_call, go) => go());
  const two = await opened(streamId, options(), second.own);
  await Promise.all(readings(1501, 3000).map((event) => two.stream.appendLater(event)));
  await two.queue.flush();
  assert.deepEqual(
    second.sent.slice(0, 3).map(({ key, after }) => [key, after]),
    first.sent.slice(0, 3).map(({ key }) => [key, null]),
  );
  assert.deepEqual(await recorded(streamId), refsOf(readings(1, 3000)));
  await two.queue.close();
});

test("a batch that is taken apart leaves the one that was sent behind it as it is", async () => {
  const streamId = await freshStreamId();
  const { own, sent } = noting((_call, go) => go());
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool() }, own);
  const bad = reading(500, { occurred_at: "yesterday" });
  const events = [...readings(1, 499), bad, ...readings(501, 2000)];
  await Promise.all(events.map((event) => stream.appendLater(event)));
  await assert.rejects(queue.flush(), { code: "queue_stopped" });
  assert.deepEqual([queue.waiting().stopped?.first, queue.waiting().stopped?.last], [500, 500]);
  assert.deepEqual(await recorded(streamId), refsOf(readings(1, 499)));
  await queue.discard();
  await queue.flush();
  assert.deepEqual(await recorded(streamId), refsOf([...readings(1, 499), ...readings(501, 2000)]));
  const [, ahead] = sent;
  assert.deepEqual([ahead?.after, ahead?.status, sent.at(-1)?.key], [sent[0]?.key, 409, ahead?.key]);
  await queue.close();
});

test("a batch that is taken apart leaves both that were sent behind it as they are", async () => {
  const streamId = await freshStreamId();
  const { own, sent } = noting((_call, go) => go());
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool(), maxBatchEvents: 4 }, own);
  const bad = reading(2, { occurred_at: "yesterday" });
  await Promise.all([reading(1), bad, ...readings(3, 12)].map((event) => stream.appendLater(event)));
  await assert.rejects(queue.flush(), { code: "queue_stopped" });
  assert.deepEqual([queue.waiting().stopped?.first, queue.waiting().stopped?.last], [2, 2]);
  await queue.discard();
  await queue.flush();
  assert.deepEqual(await recorded(streamId), refsOf([reading(1), ...readings(3, 12)]));
  for (const { key } of sent.slice(1, 3))
    assert.deepEqual(
      sent.filter((request) => request.key === key).map(({ count, status }) => [count, status]),
      [
        [4, 409],
        [4, 201],
      ],
    );
  await queue.close();
});

test("receipts that do not hold stop nothing that was sent behind them from being held against them", async () => {
  const streamId = await freshStreamId();
  let lies = 0;
  const { own, sent } = noting(async (call, go) => {
    const response = await go();
    if (call !== 1) return response;
    lies += 1;
    return new Response((await response.text()).replace('"seq_no":7,', '"seq_no":8,'), { status: 201 });
  });
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool() }, own);
  await Promise.all(readings(1, 2000).map((event) => stream.appendLater(event)));
  await queue.flush();
  assert.deepEqual([lies, sent.length], [1, 3], "the first is asked for again, the second is not");
  assert.deepEqual(await recorded(streamId), refsOf(readings(1, 2000)));
  await queue.close();
});

test("what fails while receipts are checked refuses nothing: the batch was recorded", async () => {
  const page = () => new Response("<html>too large</html>", { status: 413 });
  const refusal = () => Response.json({ detail: { code: "invalid_request", message: "not so" } }, { status: 422 });
  for (const answer of [page, refusal]) {
    const streamId = await freshStreamId();
    let isAsked = false;
    const own: typeof fetch = (input, init) => {
      // The client reads the other writer's event before it takes the receipts behind that.
      if (init?.method !== "GET" || isAsked) return fetch(input, init);
      isAsked = true;
      return Promise.resolve(answer());
    };
    const { stream, queue } = await opened(streamId, { spool: new MemorySpool() }, own);
    await (await stream.appendLater(reading(1))).receipt;
    await client.stream(streamId).append(reading(2));
    await Promise.all(readings(3, 6).map((event) => stream.appendLater(event)));
    await assert.rejects(queue.flush(), { code: "queue_stopped" });
    assert.deepEqual([isAsked, queue.waiting().stopped?.maybeRecorded], [true, true]);
    queue.resume();
    await queue.flush();
    assert.deepEqual(await recorded(streamId), refsOf(readings(1, 6)));
    await queue.close();
  }
});

test("one that came too early by its second attempt may still be recorded by its first", async () => {
  const streamId = await freshStreamId();
  const refused = Promise.withResolvers<void>();
  let first: (() => Promise<Response>) | null = null;
  let aheadKey: string | null = null;
  const late: typeof fetch = async (input, init) => {
    const key = new Headers(init?.headers).get("idempotency-key");
    if (init?.method !== "POST") return fetch(input, init);
    if (String(input).includes("after_key")) {
      if (first === null) {
        first = () => fetch(input, { ...init, signal: null });
        aheadKey = key;
        throw new TypeError("cut, but it comes late");
      }
      const answer = await fetch(input, init);
      refused.resolve();
      return answer;
    }
    if (key === aheadKey) return new Response("<html>too large</html>", { status: 413 });
    await refused.promise;
    const answer = await fetch(input, init);
    assert.equal((await first?.())?.status, 201);
    return answer;
  };
  const stream = new SvcClient({ ...server, fetch: late, maxAttempts: 2 }).stream(streamId);
  const queue = await stream.openQueue({ spool: new MemorySpool(), maxBatchEvents: 2 });
  await Promise.all(readings(1, 4).map((event) => stream.appendLater(event)));
  await assert.rejects(queue.flush(), { code: "queue_stopped" });
  assert.deepEqual([queue.waiting().stopped?.status, queue.waiting().stopped?.maybeRecorded], [413, true]);
  assert.deepEqual(await recorded(streamId), refsOf(readings(1, 4)));
  await queue.close();
});

test("a batch whose first attempt may have been recorded is not taken apart by its second", async () => {
  const streamId = await freshStreamId();
  let attempts = 0;
  const lost: typeof fetch = async (input, init) => {
    if (init?.method !== "POST") return fetch(input, init);
    attempts += 1;
    if (attempts > 1) return new Response("<html>too large</html>", { status: 413 });
    await fetch(input, init);
    throw new TypeError("the answer is lost");
  };
  const stream = new SvcClient({ ...server, fetch: lost, maxAttempts: 2 }).stream(streamId);
  const queue = await stream.openQueue({ spool: new MemorySpool() });
  await Promise.all(readings(1, 4).map((event) => stream.appendLater(event)));
  await assert.rejects(queue.flush(), { code: "queue_stopped" });
  assert.deepEqual([attempts, queue.waiting().stopped?.events.length], [2, 4]);
  assert.deepEqual(await recorded(streamId), refsOf(readings(1, 4)));
  await queue.close();
});

test("a batch that cannot be read back after a restart may have been recorded", async () => {
  const streamId = await freshStreamId();
  const spool = new MemorySpool();
  const lost = await opened(streamId, { spool }, losing(() => true).own);
  await Promise.all(readings(1, 3).map((event) => lost.stream.appendLater(event)));
  await until(() => lost.queue.waiting().lastError !== null);
  await lost.queue.close();
  const read = spool.read.bind(spool);
  let fails = 1;
  spool.read = (...given) => (fails-- > 0 ? Promise.reject(new Error("EIO")) : read(...given));
  const { queue } = await opened(streamId, { spool });
  await assert.rejects(queue.flush(), { code: "queue_stopped" });
  const { stopped } = queue.waiting();
  assert.deepEqual(
    [stopped?.code, stopped?.maybeRecorded, stopped?.first, stopped?.last],
    ["spool_failed", true, 1, 3],
  );
  queue.resume();
  await queue.flush();
  assert.deepEqual(await recorded(streamId), refsOf(readings(1, 3)));
  await queue.close();
});

/** Returns an answer as a proxy passes it on that drops its headers. */
async function stripped(answer: Response): Promise<Response> {
  return new Response(await answer.text(), { status: answer.status });
}

/** Gives each of the first two requests the answer to the other. */
function swapping(passOn: (answer: Response) => Promise<Response>) {
  const [one, two] = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()];
  return noting(async (call, go) => {
    if (call > 2) return go();
    if (call === 2) await one.promise;
    (call === 1 ? one : two).resolve(await passOn(await go()));
    return call === 1 ? two.promise : one.promise;
  }).own;
}

test("answers that are mixed up are asked for again", async () => {
  const streamId = await freshStreamId();
  const own = swapping(async (answer) => answer);
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool(), maxBatchEvents: 2 }, own);
  // The events are equal: only their places tell them apart.
  const queued = await Promise.all([1, 1, 1, 1].map((number) => stream.appendLater(reading(number))));
  await queue.flush();
  const receipts = await Promise.all(queued.map(({ receipt }) => receipt));
  assert.deepEqual(
    receipts.map(({ seq_no }) => seq_no),
    [1, 2, 3, 4],
  );
  assert.equal((await recorded(streamId)).length, 4);
  await queue.close();
});

test("receipts that stay those of another request stop the queue in the end", async () => {
  const streamId = await freshStreamId();
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool(), maxBatchEvents: 2 }, swapping(stripped));
  await Promise.all([1, 1, 1, 1].map((number) => stream.appendLater(reading(number))));
  await assert.rejects(queue.flush(), { code: "queue_stopped" });
  assert.equal(queue.waiting().stopped?.code, "answer_mismatch");
  assert.equal((await recorded(streamId)).length, 4);
  await queue.close();
});

test("a refusal counts for the batch that it names only: another may have been recorded", async () => {
  const refusal = await fetch(`${server.baseUrl}/v2/streams/${server.streamId}/events/batch`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${server.apiKey}`,
      "content-type": "application/json",
      "idempotency-key": "another's",
    },
    body: '{"events":[]}',
  });
  assert.deepEqual([refusal.status, refusal.headers.get("idempotency-key")], [422, "another's"]);
  for (const [passOn, stops] of [
    [async (answer: Response) => answer, false],
    [stripped, true],
  ] as const) {
    const streamId = await freshStreamId();
    const answer = await passOn(refusal.clone());
    const { own } = noting(async (call, go) => {
      const response = await go();
      return call === 1 ? answer : response;
    });
    const { stream, queue } = await opened(streamId, { spool: new MemorySpool() }, own);
    await Promise.all(readings(1, 4).map((event) => stream.appendLater(event)));
    if (stops) {
      await assert.rejects(queue.flush(), { code: "queue_stopped" });
      assert.deepEqual([queue.waiting().stopped?.events.length, queue.waiting().stopped?.maybeRecorded], [4, true]);
      queue.resume();
    }
    await queue.flush();
    assert.deepEqual(await recorded(streamId), refsOf(readings(1, 4)));
    await queue.close();
  }
});
