/** Limits: buckets by themselves on a clock held still, then over HTTP by key, by address, and behind a proxy. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../src/config.ts";
import { ServiceError } from "../src/errors.ts";
import { RateLimit } from "../src/http/rate-limit.ts";
import { Client, loan, startServer } from "./running-server.ts";

test("a key may send twice a second's requests at once, then so many a second", () => {
  let now = 0;
  const limit = new RateLimit(2, () => now);
  const isServed = (key: string) => {
    try {
      limit.count(key);
      return true;
    } catch (error) {
      assert.ok(error instanceof ServiceError && error.code === "rate_limited");
      assert.equal(error.details.retry_after_s, 1);
      return false;
    }
  };
  const served = (times: number, key = "a") =>
    Array.from({ length: times }, () => isServed(key)).filter(Boolean).length;
  assert.equal(served(10), 4);
  assert.equal(served(10, "b"), 4, "another key has a bucket of its own");
  now = 500;
  assert.equal(served(10), 1);
  now = 400;
  assert.equal(served(1), 0, "a refusal costs nothing, and gives nothing");
  now = 60_000;
  assert.equal(served(10), 4, "no more than a full bucket, however long nothing came");
});

test("no limit is no limit", () => {
  const open = new RateLimit(0, () => 0);
  for (let time = 0; time < 10_000; time++) open.count("a");
});

test("past ten thousand keys the one that has waited longest starts anew", () => {
  const limit = new RateLimit(1, () => 0);
  limit.count("a");
  limit.count("a");
  for (let other = 1; other < 10_000; other++) limit.count(`${other}`);
  assert.throws(() => limit.count("a"), ServiceError);
  for (let other = 10_000; other < 20_000; other++) limit.count(`${other}`);
  limit.count("a");
});

test("a key that sends too much is told when to try again; other keys are served", async (t) => {
  const { client, made, server } = await startServer(t, { requestsPerSecondOfKey: 1 });
  const path = `/v2/streams/${made.stream_id}/proof-state`;
  const answers = [await client.get(path), await client.get(path), await client.get(path)];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 429],
  );
  const [, , refused] = answers;
  assert.equal(refused?.body.detail.code, "rate_limited");
  assert.equal(refused?.headers.get("retry-after"), String(refused?.body.detail.retry_after_s));
  const { database } = server.service.ground;
  const actor = { tenantId: made.tenant_id, kind: "service", id: "svc-server", roles: [] } as const;
  const key = await database.write((writer) =>
    server.service.systemKeys.create(writer, { tenantId: made.tenant_id, systemId: made.system_id }, actor),
  );
  assert.equal((await new Client(client.url, key).append(made.stream_id, loan(1))).status, 201);
});

test("public routes and wrong keys are counted by address, which only a trusted proxy may state", async (t) => {
  const limits = { requestsPerSecondOfAddress: 1 };
  const from = (address: string) => ({ "x-forwarded-for": address });
  const statuses = async (trustedProxies: readonly string[]) => {
    const { client, made } = await startServer(t, { ...limits, trustedProxies });
    const wrong = new Client(client.url, "svc_sk_nobody");
    const first = await client.get("/health", from("192.0.2.1"));
    const second = await wrong.get(`/v2/streams/${made.stream_id}/head`, from("192.0.2.2"));
    const third = await client.get("/health", from("192.0.2.3"));
    return [first.status, second.status, third.status];
  };
  assert.deepEqual(await statuses([]), [200, 401, 429]);
  assert.deepEqual(await statuses(["127.0.0.1"]), [200, 401, 200]);
});

test("proxies are addresses or networks", () => {
  assert.deepEqual(readConfig({ SVC_TRUSTED_PROXIES: "10.0.0.1, ::1/64" }).trustedProxies, ["10.0.0.1", "::1/64"]);
  for (const wrong of ["proxy.example", "10.0.0.1/33", "10.0.0.1/8/8", "10.0.0.1/"])
    assert.throws(() => readConfig({ SVC_TRUSTED_PROXIES: wrong }), /SVC_TRUSTED_PROXIES/, wrong);
});
