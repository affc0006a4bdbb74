/** When requests are sent again, and when a caller's signal ends them: on a clock that the tests control. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { SvcClient, SvcError } from "../src/index.ts";
import { pauseAfter, retryAfterMs } from "../src/retry.ts";

const BUSY = JSON.stringify({ detail: { code: "rate_limited", message: "Too many requests.", retry_after_s: 3 } });
const HEALTH = JSON.stringify({ status: "ok", version: "0.5.0" });

/** Returns a service that gives these answers in turn, and its requests. */
function answering(answers: readonly (() => Response)[]) {
  const asked: { readonly body: unknown; readonly key: string | null }[] = [];
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    asked.push({ body: init?.body, key: new Headers(init?.headers).get("idempotency-key") });
    return (answers[asked.length - 1] ?? assert.fail("asked once more than expected"))();
  };
  return { asked, client: new SvcClient({ baseUrl: "http://127.0.0.1:1", fetch }) };
}

const busy = (retryAfter: string) => () => new Response(BUSY, { status: 429, headers: { "retry-after": retryAfter } });
const healthy = () => new Response(HEALTH, { status: 200 });

/** Resolves when everything has happened that waits for no clock. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function holdClock(t: TestContext) {
  // The modules that the first answer loads are loaded on the real clock.
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: Date.UTC(2026, 2, 1) });
  return t.mock.timers;
}

test("a request is sent again no sooner than the service asks for, with the same body under the same key", async (t) => {
  await answering([healthy]).client.health();
  const timers = holdClock(t);
  const info = { export_id: "exp_01k3aaaaaaaaaaaaaaaaaaaaaa", state: "queued" };
  const { asked, client } = answering([busy("3"), () => new Response(JSON.stringify(info), { status: 201 })]);
  const made = client.exports.create({ streams: ["str_01k3aaaaaaaaaaaaaaaaaaaaaa"] });
  await settle();
  timers.tick(2_999);
  await settle();
  assert.equal(asked.length, 1, "not before it was asked for");
  timers.tick(1);
  assert.deepEqual(await made, info);
  assert.equal(asked.length, 2);
  assert.deepEqual(asked[1], asked[0]);
  assert.match(asked[0]?.key ?? "", /^[0-9a-f-]{36}$/);
});

test("a date to wait for is one too", async (t) => {
  await answering([healthy]).client.health();
  const timers = holdClock(t);
  const { asked, client } = answering([busy("Sun, 01 Mar 2026 00:00:05 GMT"), healthy]);
  const health = client.health();
  await settle();
  timers.tick(4_999);
  await settle();
  assert.equal(asked.length, 1);
  timers.tick(1);
  assert.equal((await health).status, "ok");
});

test("an answer that asks to wait for minutes is an error at once", async () => {
  const { asked, client } = answering([busy("61")]);
  await assert.rejects(client.health(), (error) => {
    assert.ok(error instanceof SvcError);
    assert.deepEqual([error.code, error.retryable, error.retryAfterMs], ["rate_limited", true, 61_000]);
    return true;
  });
  assert.equal(asked.length, 1);
});

test("a signal ends the pause before the next attempt, with its own reason", async (t) => {
  await answering([healthy]).client.health();
  holdClock(t);
  const { asked, client } = answering([busy("30")]);
  const stop = new AbortController();
  const health = client.health(stop.signal);
  await settle();
  const reason = new Error("enough");
  stop.abort(reason);
  await assert.rejects(health, (error) => error === reason);
  assert.equal(asked.length, 1);
});

test("a signal that is aborted ends the call as an abort, and nothing is sent", async () => {
  const { asked, client } = answering([healthy]);
  await assert.rejects(client.health(AbortSignal.abort()), { name: "AbortError" });
  assert.equal(asked.length, 0);
});

test("a service that does not answer in time has not answered", async (t) => {
  const silent: typeof fetch = (_input, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    });
  const timers = holdClock(t);
  const client = new SvcClient({ baseUrl: "http://127.0.0.1:1", fetch: silent, timeoutMs: 700, maxAttempts: 1 });
  const health = client.health();
  timers.tick(700);
  await assert.rejects(health, (error) => {
    assert.ok(error instanceof SvcError && error.code === "no_answer" && error.retryable);
    assert.equal((error.cause as Error).name, "TimeoutError");
    return true;
  });
});

test("a service that sends elsewhere is not followed", async () => {
  const { client } = answering([
    () => new Response(null, { status: 302, headers: { location: "http://other.example" } }),
  ]);
  await assert.rejects(client.health(), { name: "SvcError", code: "unexpected_answer", status: 302 });
});

test("an audit pack that is asked for twice is asked for under one key", async () => {
  const { asked, client } = answering([
    () => new Response("", { status: 503 }),
    () => new Response("{}", { status: 201 }),
  ]);
  await client.auditPackBytes({ stream_id: "str_01k3aaaaaaaaaaaaaaaaaaaaaa", from_seq_no: 1, to_seq_no: 2 });
  assert.equal(asked.length, 2);
  assert.match(asked[0]?.key ?? "", /^[0-9a-f-]{36}$/);
  assert.equal(asked[1]?.key, asked[0]?.key);
});

test("pauses grow to a bound, differ by chance, and are never shorter than asked for", () => {
  assert.deepEqual(
    [1, 2, 3, 8, 30].map((attempt) => pauseAfter(attempt, null, 0)),
    [50, 100, 200, 5_000, 5_000],
  );
  assert.equal(pauseAfter(1, null, 0.5), 75);
  assert.equal(pauseAfter(1, 3_000, 0.5), 3_000);
});

test("what a Retry-After says", () => {
  const now = Date.UTC(2026, 2, 1);
  const said = ["0", " 2 ", "Sun, 01 Mar 2026 00:00:05 GMT", "Sat, 28 Feb 2026 00:00:00 GMT", "soon", "-1x", null];
  assert.deepEqual(
    said.map((text) => retryAfterMs(text, now)),
    [0, 2_000, 5_000, 0, null, null, null],
  );
});
