/** Limits over HTTP: by key, by address, and behind a proxy. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { contract } from "@svc/api";
import { BYTES_OF_A_KEY_REQUEST, BYTES_OF_A_REQUEST, MS_OF_A_REQUEST } from "@svc/api/limits";
import { application, bind, createListener, json, RateLimit, ReadingLane } from "@svc/host/http";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import pino from "pino";
import Type from "typebox";
import { readConfig } from "../../src/settings/config.ts";
import { systemKeysOf, unauthorized } from "../../src/tenancy/system-keys.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";

test("a key that sends too much gets 429 with Retry-After; other keys are served", async (t) => {
  const { client, made, server } = await startServer(t, { requestsPerSecondOfKey: 1 });
  const path = `/v2/streams/${made.stream_id}/proof-state`;
  // Two may come at once, and one more with each second that a busy machine takes.
  const begun = performance.now();
  const answers = await Promise.all(Array.from({ length: 10 }, () => client.get(path)));
  const most = 2 + Math.floor((performance.now() - begun) / 1000);
  const served = answers.filter(({ status }) => status === 200).length;
  const [refused, ...others] = answers.filter(({ status }) => status === 429);
  assert.ok(served >= 2 && served <= most, `${served} were served, and ${most} may be`);
  assert.equal(served + 1 + others.length, answers.length);
  assert.equal(refused?.body.detail.code, "rate_limited");
  assert.equal(refused?.headers.get("retry-after"), String(refused?.body.detail.retry_after_s));
  const { database } = server.service.context;
  const actor = { tenantId: made.tenant_id, kind: "service", id: "svc-server", roles: [] } as const;
  const key = await database.write((writer) =>
    systemKeysOf(server.service.context).create(writer, { tenantId: made.tenant_id, systemId: made.system_id }, actor),
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
  const { kernel, keyedHash } = server.service.context;
  const nobody = { authenticate: async () => null, unauthorized, refused: () => undefined, metricsToken: null };
  const quiet = {
    logger: pino({ level: "silent" }),
    requestMetrics: null,
    trustedProxies: [],
    isOpenToPages: true,
    answerHeaders: [],
  };
  const listener = createListener(application([route], { kernel, keyedHash, ...nobody, limits, lane, ...quiet }));
  listener.listen(0, "127.0.0.1");
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
  // A busy machine has paid some of the debt by then.
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

test("a key pays for the bytes that it sends, stated or not", async (t) => {
  const size = 20 * BYTES_OF_A_KEY_REQUEST;
  const batch = JSON.stringify({ events: Array.from({ length: 8 }, () => ({ text: "x".repeat(size / 8) })) });
  for (const body of [batch, new Blob([batch]).stream()]) {
    const { client, made } = await startServer(t, { requestsPerSecondOfKey: 1 });
    const headers = {
      authorization: `Bearer ${made.api_key}`,
      "content-type": "application/json",
      "Idempotency-Key": "one",
    };
    const url = `${client.url}/v2/streams/${made.stream_id}/events/batch`;
    const sent = await fetch(url, { method: "POST", headers, body, duplex: "half" });
    assert.equal(sent.status, 422, await sent.text());
    const next = await client.get(`/v2/streams/${made.stream_id}/head`);
    const waitS = Number(next.headers.get("retry-after"));
    // A busy machine has paid some of the debt by then.
    assert.ok(next.status === 429 && waitS > 10, `19 requests are owed at one a second: ${next.status}, ${waitS} s`);
  }
});

test("a body that is refused as too large costs its key one request: it is not read", async (t) => {
  const { client, made } = await startServer(t, { requestsPerSecondOfKey: 1 });
  const sent = request(`${client.url}/v2/streams/${made.stream_id}/events/batch`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${made.api_key}`,
      "content-type": "application/json",
      "content-length": 10_000 * BYTES_OF_A_KEY_REQUEST,
      "Idempotency-Key": "one",
    },
  });
  sent.on("error", () => undefined);
  sent.flushHeaders();
  const [refused] = await once(sent, "response");
  sent.destroy();
  assert.equal(refused.statusCode, 413);
  assert.equal((await client.get(`/v2/streams/${made.stream_id}/proof-state`)).status, 200);
});

test("proxies are addresses or networks", () => {
  assert.deepEqual(readConfig(THIN_SERVER, { SVC_TRUSTED_PROXIES: "10.0.0.1, ::1/64" }).trustedProxies, [
    "10.0.0.1",
    "::1/64",
  ]);
  for (const wrong of ["proxy.example", "10.0.0.1/33", "10.0.0.1/8/8", "10.0.0.1/"])
    assert.throws(() => readConfig(THIN_SERVER, { SVC_TRUSTED_PROXIES: wrong }), /SVC_TRUSTED_PROXIES/, wrong);
});
