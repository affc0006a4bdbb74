/** The client against the real server: what is recorded, what is repeated, and what a failure says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type EventInput,
  type PublicKeyHex,
  pinKeys,
  referenceKernel,
  SvcClient,
  SvcError,
  verify,
} from "../src/index.ts";
import { startServer } from "./server.ts";

const server = await startServer();
const trust = pinKeys(referenceKernel, [server.publicKeyHex as PublicKeyHex]);
const client = new SvcClient(server);

function build(number: number): EventInput {
  return {
    source_ref: `build-${number}`,
    event_type: "build.finished",
    occurred_at: "2026-03-01T09:30:00.5+01:00",
    payload: { commit: "9f2c41d0", passed: number % 2 === 0, seconds: 41.5 },
  };
}

async function freshStream() {
  const info = await client.createStream({ system_id: server.systemId, use_case: "builds", policy_id: "default" });
  return client.stream(info.stream_id);
}

test("receipts of single and batched appends verify by themselves and chain", async () => {
  const stream = await freshStream();
  const first = await stream.append(build(1));
  const [second, third] = await stream.appendBatch([build(2), build(3)]);
  for (const receipt of [first, second, third]) {
    const report = verify(new TextEncoder().encode(JSON.stringify(receipt)), { trust });
    assert.equal(report.verdict, "verified", JSON.stringify(report.problems));
  }
  assert.equal(second?.previous_event_hash, first.event_hash);
  assert.equal(third?.previous_event_hash, second?.event_hash);
  assert.equal((await stream.head()).stream_head_hash, third?.stream_head_hash);
  assert.deepEqual(await client.receipt(first.stream_event_id), first);
});

test("an answer that is lost on the way is asked for again, and nothing is recorded twice", async () => {
  const stream = await freshStream();
  let calls = 0;
  const losing: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    calls++;
    if (calls > 2) return response;
    await response.arrayBuffer();
    throw new TypeError("the connection was cut");
  };
  const flaky = new SvcClient({ ...server, fetch: losing }).stream(stream.streamId);
  const receipt = await flaky.append(build(1));
  assert.equal(calls, 3);
  assert.equal(receipt.seq_no, 1);
  assert.equal((await stream.head()).seq_no, 1);
});

test("a request that the service refuses is not repeated, and says the service's code", async () => {
  const stream = await freshStream();
  let calls = 0;
  const counting: typeof fetch = (input, init) => {
    calls++;
    return fetch(input, init);
  };
  const counted = new SvcClient({ ...server, fetch: counting }).stream(stream.streamId);
  const badTime = { ...build(1), occurred_at: "2026-03-01T09:30:00" };
  await assert.rejects(counted.append(badTime), (error) => {
    assert.ok(error instanceof SvcError);
    assert.deepEqual([error.status, error.code, error.retryable], [422, "timezone_required", false]);
    return true;
  });
  assert.equal(calls, 1);
  const idempotencyKey = "build-1";
  await stream.append(build(1), { idempotencyKey });
  await assert.rejects(stream.append(build(2), { idempotencyKey }), { code: "idempotency_conflict", status: 409 });
});

test("without an answer the error says so, after the last attempt", async () => {
  const attempts: unknown[] = [];
  const silent: typeof fetch = async (input) => {
    attempts.push(input);
    throw new TypeError("refused");
  };
  const lost = new SvcClient({ ...server, fetch: silent, maxAttempts: 2 });
  await assert.rejects(lost.health(), { name: "SvcError", code: "no_answer", status: null });
  assert.equal(attempts.length, 2);
  attempts.length = 0;
  const input = { system_id: server.systemId, use_case: "builds", policy_id: "default" };
  await assert.rejects(lost.createStream(input), { code: "no_answer" });
  assert.equal(attempts.length, 1, "a creation that the service would not recognise is sent once");
});

test("what could never be sent is the caller's mistake, and the key is not quoted", async () => {
  assert.throws(
    () => new SvcClient({ ...server, apiKey: `${server.apiKey}\n` }),
    (error: unknown) => {
      assert.ok(error instanceof TypeError);
      assert.ok(!error.message.includes(server.apiKey));
      return true;
    },
  );
  assert.throws(() => new SvcClient({ ...server, baseUrl: "evidence.example" }), TypeError);
  const stream = client.stream(server.streamId);
  await assert.rejects(stream.append(build(1), { idempotencyKey: "two words" }), TypeError);
});

test("an answer that is no answer of the service is said to be none", async () => {
  const page: typeof fetch = async () => new Response("<html>maintenance</html>", { status: 200 });
  const other = new SvcClient({ ...server, fetch: page });
  await assert.rejects(other.health(), { name: "SvcError", code: "unexpected_answer" });
});

test("a caller's signal ends the call", async () => {
  const controller = new AbortController();
  controller.abort();
  await assert.rejects(client.health(controller.signal), { code: "no_answer" });
});

test("evidence comes back, and the pack verifies", async () => {
  const stream = await freshStream();
  await stream.appendBatch(Array.from({ length: 300 }, (_, index) => build(index)));
  const deadline = performance.now() + 20_000;
  let state = await stream.proofState();
  while (state.witnessed_to_seq_no < 300) {
    assert.ok(performance.now() < deadline, JSON.stringify(state));
    state = await stream.proofState();
  }
  const input = { stream_id: stream.streamId, from_seq_no: 1, to_seq_no: 300 };
  const report = verify(await client.auditPackBytes(input), { trust, kind: "bundle" });
  assert.equal(report.verdict, "verified", JSON.stringify(report.problems));
  const window = await client.window(state.latest_window_id ?? "");
  const checkpoint = await client.checkpoint(state.latest_checkpoint_id ?? "");
  for (const object of [window, checkpoint])
    assert.equal(verify(new TextEncoder().encode(JSON.stringify(object)), { trust }).verdict, "verified");
  assert.equal((await client.witnessPolicy("default")).threshold, 1);
  assert.equal((await client.keys()).keys[0]?.public_key_hex, server.publicKeyHex);
  assert.equal((await client.verifyOnline({ ...window })).verdict, "verified");
});
