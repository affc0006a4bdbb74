/**
 * U+0000 wherever a request may have a text: where it names something, nothing has that name; where it is recorded, it
 * is kept. PostgreSQL holds no such text.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contractsOf, KEY_ACTIONS } from "@svc/api";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { systemKeysOf } from "../../src/tenancy/system-keys.ts";
import { entry, log } from "../event-log/event-log.ts";

const NULL = "\0";

test("in any path and any parameter of a query it is refused, or names nothing", async (t) => {
  const { client, made, server } = await startServer(t, { requestsPerSecondOfKey: 0 });
  await log(client, entry(1));
  const ids: Readonly<Record<string, string>> = { streamId: made.stream_id, policyId: "default" };
  let asked = 0;
  for (const { method, path, query, access } of contractsOf({ withMetrics: false })) {
    const names = path.match(/\{\w+\}/g) ?? [];
    const spoiled = path.replaceAll(/\{\w+\}/g, "loan%00");
    const whole = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "none");
    const queries = Object.keys(query).map((name) => `${whole}?${name}=loan-1%00`);
    for (const url of [...(names.length > 0 ? [spoiled] : []), ...queries]) {
      const answer = await fetch(`${server.url}${url}`, {
        method,
        headers: {
          "content-type": "application/json",
          "idempotency-key": "key",
          ...(access.includes("system") ? { authorization: `Bearer ${client.key}` } : {}),
        },
        ...(method === "POST" ? { body: "{}" } : {}),
      });
      const text = await answer.text();
      assert.ok(answer.status < 500, `${method} ${url}: ${answer.status} ${text}`);
      if (answer.status === 200 && "items" in JSON.parse(text)) assert.deepEqual(JSON.parse(text).items, [], url);
      asked += 1;
    }
  }
  assert.ok(asked > 40, `${asked} requests`);
});

test("in a body it names nothing, and in what is recorded it is kept", async (t) => {
  const { made, server } = await startServer(t);
  const { stream_id, system_id, tenant_id: tenantId } = made;
  const limits = { actions: KEY_ACTIONS, streams: null };
  const actor = { tenantId, kind: "service", id: "test", roles: [] } as const;
  const { context } = server.service;
  const key = await context.database.write((writer) =>
    systemKeysOf(context).create(writer, { tenantId, systemId: system_id, limits }, actor),
  );
  const client = new Client(server.url, key);
  const refused = [
    ["/v2/streams", { system_id: NULL, use_case: "x", policy_id: "default", metadata: {} }],
    ["/v2/streams", { system_id, use_case: NULL, policy_id: "default", metadata: {} }],
    ["/v2/streams", { system_id, use_case: "x", policy_id: NULL, metadata: {} }],
    ["/v2/audit/packs", { stream_id: `${stream_id}${NULL}`, from_seq_no: 1, to_seq_no: 1 }],
    ["/v1/exports", { streams: [`${stream_id}${NULL}`] }],
    ["/v1/exports", { systems: [`${system_id}${NULL}`] }],
    ["/v1/exports/exp%00/download/prepare", {}],
    ["/v2/streams/str%00/events", loan(1)],
    ["/v2/streams/str%00/events/batch", { events: [loan(1)] }],
    ["/v2/streams/str%00/events/sev%00/erase", { reason: "request 17" }],
    [`/v2/streams/${stream_id}/events/sev%00/erase`, { reason: "request 17" }],
    [`/v2/streams/${stream_id}/events`, loan(1, { source_ref: NULL })],
    [`/v2/streams/${stream_id}/events`, loan(1, { event_type: NULL })],
    ["/v1/sdk/events", entry(1, { status: NULL })],
  ] as const;
  for (const [path, body] of refused) {
    const { status, text } = await client.post(path, body);
    assert.ok(status >= 400 && status < 500, `${path} ${JSON.stringify(body)}: ${status} ${text}`);
  }

  const metadata = { [`a${NULL}`]: NULL };
  const stream = await client.post("/v2/streams", { system_id, use_case: "x", policy_id: "default", metadata });
  assert.deepEqual([stream.status, stream.body.metadata], [201, metadata], stream.text);
  const payload = { [NULL]: [NULL, `x${NULL}y`] };
  const first = await client.append(stream_id, loan(1, { payload }), "one");
  assert.equal(first.status, 201, first.text);
  assert.equal((await client.append(stream_id, loan(1, { payload }), "one")).text, first.text);
  const { text, body } = await client.get(`/v2/receipts/${first.body.stream_event_id}`);
  assertVerified(text, made.public_key_hex, "receipt");
  assert.deepEqual(body.payload, payload);

  const erase = `/v2/streams/${stream_id}/events/${first.body.stream_event_id}/erase`;
  const erased = await client.post(erase, { reason: `request${NULL}17` });
  assert.equal(erased.status, 200, erased.text);
  assert.ok(erased.text.includes("request\\u000017"), erased.text);
});
