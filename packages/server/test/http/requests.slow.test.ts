/** The server's refusals and their forms: strict bodies, shapes, credentials, methods, types and sizes. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";

test("bodies that two readers could read differently are refused with code and offset", async (t) => {
  const { client, made } = await startServer(t);
  const cases = [
    { body: '{"a":1,"a":2}', code: "duplicate_name", offset: 7 },
    { body: '{"n":9007199254740993}', code: "lossy_number", offset: 5 },
    { body: '{"s":"\\ud800"}', code: "invalid_unicode", offset: 6 },
    { body: '{"s":', code: "json_malformed", offset: 5 },
    { body: "", code: "json_malformed", offset: 0 },
    { body: "[".repeat(65), code: "too_deep", offset: 64 },
  ];
  for (const { body, code, offset } of cases) {
    const answer = await client.append(made.stream_id, body, "k");
    assert.deepEqual([answer.status, answer.body.detail.code, answer.body.detail.offset], [400, code, offset], body);
  }
  const event = JSON.stringify(loan(1, { payload: { text: '["{\\"{', nested: 1 } }));
  const within = (depth: number) => event.replace('"nested":1', `"nested":${"[".repeat(depth)}${"]".repeat(depth)}`);
  assert.equal((await client.append(made.stream_id, within(31))).status, 201);
  const alone = await client.append(made.stream_id, within(32));
  assert.deepEqual([alone.status, alone.body.detail.code], [400, "too_deep"]);
  assert.equal(alone.body.detail.offset, event.indexOf('"nested":') + '"nested":'.length + 31);
  const batch = `{"events":[${event},${within(32)}]}`;
  const second = await client.post(`/v2/streams/${made.stream_id}/events/batch`, batch, { "idempotency-key": "deep" });
  assert.deepEqual([second.status, second.body.detail.index], [400, 1]);
  assert.equal(second.body.detail.offset, batch.indexOf("[[") + 31);
  const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]);
  const answer = await client.send("POST", "/v2/verify", bytes, { "content-type": "application/json" });
  assert.deepEqual([answer.status, answer.body.detail.code, answer.body.detail.offset], [400, "invalid_unicode", 2]);
});

test("every problem of a request's shape is listed with its place", async (t) => {
  const { client, made } = await startServer(t);
  const { status, body } = await client.append(made.stream_id, {
    source_ref: "a\u0007b",
    event_type: "loan decided",
    occurred_at: "2026-02-30T10:00:00Z",
    payload: [],
    extra: 1,
  });
  assert.deepEqual([status, body.detail.code], [422, "invalid_request"]);
  const paths = body.detail.problems.map((problem: { path: string }) => problem.path).sort();
  assert.deepEqual(paths, ["/event_type", "/extra", "/occurred_at", "/payload", "/source_ref"]);
  const name = "n".repeat(65);
  const stream = { system_id: made.system_id, use_case: "x", policy_id: "default", metadata: { [name]: "x" } };
  assert.deepEqual((await client.post("/v2/streams", stream)).body.detail.problems, [
    { path: `/metadata/${name}`, message: "has a name that must not have more than 64 characters" },
  ]);
  for (const use_case of ["", "a\u0000b", "a\nb", "x".repeat(201)]) {
    const refused = await client.post("/v2/streams", { ...stream, metadata: {}, use_case });
    assert.deepEqual(
      refused.body.detail.problems.map(({ path }: { path: string }) => path),
      ["/use_case"],
    );
  }
  const missing = await client.append(made.stream_id, {});
  assert.equal(missing.body.detail.problems.length, 4);
  for (const value of ["null", "[]", '"text"', "1"])
    assert.equal((await client.append(made.stream_id, value)).body.detail.code, "invalid_request");
});

test("occurred_at without an offset is timezone_required; every offset is kept, and normalized beside it", async (t) => {
  const { client, made, server } = await startServer(t);
  const refused = await client.append(made.stream_id, loan(1, { occurred_at: "2026-03-01T10:15:30" }));
  assert.deepEqual([refused.status, refused.body.detail.code], [422, "timezone_required"]);
  for (const occurred_at of [
    "2026-03-01T10:15:30Z",
    "2026-03-01T10:15:30.123456789-09:30",
    "0001-01-01T00:00:00+14:00",
  ]) {
    const { status, body } = await client.append(made.stream_id, loan(1, { occurred_at }));
    assert.deepEqual([status, body.occurred_at], [201, occurred_at]);
  }
  const rows = await server.service.context.database.read((reader) =>
    reader.all<{ occurred_at_utc: string }>("SELECT occurred_at_utc FROM events ORDER BY seq_no"),
  );
  assert.deepEqual(
    rows.map((row) => row.occurred_at_utc),
    ["2026-03-01T10:15:30.000000000Z", "2026-03-01T19:45:30.123456789Z", "0000-12-31T10:00:00.000000000Z"],
  );
});

test("a stream is made for the key's own system under a policy that exists", async (t) => {
  const { client, made } = await startServer(t);
  const request = { system_id: made.system_id, use_case: "loans", policy_id: "default", metadata: { owner: "risk" } };
  const { status, body } = await client.post("/v2/streams", request);
  assert.equal(status, 201);
  const { stream_id, created_at, ...rest } = body;
  assert.match(stream_id, /^str_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(rest, { class: "legacy", ...request, created: true });
  const refusals = [
    { change: { policy_id: "Not A Slug" }, status: 422, code: "invalid_request" },
    { change: { system_id: "sys_01k3c0h7wz0000000000000000" }, status: 403, code: "system_forbidden" },
    { change: { metadata: { a: 1 } }, status: 422, code: "invalid_request" },
    {
      change: { metadata: Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`k${i}`, ""])) },
      status: 422,
      code: "invalid_request",
    },
  ];
  for (const { change, status: expected, code } of refusals) {
    const answer = await client.post("/v2/streams", { ...request, ...change });
    assert.deepEqual([answer.status, answer.body.detail.code], [expected, code]);
  }
});

test("making legacy streams can be switched off; existing ones go on", async (t) => {
  const { client, made } = await startServer(t, { legacyStreamCreationEnabled: false });
  const request = { system_id: made.system_id, use_case: "loans", policy_id: "default", metadata: {} };
  const { status, body } = await client.post("/v2/streams", request);
  assert.deepEqual([status, body.detail.code], [403, "legacy_stream_creation_disabled"]);
  assert.equal((await client.append(made.stream_id, loan(1))).status, 201);
});

test("types, methods, paths and sizes", async (t) => {
  const { client, made } = await startServer(t);
  const events = `/v2/streams/${made.stream_id}/events`;
  const send = (type: string, more: Record<string, string> = {}) =>
    client.send("POST", events, JSON.stringify(loan(1)), { "content-type": type, "idempotency-key": "k", ...more });
  for (const answer of [
    await send("text/plain"),
    await send("application/json; charset=latin1"),
    await send("application/json", { "content-encoding": "gzip" }),
  ])
    assert.deepEqual([answer.status, answer.body.detail.code], [415, "unsupported_media_type"]);
  assert.equal((await send("application/json; charset=utf-8")).status, 201);

  const wrongMethod = await client.send("DELETE", events, undefined, {});
  assert.deepEqual([wrongMethod.status, wrongMethod.body.detail.code], [405, "method_not_allowed"]);
  assert.equal(wrongMethod.headers.get("allow"), "POST, GET");
  for (const path of ["/v2/nothing", "/v2/windows/%ff", "/v2/windows/win_1/x"]) {
    const answer = await client.get(path);
    assert.deepEqual([answer.status, answer.body.detail.code], [404, "route_not_found"], path);
  }

  const large = await client.append(made.stream_id, `"${"x".repeat(1024 * 1024)}"`);
  assert.deepEqual(
    [large.status, large.body.detail.code, large.body.detail.max_bytes],
    [413, "body_too_large", 1024 * 1024],
  );
  const payload = { text: "x".repeat(256 * 1024 - '{"text":""}'.length) };
  assert.equal((await client.append(made.stream_id, loan(2, { payload }))).status, 201);
  const tooLarge = await client.append(made.stream_id, loan(2, { payload: { text: `${payload.text}x` } }));
  assert.deepEqual([tooLarge.status, tooLarge.body.detail.code], [413, "payload_too_large"]);
});

test("answers carry a request id and nothing about the software", async (t) => {
  const { client } = await startServer(t);
  const { headers, body, status } = await client.get("/health");
  assert.deepEqual([status, body], [200, { status: "ok", version: "0.5.0" }]);
  assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  assert.deepEqual([headers.get("x-powered-by"), headers.get("etag")], [null, null]);
});

test("any page may ask the public routes, and none of the others", async (t) => {
  const { client, made } = await startServer(t);
  const preflight = (path: string) =>
    fetch(client.url + path, {
      method: "OPTIONS",
      headers: { origin: "https://example.org", "access-control-request-method": "POST" },
    });
  const open = await preflight("/v2/verify");
  assert.equal(open.status, 204);
  assert.equal(open.headers.get("access-control-allow-origin"), "*");
  assert.equal(open.headers.get("access-control-allow-headers"), "Content-Type");
  const answer = await client.get("/v2/keys", { origin: "https://example.org" });
  assert.equal(answer.headers.get("access-control-allow-origin"), "*");
  assert.equal(answer.headers.get("access-control-allow-credentials"), null);
  assert.equal(answer.headers.get("access-control-expose-headers"), "X-Request-Id, Retry-After");
  const closed = await preflight(`/v2/streams/${made.stream_id}/events`);
  assert.deepEqual([closed.status, closed.headers.get("access-control-allow-origin")], [405, null]);
});

test("ready says whether the database can be written", async (t) => {
  const { client, made } = await startServer(t);
  assert.deepEqual((await client.get("/ready")).body, { status: "ready" });
  const other = new DatabaseSync(join(made.data_folder, "svc.db"));
  other.exec("BEGIN IMMEDIATE");
  // All requests within a second share one answer.
  const answer = await until("the database is tried again", async () => {
    const next = await client.get("/ready");
    return next.status === 503 ? next : null;
  });
  assert.equal(answer.body.detail.code, "store_unavailable");
  other.exec("ROLLBACK");
  other.close();
  assert.equal((await client.get("/ready")).status, 200);
});

test("a database that is locked keeps nobody from reading, the first use of a key included", async (t) => {
  const { client, made } = await startServer(t);
  const other = new DatabaseSync(join(made.data_folder, "svc.db"));
  other.exec("BEGIN IMMEDIATE");
  const waiting = client.get("/ready").then(({ status }) => status);
  const reading = client.get(`/v2/streams/${made.stream_id}/proof-state`).then(({ status }) => status);
  assert.equal(
    await Promise.race([waiting, reading]),
    200,
    "what writes waits for the lock in vain, and answers later",
  );
  assert.equal(await waiting, 503);
  other.exec("ROLLBACK");
  other.close();
});
