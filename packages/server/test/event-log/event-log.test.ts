/** The event log: one request records an event, another one gets its proof, and the log shows the sent values. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { KeyAction } from "@svc/api";
import { runSql } from "@svc/testkit/server/changed-rows";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { serveAgain, startServer, type TestServer } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { systemKeysOf } from "../../src/tenancy/system-keys.ts";
import { entry, log, logBatch } from "./event-log.ts";

/** Returns a client with a key of the deployment's system that is limited to actions and streams. */
async function keptTo({ server, made }: TestServer, actions: KeyAction[] | null, streams: string[] | null) {
  const { context } = server.service;
  const systemKeys = systemKeysOf(context);
  const owner = { tenantId: made.tenant_id, systemId: made.system_id, limits: { actions, streams } };
  const actor = { tenantId: made.tenant_id, kind: "service", id: "test", roles: [] } as const;
  return new Client(server.url, await context.database.write((writer) => systemKeys.create(writer, owner, actor)));
}

const codeOf = ({ status, body }: { status: number; body: { detail?: { code: string } } }) => [
  status,
  body.detail?.code,
];

test("an event is recorded with its first request alone, as a receipt record that verifies", async (t) => {
  const { client, made } = await startServer(t);
  const { status, text, body } = await log(client, entry(1));
  assert.equal(status, 201, text);
  assertVerified(text, made.public_key_hex, "receipt");
  assert.deepEqual(
    [body.seq_no, body.event_type, body.source_ref, body.occurred_at, body.payload],
    [1, "loan.decided", "loan-1", "2026-03-01T10:15:30.5+01:00", { status: "granted", payload: entry(1).payload }],
  );
  const { body: streams } = await client.get("/v2/streams?use_case=event%20log");
  assert.deepEqual(
    streams.items.map(({ stream_id, system_id, class: of }: Record<string, string>) => [stream_id, system_id, of]),
    [[body.stream_id, made.system_id, "legacy"]],
  );
  assert.equal((await client.get(`/v2/receipts/${body.stream_event_id}`)).text, text);
});

test("of many first events at once, on two servers, each is in the one stream of the system", async (t) => {
  const here = await startServer(t);
  const { client } = here;
  const second = await serveAgain(t, here);
  const clients = [client, new Client(second.url, client.key)] as const;
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, number) => log(clients[number % 2 === 0 ? 0 : 1], entry(number))),
  );
  for (const { status, text } of answers) assert.equal(status, 201, text);
  assert.equal(new Set(answers.map(({ body }) => body.stream_id)).size, 1);
  assert.deepEqual(
    answers.map(({ body }) => body.seq_no).toSorted((a, b) => a - b),
    Array.from({ length: 40 }, (_, index) => index + 1),
  );
  assert.equal((await client.get("/v2/streams")).body.items.length, 2);
});

test("the log shows what was sent: in a list without payloads, and one by one with them", async (t) => {
  const { client, made } = await startServer(t);
  const { body: record } = await log(client, entry(1));
  const { stream_event_id, stream_id, received_at, event_hash } = record;
  const shown = {
    stream_event_id,
    stream_id,
    system_id: made.system_id,
    seq_no: 1,
    type: "loan.decided",
    status: "granted",
    source_ref: "loan-1",
    occurred_at: "2026-03-01T10:15:30.5+01:00",
    received_at,
    event_hash,
  };
  const { body: page } = await client.get("/v1/events");
  assert.deepEqual(page, { items: [shown], next_cursor: null });
  const { body: one } = await client.get(`/v1/events/${stream_event_id}`);
  assert.deepEqual(one, { ...shown, payload: entry(1).payload });
  const { body: other } = await client.append(made.stream_id, loan(1));
  assert.deepEqual(codeOf(await client.get(`/v1/events/${other.stream_event_id}`)), [404, "receipt_not_found"]);
  assert.equal((await client.get("/v1/events")).body.items.length, 1, "events of other streams are not in the log");
});

test("the same request is one event, and gets equal bytes; another one with its key is refused", async (t) => {
  const { client } = await startServer(t);
  const answers = await Promise.all(Array.from({ length: 50 }, () => log(client, entry(1), "same")));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  const { payload, ...rest } = entry(1);
  assert.equal((await log(client, JSON.stringify({ payload, ...rest }, null, 2), "same")).text, answers[0]?.text);
  for (const other of [entry(2), entry(1, { status: "refused" }), entry(1, { type: "loan.asked" })])
    assert.deepEqual(codeOf(await log(client, other, "same")), [409, "idempotency_conflict"]);
  const batch = await logBatch(client, [entry(1), entry(2)], "same");
  assert.equal(batch.status, 201, "a key belongs to one route");
  assert.equal((await logBatch(client, [entry(1), entry(2)], "same")).text, batch.text);
  assert.equal((await client.get("/v1/events")).body.items.length, 3);
  const without = await client.post("/v1/sdk/events", entry(1));
  assert.deepEqual(codeOf(without), [400, "idempotency_key_required"]);
});

test("a batch is all or nothing, of at most a thousand events, and a refusal names the place", async (t) => {
  const { client, made } = await startServer(t);
  const refused = [
    [entry(1), entry(2, { status: "" })],
    [entry(1), entry(2, { occurred_at: "2026-03-01T10:15:30" })],
    [entry(1), entry(2, { payload: { text: "x".repeat(256 * 1024) } })],
    [entry(1), entry(2, { payload: nested(32) })],
  ];
  const codes = ["invalid_request", "timezone_required", "payload_too_large", "too_deep"];
  for (const [index, events] of refused.entries()) {
    const { body } = await logBatch(client, events);
    assert.equal(body.detail.code, codes[index]);
    assert.equal(body.detail.index ?? body.detail.problems[0].index, 1);
  }
  for (const events of [[], Array.from({ length: 1001 }, (_, number) => entry(number))])
    assert.deepEqual(codeOf(await logBatch(client, events)), [422, "invalid_request"]);
  assert.deepEqual((await client.get("/v1/events")).body.items, [], "nothing was recorded");
  const whole = await logBatch(
    client,
    Array.from({ length: 1000 }, (_, number) => entry(number)),
  );
  assert.deepEqual([whole.status, whole.body.receipts.length, whole.body.receipts[999].seq_no], [201, 1000, 1000]);
  assertVerified(JSON.stringify(whole.body.receipts[999]), made.public_key_hex, "receipt");
});

test("a payload may be as large and as deep as leaves room for its status", async (t) => {
  const { client, made } = await startServer(t);
  const deep = await log(client, entry(1, { payload: nested(31) }));
  assert.equal(deep.status, 201);
  assertVerified(deep.text, made.public_key_hex, "receipt");
  const flat = JSON.stringify(entry(1, { payload: { a: "[" } }));
  const bodyOf = (levels: number) => flat.replace('"a":"["', `"a":"[","b":${"[".repeat(levels)}${"]".repeat(levels)}`);
  const { body } = await log(client, bodyOf(31), "deep");
  assert.deepEqual(
    [body.detail.code, body.detail.path, body.detail.offset],
    ["too_deep", "/payload", bodyOf(31).indexOf("[[[") + 30],
  );
  assert.match(body.detail.message, /deeper than 31/);
  const around = JSON.stringify({ payload: { text: "" }, status: "granted" }).length;
  const sized = (bytes: number) => entry(1, { payload: { text: "x".repeat(bytes - around) } });
  assert.equal((await log(client, sized(256 * 1024))).status, 201);
  const tooLarge = await log(client, sized(256 * 1024 + 1));
  assert.deepEqual(codeOf(tooLarge), [413, "payload_too_large"]);
  assert.match(tooLarge.body.detail.message, /262145 bytes in canonical form, its status beside it/);
});

test("types and statuses are words; references and payloads keep whatever text they have", async (t) => {
  const { client, made } = await startServer(t);
  const words = ["", " ", "a b", "<script>", "granted\u0000", "ä", "x".repeat(129), "-", null, 1, {}];
  for (const word of words)
    for (const member of ["status", "type"])
      assert.deepEqual(codeOf(await log(client, entry(1, { [member]: word }))), [422, "invalid_request"], `${word}`);
  for (const source_ref of ["a\u0000b", "a\u0085b", ""])
    assert.deepEqual(codeOf(await log(client, entry(1, { source_ref }))), [422, "invalid_request"]);
  const lone = JSON.stringify(entry(1)).replace("loan-1", "\\ud800");
  assert.deepEqual(codeOf(await log(client, lone)), [400, "invalid_unicode"]);
  assert.deepEqual(codeOf(await log(client, entry(1, { more: 1 }))), [422, "invalid_request"]);

  const source_ref = '</script><b>&"\u202e %_';
  const payload =
    `{"__proto__":{"x":1},"constructor":"c","2":"two","1":"one","text":"\\u0000 \\ud83d\\ude00 ` +
    `<b>","status":"other"}`;
  const { payload: _payload, ...rest } = entry(1, { source_ref, status: "A.b_c:d/e-9" });
  const { status, text, body } = await log(client, `${JSON.stringify(rest).slice(0, -1)},"payload":${payload}}`);
  assert.equal(status, 201, text);
  assertVerified(text, made.public_key_hex, "receipt");
  const { body: one } = await client.get(`/v1/events/${body.stream_event_id}`);
  assert.deepEqual(one.payload, JSON.parse(payload));
  const { body: found } = await client.get(
    `/v1/events?source_ref=${encodeURIComponent(source_ref)}&status=A.b_c:d/e-9`,
  );
  assert.deepEqual(found.items[0]?.source_ref, source_ref);
});

test("the stream of a log takes events through the log only, and everything else reads it like any stream", async (t) => {
  const { client, made } = await startServer(t);
  const { body } = await log(client, entry(1));
  assert.deepEqual(codeOf(await client.append(body.stream_id, loan(1))), [409, "event_log_stream"]);
  assert.deepEqual(codeOf(await client.appendBatch(body.stream_id, [loan(1)])), [409, "event_log_stream"]);
  await log(client, entry(2));
  await client.witnessed(body.stream_id, 2);
  const request = { stream_id: body.stream_id, from_seq_no: 1, to_seq_no: 2 };
  assertVerified((await client.post("/v2/audit/packs", request)).text, made.public_key_hex, "bundle");
});

test("Prefer: return=minimal leaves out payload and salt", async (t) => {
  const { client } = await startServer(t);
  const headers = { "idempotency-key": "m", prefer: "return=minimal" };
  const { body, headers: answered } = await client.post("/v1/sdk/events", entry(1), headers);
  assert.ok(!("payload" in body || "payload_salt" in body));
  assert.equal(answered.get("preference-applied"), "return=minimal");
});

test(
  "keys: one that may append makes the log, one that is kept to streams sees that of " +
    "the log only where it is named",
  async (t) => {
    const here = await startServer(t);
    const { client, made } = here;
    const elsewhere = await keptTo(here, null, [made.stream_id]);
    assert.deepEqual(codeOf(await log(elsewhere, entry(1))), [403, "action_forbidden"]);
    assert.equal((await client.get("/v2/streams")).body.items.length, 1, "no stream was made");

    const appending = await keptTo(here, ["append"], null);
    const { body: record } = await log(appending, entry(1));
    assert.equal(record.seq_no, 1);
    for (const path of ["", `/${record.stream_event_id}`, `/${record.stream_event_id}/proof`])
      assert.deepEqual(codeOf(await appending.get(`/v1/events${path}`)), [403, "action_forbidden"]);
    const reading = await keptTo(here, ["read"], null);
    assert.deepEqual(codeOf(await log(reading, entry(2))), [403, "action_forbidden"]);
    assert.equal((await reading.get("/v1/events")).body.items.length, 1);

    assert.deepEqual(codeOf(await log(elsewhere, entry(2))), [403, "stream_forbidden"]);
    assert.deepEqual((await elsewhere.get("/v1/events")).body.items, []);
    for (const path of ["", "/proof"])
      assert.deepEqual(codeOf(await elsewhere.get(`/v1/events/${record.stream_event_id}${path}`)), [
        403,
        "stream_forbidden",
      ]);
    const ofLog = await keptTo(here, null, [record.stream_id]);
    assert.equal((await log(ofLog, entry(2))).status, 201);
    assert.equal((await ofLog.get("/v1/events")).body.items.length, 2);

    const other = await client.get("/v1/events?system_id=sys_01k3c0h7wz0000000000000000");
    assert.deepEqual(codeOf(other), [403, "system_forbidden"]);
  },
);

test("where no new streams are made, a log that is there goes on, and no other begins", async (t) => {
  const here = await startServer(t);
  const { client } = here;
  const strict = await serveAgain(t, here, { LEGACY_STREAM_CREATION_ENABLED: "0" });
  const there = new Client(strict.url, client.key);
  assert.deepEqual(codeOf(await log(there, entry(1))), [403, "legacy_stream_creation_disabled"]);
  await log(client, entry(1));
  assert.equal((await log(there, entry(2))).body.seq_no, 2);
});

test("a log whose stream was closed goes on in another one, and is read through both", async (t) => {
  const here = await startServer(t);
  const { client } = here;
  const before = await logBatch(client, [entry(1), entry(2)], "before");
  await runSql(here, "UPDATE streams SET closed_at = '2026-03-01T00:00:00.000Z'");
  const { body: after } = await log(client, entry(3));
  assert.notEqual(after.stream_id, before.body.receipts[0].stream_id);
  assert.equal((await logBatch(client, [entry(1), entry(2)], "before")).text, before.text, "a repeat is still one");
  const { body: first } = await client.get("/v1/events?limit=1");
  const { body: second } = await client.get(`/v1/events?limit=1&cursor=${first.next_cursor}`);
  const { body: third } = await client.get(`/v1/events?limit=5&cursor=${second.next_cursor}`);
  assert.deepEqual(
    [first, second, third].flatMap(({ items }) => items.map((one: { source_ref: string }) => one.source_ref)),
    ["loan-1", "loan-2", "loan-3"],
  );
  assert.equal(third.next_cursor, null);
  const { body: page } = await client.get("/v1/events?limit=500&status=granted");
  assert.deepEqual(page.items.length, 2);
});

/** Returns an object that nests to this depth. */
function nested(depth: number): object {
  return depth === 1 ? {} : { inside: nested(depth - 1) };
}
