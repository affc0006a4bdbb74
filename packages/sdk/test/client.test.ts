/** The client against the real server: recordings, repeats, and the contents of a failure. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type EventInput,
  type LogInput,
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
  assert.throws(() => new SvcClient({ ...server, apiKey: "" }), /^TypeError: apiKey is empty/);
  const stream = client.stream(server.streamId);
  await assert.rejects(stream.append(build(1), { idempotencyKey: "two words" }), TypeError);
});

test("an answer that is not from the service is an unexpected answer", async () => {
  const page: typeof fetch = async () => new Response("<html>maintenance</html>", { status: 200 });
  const other = new SvcClient({ ...server, fetch: page });
  await assert.rejects(other.health(), { name: "SvcError", code: "unexpected_answer" });
});

test("a caller's signal ends the call", async () => {
  const controller = new AbortController();
  controller.abort();
  await assert.rejects(client.health(controller.signal), { name: "AbortError" });
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
  assert.deepEqual((await stream.windows({ limit: 1 })).items[0]?.window_no, 1);
  assert.equal((await stream.checkpoints()).items.at(-1)?.checkpoint_id, checkpoint.checkpoint_id);
  const policy = await client.witnessPolicy("default");
  assert.equal(policy.threshold, 1);
  assert.deepEqual(await client.witnessPolicy("default", { digest: window.witness_policy_digest }), policy);
  await assert.rejects(client.witnessPolicy("default", { digest: "0".repeat(64) }), { code: "policy_not_found" });
  assert.equal((await client.keys()).keys[0]?.public_key_hex, server.publicKeyHex);
  assert.equal((await client.verifyOnline({ ...window })).verdict, "verified");
});

test("a creation whose answer is lost is asked for again, and makes one stream", async () => {
  let calls = 0;
  const losing: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    calls++;
    if (calls > 1) return response;
    await response.arrayBuffer();
    throw new TypeError("the connection was cut");
  };
  const input = { system_id: server.systemId, use_case: "made once", policy_id: "default" };
  const info = await new SvcClient({ ...server, fetch: losing }).createStream(input);
  assert.equal(calls, 2);
  assert.match(info.compatibilityWarning ?? "", /provenance/);
  const { items, next_cursor } = await client.streams({ use_case: "made once" });
  const { created, compatibilityWarning, ...facts } = info;
  assert.deepEqual([items, next_cursor], [[{ ...facts, closed_at: null, head_seq_no: 0 }], null]);
});

test("the keys come in all their forms", async () => {
  const { keys } = await client.keys();
  const [{ kid, valid_to, status, jwk } = assert.fail("no key")] = keys;
  assert.deepEqual([status, valid_to, jwk.kid], ["current", null, kid]);
  assert.equal(Buffer.from(jwk.x, "base64url").toString("hex"), server.publicKeyHex);
});

test("lists come page by page", async () => {
  const stream = await freshStream();
  const receipts = await stream.appendBatch([build(1), build(2), build(3)]);
  const first = await stream.events({ limit: 2 });
  const second = await stream.events({ limit: 2, cursor: first.next_cursor ?? "" });
  assert.deepEqual(
    [...first.items, ...second.items].map(({ event_hash }) => event_hash),
    receipts.map(({ event_hash }) => event_hash),
  );
  assert.equal(second.next_cursor, null);
  const found = await stream.events({ source_ref: "build-3", event_type: "build.finished" });
  assert.deepEqual(
    found.items.map(({ seq_no }) => seq_no),
    [3],
  );
  assert.deepEqual(await stream.forks(), { items: [], next_cursor: null });
});

test("an erased payload is gone, and its record still verifies", async () => {
  const stream = await freshStream();
  const { stream_event_id } = await stream.append(build(1));
  await assert.rejects(stream.erase(stream_event_id, "request 17"), { code: "action_forbidden" });
  const erasing = new SvcClient({ ...server, apiKey: server.eraseKey }).stream(stream.streamId);
  const erasure = await erasing.erase(stream_event_id, "request 17");
  assert.deepEqual([erasure.stream_event_id, erasure.lifecycle_record.event_type], [stream_event_id, "event.erased"]);
  const record = await client.receipt(stream_event_id);
  assert.ok(!("payload" in record) && !("payload_salt" in record));
  assert.equal(verify(new TextEncoder().encode(JSON.stringify(record)), { trust }).verdict, "verified");
  const { items } = await client.streams({ class: "lifecycle" });
  assert.deepEqual(
    items.map(({ stream_id, system_id }) => [stream_id, system_id]),
    [[erasure.lifecycle_record.stream_id, null]],
  );
});

function login(number: number, changes: Partial<LogInput> = {}): LogInput {
  return {
    type: "login",
    status: number % 2 === 0 ? "granted" : "refused",
    occurred_at: `2026-03-01T09:30:0${number}+01:00`,
    source_ref: `session-${number}`,
    payload: { attempts: number },
    ...changes,
  };
}

test("the event log records, finds and proves without a stream of the caller's", async () => {
  const first = await client.log.append(login(1));
  assert.deepEqual([first.event_type, first.payload], ["login", { status: "refused", payload: { attempts: 1 } }]);
  const [second, third] = await client.log.appendBatch([login(2), login(3)]);
  assert.equal(second?.previous_event_hash, first.event_hash);

  const page = await client.log.events({ status: "refused", limit: 1 });
  const next = await client.log.events({ status: "refused", limit: 1, cursor: page.next_cursor ?? "" });
  assert.deepEqual(
    [...page.items, ...next.items].map(({ stream_event_id }) => stream_event_id),
    [first.stream_event_id, third?.stream_event_id],
  );
  assert.equal(next.next_cursor, null);
  const times = { occurred_from: "2026-03-01T08:30:02Z", occurred_before: "2026-03-01T09:30:03+01:00" };
  const found = await client.log.events({
    ...times,
    type: "login",
    source_ref: "session-2",
    system_id: server.systemId,
  });
  const [shown, ...more] = found.items;
  assert.deepEqual([shown?.stream_event_id, more], [second?.stream_event_id, []]);
  assert.deepEqual(await client.log.event(second?.stream_event_id ?? ""), { ...shown, payload: { attempts: 2 } });

  const deadline = performance.now() + 20_000;
  for (let isWitnessed = false; !isWitnessed; ) {
    assert.ok(performance.now() < deadline, "the proof is witnessed");
    const bytes = await client.log.proofBytes(first.stream_event_id);
    const report = verify(bytes, { trust, kind: "portable-receipt" });
    assert.equal(report.verdict, "verified", JSON.stringify(report.problems));
    isWitnessed = report.assurance.witnessed.valid === 1;
  }
  const proof = await client.log.proof(first.stream_event_id);
  assert.deepEqual(proof.receipt, first);
  const nobody = new SvcClient({ baseUrl: server.baseUrl });
  assert.equal((await nobody.log.verifyOnline(proof)).verdict, "verified");
  await assert.rejects(client.log.event("sev_none"), { code: "receipt_not_found", status: 404 });
});

test("an event of the log whose answer is lost is asked for again, and recorded once", async () => {
  let calls = 0;
  const losing: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    calls++;
    if (calls > 2) return response;
    await response.arrayBuffer();
    throw new TypeError("the connection was cut");
  };
  const source_ref = "asked for again";
  const receipt = await new SvcClient({ ...server, fetch: losing }).log.append(login(1, { source_ref }));
  assert.equal(calls, 3);
  const { items } = await client.log.events({ source_ref });
  assert.deepEqual(
    items.map(({ stream_event_id }) => stream_event_id),
    [receipt.stream_event_id],
  );
});
