/** Limits: buckets by themselves on a clock held still, then over HTTP by key, by address, and behind a proxy. */
import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { contract } from "@svc/api";
import { BYTES_OF_A_REQUEST, MS_OF_A_REQUEST } from "@svc/api/limits";
import { ServiceError } from "@svc/host/errors";
import { bind, json, mount, RateLimit, ReadingLane, sendError } from "@svc/host/http";
import express, { type ErrorRequestHandler } from "express";
import Type from "typebox";
import { readConfig } from "../src/config.ts";
import { unauthorized } from "../src/tenancy/system-keys.ts";
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

test("what costs more than a key holds is served once, and owed: the next waits until it is paid", () => {
  let now = 0;
  const limit = new RateLimit(10, () => now);
  const refusedFor = () => {
    try {
      limit.count("a");
      return 0;
    } catch (error) {
      assert.ok(error instanceof ServiceError && error.code === "rate_limited");
      return error.details.retry_after_s;
    }
  };
  limit.count("a", 120);
  assert.equal(refusedFor(), 11, "100 are owed, and one is needed");
  now = 9_000;
  assert.equal(refusedFor(), 2);
  now = 10_100;
  assert.equal(refusedFor(), 0);
  limit.charge("a", 50);
  assert.equal(refusedFor(), 6);
  limit.charge("b", 19);
  limit.count("b");
  limit.charge("a", 1e9);
  now = 310_150;
  assert.equal(refusedFor(), 1, "nobody waits longer than five minutes");
  now = 311_000;
  assert.equal(refusedFor(), 0);
});

test("no limit is no limit", () => {
  const open = new RateLimit(0, () => 0);
  for (let time = 0; time < 10_000; time++) open.count("a", 100);
  open.charge("a", 1e6);
  open.count("a");
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
    const first = await client.get("/v2/windows/win_none", from("192.0.2.1"));
    const second = await wrong.get(`/v2/streams/${made.stream_id}/head`, from("192.0.2.2"));
    const third = await client.get("/v2/windows/win_none", from("192.0.2.3"));
    return [first.status, second.status, third.status];
  };
  assert.deepEqual(await statuses([]), [404, 401, 429]);
  assert.deepEqual(await statuses(["127.0.0.1"]), [404, 401, 404]);
});

test("an address pays for the time that a thread works for it", async (t) => {
  const { server } = await startServer(t);
  const slow = contract({
    method: "GET",
    path: "/slow",
    chapter: "evidence",
    summary: "Takes a second of a thread.",
    access: "public",
    answer: { status: 200, description: "Done.", schema: Type.Object({}) },
  });
  const route = bind(slow, ({ used }) => {
    used(1000);
    return json({});
  });
  const limits = { byKey: new RateLimit(0), byAddress: new RateLimit(10) };
  const lane = new ReadingLane({ isRecording: () => false });
  const { kernel, keyedHash } = server.service.ground;
  const nobody = { authenticate: async () => null, unauthorized, metricsToken: null };
  const app = express().use(mount([route], { kernel, keyedHash, ...nobody, limits, lane }));
  app.use(((error, _request, response, _next) => sendError(response, error as ServiceError)) as ErrorRequestHandler);
  const listener = app.listen(0, "127.0.0.1");
  t.after(() => listener.close());
  await once(listener, "listening");
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/slow`;
  const [first, second] = [await fetch(url), await fetch(url)];
  assert.deepEqual([first.status, second.status], [200, 429]);
  const owed = 1000 / MS_OF_A_REQUEST + 1 - 20;
  const waitS = Number(second.headers.get("retry-after"));
  assert.ok(waitS > owed / 10 - 1 && waitS <= owed / 10 + 1, `${waitS} s for ${owed} requests at 10 a second`);
});

test("an address pays for the bytes that it sends to be verified, stated or not", async (t) => {
  const { client } = await startServer(t, { requestsPerSecondOfAddress: 1 });
  const body = JSON.stringify({ text: "x".repeat(100_000) });
  const verified = async (sent: string) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${client.url}/v2/verify`, { method: "POST", headers, body: sent });
    await answer.text();
    return [answer.status, Number(answer.headers.get("retry-after") ?? 0)] as const;
  };
  assert.deepEqual(await verified(body), [400, 0]);
  const [status, waitS] = await verified(body);
  const owed = 100_000 / BYTES_OF_A_REQUEST + 1 - 2;
  // A busy machine has paid some of it by then.
  assert.ok(status === 429 && waitS > owed / 2, `${owed} requests are owed at one a second: ${status}, ${waitS} s`);

  const other = await startServer(t, { requestsPerSecondOfAddress: 1 });
  const streamed = await fetch(`${other.client.url}/v2/verify`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: new Blob([body]).stream(),
    duplex: "half",
  });
  assert.equal(streamed.status, 400);
  assert.equal((await other.client.get("/v2/windows/win_none")).status, 429);
  assert.equal(
    (await other.client.get("/health")).status,
    200,
    "what it owes says nothing of whether the server is up",
  );
});

test("proxies are addresses or networks", () => {
  assert.deepEqual(readConfig({ SVC_TRUSTED_PROXIES: "10.0.0.1, ::1/64" }).trustedProxies, ["10.0.0.1", "::1/64"]);
  for (const wrong of ["proxy.example", "10.0.0.1/33", "10.0.0.1/8/8", "10.0.0.1/"])
    assert.throws(() => readConfig({ SVC_TRUSTED_PROXIES: wrong }), /SVC_TRUSTED_PROXIES/, wrong);
});
