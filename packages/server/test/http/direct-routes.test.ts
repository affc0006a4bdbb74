/** The routes before the framework's chain: whichever way a request takes, it is answered alike. */
import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { createListener } from "@svc/host/http";
import { MetricsRegistry, RequestMetrics } from "@svc/host/metrics";
import { loan } from "@svc/testkit/server/loan";
import { startServer, type TestServer } from "@svc/testkit/server/running-server";
import pino from "pino";
import { buildApps } from "../../src/serving/app.ts";
import { exchange } from "./raw-exchange.ts";

type Settings = Parameters<typeof buildApps>[2];

const SETTINGS: Settings = {
  requestsPerSecondOfKey: 0,
  requestsPerSecondOfAddress: 0,
  trustedProxies: [],
  metricsPort: 0,
  metricsToken: null,
  apiUrl: null,
  dashboardUrl: null,
  auditUrl: null,
  statusUrl: null,
  marketplaceUrl: null,
};

/** A server of the same deployment, which tells what it logged and counted. */
interface Way {
  readonly url: string;
  readonly lines: Record<string, unknown>[];
  readonly registry: MetricsRegistry;
}

async function serveWay(
  t: TestContext,
  { server }: TestServer,
  { isDirect, ...settings }: { readonly isDirect: boolean } & Partial<Settings>,
): Promise<Way> {
  const { service } = server;
  const routes = isDirect ? service.routes : service.routes.map((route) => ({ ...route, isDirect: false }));
  assert.equal(
    routes.some((route) => route.isDirect),
    isDirect,
  );
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: "debug" }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const registry = new MetricsRegistry();
  const app = buildApps(
    { ...service, routes },
    logger,
    { ...SETTINGS, ...settings },
    new RequestMetrics(registry),
  ).main;
  const listener = createListener(app);
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  t.after(() => listener.close());
  return { url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`, lines, registry };
}

function both(t: TestContext, made: TestServer, settings: Partial<Settings> = {}): Promise<Way[]> {
  return Promise.all([true, false].map((isDirect) => serveWay(t, made, { ...settings, isDirect })));
}

/** Returns an answer without what differs between any two: the request id and the time. */
function comparable(answer: string): string {
  return answer.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID").replace(/^Date: .*$/m, "Date");
}

interface Sent {
  readonly method?: string;
  readonly target?: string;
  readonly version?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
  readonly length?: number | null;
}

test("every form of a request is answered alike on both ways, headers and all", async (t) => {
  const made = await startServer(t);
  const { stream_id } = made.made;
  const own = `/v2/streams/${stream_id}/events`;
  const event = JSON.stringify(loan(1));
  const batch = JSON.stringify({ events: [loan(2), loan(3)] });
  const KEY = `Authorization: Bearer ${made.made.api_key}`;
  const JSON_TYPE = "Content-Type: application/json";
  const text = ({ method = "POST", target = own, version = "1.1", headers, body = event, length }: Sent) =>
    [
      `${method} ${target} HTTP/${version}`,
      ...(headers ?? ["Host: here", KEY, JSON_TYPE, "Idempotency-Key: one"]),
      ...(length === null ? [] : [`Content-Length: ${length ?? Buffer.byteLength(body)}`]),
      "Connection: close",
      "",
      body,
    ].join("\r\n");
  const host = (...more: readonly string[]) => ["Host: here", ...more];
  const keyed = (...more: readonly string[]) => host(KEY, JSON_TYPE, ...more);
  const chunked = `${event.length.toString(16)}\r\n${event}\r\n0\r\n\r\n`;
  const asked: Readonly<Record<string, Sent>> = {
    "an event": {},
    "a batch": { target: `${own}/batch`, headers: keyed("Idempotency-Key: two"), body: batch },
    "a redacted answer": { headers: keyed("Idempotency-Key: one", "Prefer: return=minimal") },
    "a body in chunks": {
      headers: keyed("Idempotency-Key: chunks", "Transfer-Encoding: chunked"),
      body: chunked,
      length: null,
    },
    "HTTP/1.0 without a Host": { version: "1.0", headers: [KEY, JSON_TYPE, "Idempotency-Key: one"] },
    "an empty query": { target: `${own}?` },
    "a predecessor": { target: `${own}?after_key=one`, headers: keyed("Idempotency-Key: three") },
    "a predecessor that is missing": { target: `${own}?after_key=none`, headers: keyed("Idempotency-Key: four") },
    "an unknown parameter": { target: `${own}?x=1` },
    "an encoded path": { target: own.replace("str_", "str%5F") },
    "a path that cannot be decoded": { target: own.replace("str_", "str%ZZ") },
    "a fragment": { target: `${own}#x` },
    "a target in absolute form": { target: `http://user:secret@here${own}` },
    "a slash behind": { target: `${own}/` },
    "another case": { target: own.replace("events", "Events") },
    "an invalid stream": { target: own.replace(stream_id, "none") },
    "no stream": { target: own.replace(stream_id, "") },
    "another method": { method: "PUT" },
    "the method of a list": { method: "GET", body: "", headers: host(KEY) },
    "the method of pages": { method: "OPTIONS", body: "" },
    "no Host": { headers: [KEY, JSON_TYPE, "Idempotency-Key: one"] },
    "two Hosts": { headers: keyed("Host: there", "Idempotency-Key: one") },
    "two keys": { headers: keyed(KEY, "Idempotency-Key: one") },
    "no key": { headers: host(JSON_TYPE, "Idempotency-Key: one") },
    "a wrong key": { headers: host("Authorization: Bearer svc_sk_no", JSON_TYPE, "Idempotency-Key: one") },
    "no Idempotency-Key": { headers: keyed() },
    "two Idempotency-Keys": { headers: keyed("Idempotency-Key: one", "Idempotency-Key: two") },
    "an Idempotency-Key with a space": { headers: keyed("Idempotency-Key: one two") },
    "a head that does not match": { headers: keyed("Idempotency-Key: five", `If-Head-Match: ${"a".repeat(64)}`) },
    "a head without its form": { headers: keyed("Idempotency-Key: five", "If-Head-Match: x") },
    "another body under the key": { body: JSON.stringify(loan(9)) },
    "another media type": { headers: host(KEY, "Content-Type: text/plain", "Idempotency-Key: one") },
    "a compressed body": { headers: keyed("Content-Encoding: gzip", "Idempotency-Key: one") },
    "a transfer coding": { headers: keyed("Transfer-Encoding: gzip, chunked", "Idempotency-Key: one"), length: null },
    "a stated size beyond the limit": { length: 10_000_000 },
    "a body that is no JSON": { body: "{" },
    "a body with a member twice": { body: '{"a":1,"a":1}' },
    "a body of another shape": { body: "{}" },
    "a batch of nothing": { target: `${own}/batch`, body: '{"events":[]}' },
    "a batch that is too long": {
      target: `${own}/batch`,
      body: JSON.stringify({ events: Array.from({ length: 1001 }, () => 0) }),
    },
    "an expectation": { headers: keyed("Idempotency-Key: one", "Expect: 100-continue") },
    "an expectation that cannot be met": { headers: keyed("Idempotency-Key: one", "Expect: more") },
  };
  const ways = await both(t, made);
  const statuses = new Set<string>();
  for (const [what, sent] of Object.entries(asked)) {
    const answers: string[] = [];
    for (const { url } of ways) answers.push(comparable(await exchange(url, text(sent))));
    const [direct = "", framed] = answers;
    assert.equal(direct, framed, what);
    assert.match(direct, /^HTTP\/1\.1 \d{3} /, what);
    statuses.add(direct.slice(9, 12));
  }
  const seen = "100 200 201 400 401 404 405 409 413 415 417 422 501";
  assert.equal([...statuses].sort().join(" "), seen);
  const [direct, framed] = ways.map(({ lines }) =>
    lines.map(({ method, path, status, msg }) => ({ method, path, status, msg })),
  );
  assert.deepEqual(direct, framed);
  assert.ok(!JSON.stringify(direct).includes("secret"));
  const counts = await Promise.all(
    ways.map(async ({ registry }) => {
      const text = await registry.text();
      return text.split("\n").filter((line) => /^svc_(http_requests|refusals)_total/.test(line));
    }),
  );
  assert.deepEqual(counts[0], counts[1]);
  assert.ok(counts[0]?.some((line) => line.includes('route="/v2/streams/{streamId}/events/batch"')));
});

test("limits and proxies hold on both ways", async (t) => {
  const made = await startServer(t);
  const { stream_id, api_key } = made.made;
  const wrong = async ({ url }: Way, address: string) => {
    const headers = { authorization: "Bearer svc_sk_no", "x-forwarded-for": address };
    const answer = await fetch(`${url}/v2/streams/${stream_id}/events`, { method: "POST", headers });
    return answer.status;
  };
  const right = async ({ url }: Way) => {
    const headers = { authorization: `Bearer ${api_key}` };
    return (await fetch(`${url}/v2/streams/${stream_id}/events`, { method: "POST", headers })).status;
  };
  for (const [trustedProxies, third] of [
    [[], 429],
    [["127.0.0.0/8"], 401],
  ] as const)
    for (const way of await both(t, made, { trustedProxies, requestsPerSecondOfAddress: 1 })) {
      const statuses = [await wrong(way, "192.0.2.1"), await wrong(way, "192.0.2.2"), await wrong(way, "192.0.2.3")];
      assert.deepEqual(statuses, [401, 401, third]);
    }
  for (const way of await both(t, made, { requestsPerSecondOfKey: 1 }))
    assert.deepEqual([await right(way), await right(way), await right(way)], [400, 400, 429]);
});

test("a client that leaves in the middle of its body changes nothing on either way", async (t) => {
  const made = await startServer(t);
  const { stream_id, api_key } = made.made;
  for (const { url, lines } of await both(t, made)) {
    const head = [
      `POST /v2/streams/${stream_id}/events HTTP/1.1`,
      "Host: here",
      `Authorization: Bearer ${api_key}`,
      "Content-Type: application/json",
      "Idempotency-Key: left",
      "Content-Length: 100",
    ];
    await exchange(url, `${head.join("\r\n")}\r\n\r\n{"source_ref":`, { end: true });
    assert.equal(lines.filter(({ level }) => Number(level) >= 50).length, 0, JSON.stringify(lines));
  }
  assert.equal((await made.client.get(`/v2/streams/${stream_id}/head`)).body.detail.code, "stream_empty");
});
