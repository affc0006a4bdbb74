/**
 * Appending over HTTP: receipts that verify, a chain without gaps, idempotency, and batches that are all or nothing.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { redactRecord, ZERO_HASH } from "@svc/core";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { appendPart } from "../../src/streams/append.ts";
import { type AppendRequest, prepareRequest } from "../../src/streams/appending.ts";
import { systemKeysOf } from "../../src/tenancy/system-keys.ts";

test("an appended event comes back as a receipt that verifies, and is read back byte for byte", async (t) => {
  const { client, made } = await startServer(t);
  const answer = await client.append(made.stream_id, loan(1));
  assert.equal(answer.status, 201);
  assertVerified(answer.text, made.public_key_hex, "receipt");
  const { seq_no, previous_event_hash, occurred_at, payload, payload_salt } = answer.body;
  assert.deepEqual([seq_no, previous_event_hash, occurred_at], [1, ZERO_HASH, "2026-03-01T10:15:30.5+01:00"]);
  assert.deepEqual(payload, loan(1).payload);
  assert.match(payload_salt, /^[0-9a-f]{32}$/);
  const stored = await client.get(`/v2/receipts/${answer.body.stream_event_id}`);
  assert.deepEqual([stored.status, stored.text], [200, answer.text]);
});

test("events of a stream are chained, and received_at never goes back", async (t) => {
  const { client, made } = await startServer(t);
  const single = await Promise.all([1, 2, 3, 4, 5].map((number) => client.append(made.stream_id, loan(number))));
  const batch = await client.appendBatch(made.stream_id, [loan(6), loan(7)]);
  const records = [...single.map((answer) => answer.body), ...batch.body.receipts].sort((a, b) => a.seq_no - b.seq_no);
  assert.deepEqual(
    records.map((record) => record.seq_no),
    [1, 2, 3, 4, 5, 6, 7],
  );
  const segment = { stream_id: made.stream_id, records: records.map(redactRecord) };
  assertVerified(JSON.stringify(segment), made.public_key_hex, "stream");
});

test("a clock that goes back does not take received_at with it", async (t) => {
  // The time is after the making of the stream, and received_at is never before that.
  let now = Date.parse("2126-06-01T12:00:00.000Z");
  const { client, made } = await startServer(t, {}, () => now);
  const first = await client.append(made.stream_id, loan(1));
  now -= 3_600_000;
  const second = await client.append(made.stream_id, loan(2));
  now += 3_600_001;
  const third = await client.append(made.stream_id, loan(3));
  assert.deepEqual(
    [first, second, third].map((answer) => answer.body.received_at),
    ["2126-06-01T12:00:00.000Z", "2126-06-01T12:00:00.000Z", "2126-06-01T12:00:00.001Z"],
  );
});

test("the head names the last event with all that its receipt signs; an empty stream has none", async (t) => {
  const { client, made } = await startServer(t);
  const empty = await client.get(`/v2/streams/${made.stream_id}/head`);
  assert.deepEqual([empty.status, empty.body.detail.code], [404, "stream_empty"]);
  const { body: record } = await client.append(made.stream_id, loan(1));
  const { body: head } = await client.get(`/v2/streams/${made.stream_id}/head`);
  const { stream_id, stream_event_id, seq_no, event_hash, previous_event_hash, stream_head_hash, receipt } = record;
  assert.deepEqual(head, {
    stream_id,
    stream_event_id,
    seq_no,
    event_hash,
    previous_event_hash,
    stream_head_hash,
    receipt,
  });
});

test("fifty requests at once with one Idempotency-Key make one event and get equal bytes", async (t) => {
  const { client, made } = await startServer(t);
  const answers = await Promise.all(Array.from({ length: 50 }, () => client.append(made.stream_id, loan(1), "same")));
  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([201]));
  assert.equal(new Set(answers.map((answer) => answer.text)).size, 1);
  const { body: head } = await client.get(`/v2/streams/${made.stream_id}/head`);
  assert.equal(head.seq_no, 1);
});

test("the same request in another formatting is the same request; another one conflicts", async (t) => {
  const { client, made } = await startServer(t);
  const path = `/v2/streams/${made.stream_id}/events`;
  const first = await client.append(made.stream_id, loan(1), "k");
  const { payload, ...rest } = loan(1);
  const reordered = await client.post(path, JSON.stringify({ payload, ...rest }, null, 2), { "idempotency-key": "k" });
  assert.deepEqual([reordered.status, reordered.text], [201, first.text]);
  const other = await client.append(made.stream_id, loan(2), "k");
  assert.deepEqual([other.status, other.body.detail.code], [409, "idempotency_conflict"]);
  const { body: second } = await client.post("/v2/streams", newStream(made.system_id));
  const elsewhere = await client.append(second.stream_id, loan(1), "k");
  assert.deepEqual([elsewhere.status, elsewhere.body.detail.code], [409, "idempotency_conflict"]);
  const batch = await client.appendBatch(made.stream_id, [loan(1)], "k");
  assert.equal(batch.status, 201, "a key belongs to one route");
});

test("a repeated batch gets its first answer", async (t) => {
  const { client, made } = await startServer(t);
  const events = [loan(1), loan(2), loan(3)];
  const first = await client.appendBatch(made.stream_id, events, "b");
  await client.append(made.stream_id, loan(4));
  const again = await client.appendBatch(made.stream_id, events, "b");
  assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text]);
});

test("an Idempotency-Key is demanded, and must be visible ASCII", async (t) => {
  const { client, made } = await startServer(t);
  const path = `/v2/streams/${made.stream_id}/events`;
  const missing = await client.post(path, loan(1));
  assert.deepEqual([missing.status, missing.body.detail.code], [400, "idempotency_key_required"]);
  for (const key of ["with space", "x".repeat(256), "é"]) {
    const answer = await client.post(path, loan(1), { "idempotency-key": key });
    assert.deepEqual([answer.status, answer.body.detail.code], [400, "idempotency_key_invalid"], key);
  }
  assert.equal((await client.append(made.stream_id, loan(1), "x".repeat(255))).status, 201);
});

test("a batch is all or nothing, and a refusal names the index", async (t) => {
  const { client, made } = await startServer(t);
  const refused = [
    { events: [loan(1), loan(2, { source_ref: "" })], status: 422, code: "invalid_request", index: 1 },
    {
      events: [loan(1), loan(2), loan(3, { occurred_at: "2026-03-01T10:15:30" })],
      status: 422,
      code: "timezone_required",
      index: 2,
    },
    {
      events: [loan(1), loan(2, { payload: { text: "x".repeat(256 * 1024) } })],
      status: 413,
      code: "payload_too_large",
      index: 1,
    },
    { events: [loan(1, { payload: nested(33) })], status: 400, code: "too_deep", index: 0 },
  ];
  for (const { events, status, code, index } of refused) {
    const { status: actual, body } = await client.appendBatch(made.stream_id, events);
    assert.deepEqual([actual, body.detail.code], [status, code]);
    assert.equal(body.detail.index ?? body.detail.problems[0].index, index);
  }
  for (const events of [[], Array.from({ length: 1001 }, (_, index) => loan(index))]) {
    const { status, body } = await client.appendBatch(made.stream_id, events);
    assert.deepEqual([status, body.detail.code], [422, "invalid_request"]);
  }
  // A batch with too many events is not examined further: there is one problem, not one for each event.
  const { body: refusal } = await client.appendBatch(
    made.stream_id,
    Array.from({ length: 1001 }, () => ({})),
  );
  assert.deepEqual(
    refusal.detail.problems.map(({ path }: { path: string }) => path),
    ["/events"],
  );
  const { status } = await client.get(`/v2/streams/${made.stream_id}/head`);
  assert.equal(status, 404, "nothing was recorded");
});

test("a payload that is too deep is refused with the offset of the bracket too many, single and in a batch", async (t) => {
  const { client, made } = await startServer(t);
  const flat = loan(1, { source_ref: '[[{{\\"[', payload: { a: "[" } });
  const bodyOf = (levels: number) =>
    JSON.stringify(flat).replace('"a":"["', `"a":"[\\"{","b":${"[".repeat(levels)}${"]".repeat(levels)}`);
  assert.equal((await client.append(made.stream_id, bodyOf(31), "fits")).status, 201);
  const single = bodyOf(32);
  const { status, body } = await client.append(made.stream_id, single, "deep");
  const { code, offset, path } = body.detail;
  assert.deepEqual([status, code, path, offset], [400, "too_deep", "/payload", single.indexOf("[[[[") + 31]);
  const batch = `{"events":[${bodyOf(31)},${single}]}`;
  const answer = await client.post(`/v2/streams/${made.stream_id}/events/batch`, batch, { "idempotency-key": "batch" });
  const { detail } = answer.body;
  assert.deepEqual(
    [detail.code, detail.index, detail.path, detail.offset],
    ["too_deep", 1, "/events/1/payload", batch.lastIndexOf("[[[[") - 28 + 31],
  );
});

test("a batch of a thousand events is one request", async (t) => {
  const { client, made } = await startServer(t);
  const events = Array.from({ length: 1000 }, (_, index) => loan(index));
  const { status, body } = await client.appendBatch(made.stream_id, events);
  assert.deepEqual([status, body.receipts.length, body.receipts[999].seq_no], [201, 1000, 1000]);
  assertVerified(JSON.stringify(body.receipts[999]), made.public_key_hex, "receipt");
});

test("payloads keep every name and text that JSON allows", async (t) => {
  const { client, made } = await startServer(t);
  const payload =
    `{"__proto__":{"x":1},"constructor":"c","2":"two","1":"one","text":"\\u0000 \\ud83d\\ude00 ` +
    `\\ufffe","deep":${JSON.stringify(nested(31))}}`;
  const { payload: _payload, ...rest } = loan(1);
  const body = `${JSON.stringify(rest).slice(0, -1)},"payload":${payload}}`;
  const answer = await client.append(made.stream_id, body, "p");
  assert.equal(answer.status, 201, answer.text);
  assertVerified(answer.text, made.public_key_hex, "receipt");
  assert.deepEqual(Object.keys(answer.body.payload).sort(), ["1", "2", "__proto__", "constructor", "deep", "text"]);
});

function newStream(system_id: string) {
  return { system_id, use_case: "loan decisions", policy_id: "default", metadata: { owner: "risk" } };
}

/** Returns an object that nests to this depth. */
function nested(depth: number): object {
  return depth === 1 ? {} : { inside: nested(depth - 1) };
}

test("If-Head-Match records only on the head that the client knows; a repeat gets its first answer", async (t) => {
  const { client, made } = await startServer(t);
  const path = `/v2/streams/${made.stream_id}/events`;
  const on = (head: string, number: number, key: string) =>
    client.post(path, loan(number), { "idempotency-key": key, "if-head-match": head });
  const first = await on("0".repeat(64), 1, "a");
  assert.equal(first.status, 201);
  const late = await on("0".repeat(64), 2, "b");
  assert.deepEqual([late.status, late.body.detail.code, late.body.detail.seq_no], [409, "sequence_conflict", 1]);
  assert.equal(late.body.detail.stream_head_hash, first.body.stream_head_hash);
  assert.equal((await on(first.body.stream_head_hash, 2, "c")).status, 201);
  const again = await on("0".repeat(64), 1, "a");
  assert.deepEqual([again.status, again.text], [201, first.text]);
  const malformed = await on("0".repeat(63), 3, "d");
  assert.deepEqual([malformed.status, malformed.body.detail.problems[0].path], [422, "header:If-Head-Match"]);
});

test("of two writers who know the same head one records", async (t) => {
  const { client, made } = await startServer(t);
  const { body: first } = await client.append(made.stream_id, loan(1));
  const answers = await Promise.all(
    [2, 3, 4, 5].map((number) =>
      client.post(`/v2/streams/${made.stream_id}/events`, loan(number), {
        "idempotency-key": `w-${number}`,
        "if-head-match": first.stream_head_hash,
      }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
});

test("after_key records only behind the request that it names", async (t) => {
  const { client, made } = await startServer(t);
  const batch = (streamId: string, number: number, key: string, after: string) =>
    client.post(
      `/v2/streams/${streamId}/events/batch?after_key=${encodeURIComponent(after)}`,
      { events: [loan(number)] },
      { "idempotency-key": key },
    );
  const first = { events: [loan(1)] };
  const path = `/v2/streams/${made.stream_id}/events/batch`;
  const early = await batch(made.stream_id, 2, "b", "a&1");
  assert.deepEqual([early.status, early.body.detail.code], [409, "predecessor_missing"]);
  assert.match(early.body.detail.message, /"a&1"/);
  assert.equal((await client.post(path, first, { "idempotency-key": "a&1" })).status, 201);
  const behind = await batch(made.stream_id, 2, "b", "a&1");
  assert.deepEqual([behind.status, behind.body.receipts[0].seq_no], [201, 2]);
  const again = await batch(made.stream_id, 2, "b", "never-used");
  assert.deepEqual([again.status, again.text], [201, behind.text], "a repeat gets its first answer");
  const { body: other } = await client.post("/v2/streams", newStream(made.system_id));
  const elsewhere = await batch(other.stream_id, 3, "c", "a&1");
  assert.deepEqual([elsewhere.status, elsewhere.body.detail.code], [409, "predecessor_missing"]);
  const single = await client.post(`/v2/streams/${made.stream_id}/events?after_key=b`, loan(3), {
    "idempotency-key": "c",
  });
  assert.deepEqual([single.status, single.body.detail?.code], [409, "predecessor_missing"], "of the same route");
  for (const malformed of ["", "two words", "x".repeat(256)]) {
    const refused = await batch(made.stream_id, 4, "d", malformed);
    assert.deepEqual([refused.status, refused.body.detail.problems[0].path], [422, "?after_key"]);
  }
});

test("an answer names the Idempotency-Key of its request, a refusal too", async (t) => {
  const { client, made } = await startServer(t);
  const path = `/v2/streams/${made.stream_id}/events`;
  for (const [event, query, status] of [
    [loan(1), "", 201],
    [loan(1), "", 201],
    [loan(2), "", 409],
    [{ ...loan(1), event_type: "" }, "", 422],
    [loan(1), "?none=1", 422],
    [loan(1, { payload: { text: "x".repeat(2 ** 20) } }), "", 413],
  ] as const) {
    const answer = await client.post(path + query, event, { "idempotency-key": "named/1" });
    assert.deepEqual([answer.status, answer.headers.get("idempotency-key")], [status, "named/1"]);
  }
  assert.equal((await client.post(path, loan(1))).headers.get("idempotency-key"), null);
  assert.equal((await client.get(path)).headers.get("idempotency-key"), null);
});

test("Prefer: return=minimal leaves out payload and salt, of one event and of a batch", async (t) => {
  const { client, made } = await startServer(t);
  const path = `/v2/streams/${made.stream_id}/events`;
  const minimal = await client.post(path, loan(1), { "idempotency-key": "a", prefer: "wait=5, return=minimal" });
  assert.deepEqual([minimal.status, minimal.headers.get("preference-applied")], [201, "return=minimal"]);
  const whole = await client.append(made.stream_id, loan(1), "a");
  assert.deepEqual(minimal.body, redactRecord(whole.body));
  assert.equal(whole.headers.get("preference-applied"), null);
  const batch = await client.post(
    `${path}/batch`,
    { events: [loan(2)] },
    { "idempotency-key": "b", prefer: "return=minimal" },
  );
  assert.deepEqual(
    Object.keys(batch.body.receipts[0]).filter((name) => name.startsWith("payload")),
    ["payload_hash"],
  );
});

test("a stream that is made twice with one key is made once, whatever the order of its metadata", async (t) => {
  const { client, made } = await startServer(t);
  const request = { ...newStream(made.system_id), metadata: { b: "1", a: "2" } };
  const first = await client.post("/v2/streams", request, { "idempotency-key": "s" });
  const { metadata: _metadata, ...rest } = request;
  const reordered = { metadata: { a: "2", b: "1" }, ...rest };
  const again = await client.post("/v2/streams", reordered, { "idempotency-key": "s" });
  assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text]);
  const other = await client.post("/v2/streams", { ...request, use_case: "other" }, { "idempotency-key": "s" });
  assert.deepEqual(
    [other.status, other.body.detail],
    [409, { ...other.body.detail, code: "idempotency_conflict", stream_id: first.body.stream_id }],
  );
  const { body } = await client.get("/v2/streams");
  assert.equal(body.items.length, 2);
  const without = await Promise.all([1, 2].map(() => client.post("/v2/streams", request)));
  assert.equal(new Set(without.map((answer) => answer.body.stream_id)).size, 2, "without a key each is a new one");
});

test("a pack that is asked for twice with one key is the same pack, byte for byte", async (t) => {
  const { client, made } = await startServer(t);
  await client.append(made.stream_id, loan(1));
  await client.witnessed(made.stream_id, 1);
  const request = { stream_id: made.stream_id, from_seq_no: 1, to_seq_no: 1 };
  const ask = (body: object, key: string) => client.post("/v2/audit/packs", body, { "idempotency-key": key });
  const both = await Promise.all([ask(request, "p"), ask(request, "p")]);
  await client.append(made.stream_id, loan(2));
  await client.witnessed(made.stream_id, 2);
  const again = await ask(request, "p");
  assert.deepEqual(
    [...both, again].map(({ status, text }) => [status, text]),
    [1, 2, 3].map(() => [201, both[0]?.text]),
  );
  assertVerified(again.text, made.public_key_hex, "bundle");
  const other = await ask({ ...request, payloads: "redacted" }, "p");
  assert.deepEqual([other.status, other.body.detail.code], [409, "idempotency_conflict"]);
  const anew = await ask(request, "q");
  assert.notEqual(anew.body.manifest.bundle_id, again.body.manifest.bundle_id);
});

test(
  "requests of one group are held against each other: one key for two requests, one head for many, one behind " +
    "another",
  async (t) => {
    const { client, made, server } = await startServer(t);
    const { context } = server.service;
    const [append, systemKeys] = [context.parts.use(appendPart), systemKeysOf(context)];
    const { principal } = (await systemKeys.find(`Bearer ${made.api_key}`)) ?? assert.fail();
    // Not over HTTP, where the requests might come in several turns: in one turn they are one group.
    const asked = (
      number: number,
      idempotencyKey: string,
      headMatch: string | null = null,
      afterKey: string | null = null,
      by: Partial<AppendRequest> = {},
    ) => {
      const event = loan(number);
      const bytes = Buffer.from(JSON.stringify(event));
      const request = { principal, streamId: made.stream_id, events: [event], isBatch: false, headMatch, bytes };
      return append.append(prepareRequest(context, { ...request, idempotencyKey, afterKey, ...by } as AppendRequest));
    };
    const codes = async (requests: Promise<{ seq_no: number }[]>[]) =>
      (await Promise.allSettled(requests)).map((one) =>
        one.status === "fulfilled" ? one.value.map(({ seq_no }) => seq_no) : one.reason.code,
      );
    assert.deepEqual(await codes([1, 2, 1, 2].map((number) => asked(number, "one-key"))), [
      [1],
      "idempotency_conflict",
      [1],
      "idempotency_conflict",
    ]);
    const [first] = await asked(1, "one-key");
    const raced = await codes([1, 2, 3].map((number) => asked(number, `race-${number}`, first?.stream_head_hash)));
    assert.deepEqual(raced, [[2], "sequence_conflict", "sequence_conflict"]);
    const behind = await codes([
      asked(1, "early", null, "late"),
      asked(2, "refused", "0".repeat(64)),
      asked(3, "behind the refused", null, "refused"),
      asked(4, "late"),
      asked(5, "in time", null, "late"),
    ]);
    assert.deepEqual(behind, ["predecessor_missing", "sequence_conflict", "predecessor_missing", [3], [4]]);
    // The refusal tells of the other request if the key may see its stream, and nothing to a key that may not.
    const request = { system_id: made.system_id, use_case: "x", policy_id: "default", metadata: {} };
    const { stream_id: open } = (await client.post("/v2/streams", request)).body;
    const limits = { actions: null, streams: [open] };
    const said = await Promise.allSettled([
      asked(6, "shared"),
      asked(7, "shared"),
      asked(6, "shared", null, null, { streamId: open, principal: { ...principal, limits } }),
    ]);
    assert.deepEqual(
      said.map((one) => one.status === "rejected" && [one.reason.code, one.reason.details]),
      [false, ["idempotency_conflict", { stream_id: made.stream_id }], ["idempotency_conflict", {}]],
    );
  },
);
