/** Requests that wait until a route has room: unread, and whichever route appends. */
import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { eventLog, streams } from "@svc/api";
import { createListener } from "@svc/host/http";
import { Client } from "@svc/testkit/server/client";
import { startServer } from "@svc/testkit/server/running-server";
import pino from "pino";
import { buildApps } from "../../src/serving/app.ts";

const SETTINGS = {
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
const APPENDING = [streams.append, streams.appendBatch, eventLog.append, eventLog.appendBatch];

test("a body is read only where the route has room for it, and every route that appends says whether it has", async (t) => {
  const { made, server } = await startServer(t);
  const { service } = server;
  for (const contract of APPENDING)
    assert.ok(service.routes.find((route) => route.contract === contract)?.room !== undefined, contract.path);
  const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const room = () => {
    asked.resolve();
    return gate.promise;
  };
  const routes = service.routes.map((route) => (route.room === undefined ? route : { ...route, room }));
  const listener = createListener(buildApps({ ...service, routes }, pino({ level: "silent" }), SETTINGS, null).main);
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  t.after(() => listener.close());
  const client = new Client(`http://127.0.0.1:${(listener.address() as AddressInfo).port}`, made.api_key ?? "");
  let isOpen = false;
  const headers = { "content-type": "application/json", "Idempotency-Key": "one" };
  const answer = client.send("POST", `/v2/streams/${made.stream_id}/events`, "{", headers).then((answered) => {
    assert.ok(isOpen, "the body was read before there was room");
    return answered;
  });
  await Promise.race([asked.promise, answer]);
  isOpen = true;
  gate.resolve();
  assert.equal((await answer).body.detail.code, "json_malformed");
});
