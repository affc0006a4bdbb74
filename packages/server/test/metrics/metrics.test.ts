/** The metrics: their places, who may read them, their counts, and that no label says whose evidence it is. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ON_POSTGRES } from "@svc/testkit/drivers";
import type { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";
import { entry, log } from "../event-log/event-log.ts";

const TOKEN = "a-token-of-the-metrics";

/** Returns the value of a sample, by its name and labels as they are in the text, or 0. */
function sample(text: string, name: string): number {
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
}

const scrape = async (client: Client) => (await client.get("/metrics", { authorization: `Bearer ${TOKEN}` })).text;
const withToken = (t: TestContext) => startServer(t, { metricsToken: TOKEN });

test("on the main port they ask for their token, and are in the document", async (t) => {
  const { client } = await withToken(t);
  const wrong = [`Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Basic ${TOKEN}`, `Bearer ${client.key}`, "Bearer "];
  for (const authorization of wrong) {
    const { status, body, headers } = await client.get("/metrics", { authorization });
    assert.deepEqual([status, body.detail.code, headers.get("www-authenticate")], [401, "unauthorized", "Bearer"]);
    assert.ok(!body.detail.message.includes(TOKEN));
  }
  const { status, headers, text } = await client.get("/metrics", { authorization: `bearer ${TOKEN}` });
  assert.equal(status, 200);
  assert.equal(headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  assert.equal(headers.get("access-control-allow-origin"), null);
  assert.ok(sample(text, "process_resident_memory_bytes") > 0);
  const { body: document } = await client.get("/openapi.json");
  assert.deepEqual(document.paths["/metrics"].get.security, [{ metricsToken: [] }]);
  assert.equal(document.components.securitySchemes.metricsToken.scheme, "bearer");
});

test("they count requests by template, refusals by code and events, and know how far the sealer is", async (t) => {
  const { client, made } = await withToken(t);
  const { stream_id } = made;
  for (const key of ["one", "one"]) await client.append(stream_id, loan(1), key);
  await client.appendBatch(stream_id, [loan(2), loan(3)]);
  const { body: logged } = await log(client, entry(1));
  await client.get("/v1/events?status=granted");
  await client.get("/v2/streams/str_none/head");
  await fetch(`${client.url}/no/such/${stream_id}`);
  await fetch(`${client.url}/v2/keys`, { method: "DELETE" });
  await client.witnessed(stream_id, 3);
  await client.witnessed(logged.stream_id, 1);
  const text = await scrape(client);
  const requests = (route: string, method: string, status: number) =>
    sample(text, `svc_http_requests_total{route="${route}",method="${method}",status="${status}"}`);
  assert.equal(requests("/v2/streams/{streamId}/events", "POST", 201), 2);
  assert.equal(requests("/v2/streams/{streamId}/events/batch", "POST", 201), 1);
  assert.equal(requests("/v1/sdk/events", "POST", 201), 1);
  assert.equal(requests("/v1/events", "GET", 200), 1);
  assert.equal(requests("/v2/streams/{streamId}/head", "GET", 404), 1);
  assert.equal(requests("/v2/keys", "DELETE", 405), 1);
  assert.equal(requests("none", "GET", 404), 1);
  const timed = 'svc_http_request_duration_seconds_count{route="/v2/streams/{streamId}/events",method="POST"}';
  assert.equal(sample(text, timed), 2);
  for (const code of ["stream_not_found", "route_not_found", "method_not_allowed"])
    assert.equal(sample(text, `svc_refusals_total{code="${code}"}`), 1, code);
  assert.equal(sample(text, "svc_events_recorded_total"), 4);
  assert.equal(sample(text, "svc_sealer_lag_events"), 0);
  assert.equal(sample(text, "svc_sealer_lag_windows"), 0);
  // A server of databases has its own figures.
  assert.equal(sample(text, "svc_database_bytes") > 0, !ON_POSTGRES);
  const secrets = [stream_id, made.tenant_id, made.system_id, made.origin, made.kid, client.key.slice(7, 33), "A-1"];
  for (const secret of secrets) assert.ok(!text.includes(secret), secret);
});

test("what waits for the sealer shows while it waits", async (t) => {
  const { client, made, server } = await withToken(t);
  await Promise.all(server.service.jobs.map((job) => job.stop()));
  await client.appendBatch(made.stream_id, [loan(1), loan(2)]);
  assert.equal(sample(await scrape(client), "svc_sealer_lag_events"), 2);
  await server.service.context.database.write((writer) =>
    writer.run("UPDATE streams SET window_count = 3, unwindowed_since = NULL"),
  );
  const text = await scrape(client);
  assert.deepEqual([sample(text, "svc_sealer_lag_events"), sample(text, "svc_sealer_lag_windows")], [0, 3]);
});

test("metrics on a separate port are there and nowhere else, and each server has its own", async (t) => {
  const { client, server } = await startServer(t, { metricsPort: 0 });
  const other = await startServer(t, { metricsPort: 0 });
  const url = server.metricsUrl ?? "";
  assert.notEqual(new URL(url).port, new URL(client.url).port);
  await client.get("/health");
  const text = await (await fetch(url)).text();
  assert.equal(sample(text, 'svc_http_requests_total{route="/health",method="GET",status="200"}'), 1);
  const ofOther = await (await fetch(other.server.metricsUrl ?? "")).text();
  assert.ok(!ofOther.includes('route="/health"'));
  assert.equal((await fetch(`${client.url}/metrics`)).status, 404);
  const elsewhere = await fetch(new URL("/health", url));
  assert.equal(elsewhere.status, 404);
  assert.match(await elsewhere.text(), /"route_not_found"/);
});

test("a token is asked for on their own port too; it ends with the server", async (t) => {
  const { server } = await startServer(t, { metricsPort: 0, metricsToken: TOKEN });
  const url = server.metricsUrl ?? "";
  assert.equal((await fetch(url)).status, 401);
  assert.equal((await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } })).status, 200);
  t.after(() =>
    until("the port of the metrics is closed", () =>
      fetch(url).then(
        () => null,
        () => true,
      ),
    ),
  );
});

test("with neither setting /metrics is not found, like any unknown path", async (t) => {
  const { client, server } = await startServer(t);
  assert.equal(server.metricsUrl, null);
  const answer = await fetch(`${client.url}/metrics`);
  assert.equal(answer.status, 404);
  assert.match(await answer.text(), /"route_not_found","message":"There is no route GET \/metrics\./);
  assert.ok(!(await (await fetch(`${client.url}/openapi.json`)).text()).includes("/metrics"));
});
