/** The families of a server: each is known by its name, its jobs run, and what one side tells reaches the other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Channel, type Topic } from "@svc/host/channel";
import { systemClock } from "@svc/host/clock";
import { MetricsRegistry } from "@svc/host/metrics";
import { ON_POSTGRES } from "@svc/testkit/drivers";
import { openDeployment, startServer } from "@svc/testkit/server/running-server";
import { readConfig } from "../src/config.ts";
import { FAMILIES } from "../src/families.ts";
import { kernel } from "../src/kernel.ts";
import { openService } from "../src/open-service.ts";
import { TOLD } from "../src/recording/told.ts";
import { SECRET_VARIABLES } from "../src/settings.ts";

test("each family has a name of its own, that of its folder", () => {
  const names = FAMILIES.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const name of ["erasure", "exports", "idempotency", "keys", "sealing", "streams", "tenancy"])
    assert.ok(names.includes(name), name);
});

test("the jobs of every family run in a server", async (t) => {
  const { server } = await startServer(t);
  assert.deepEqual(server.service.jobs.map(({ name }) => name).sort(), [
    "archive",
    "exports",
    ...(ON_POSTGRES ? [] : ["file-clearing"]),
    "idempotency-records",
    "sealer",
    "service-log",
  ]);
});

/** A channel that notes which topics somebody listens to. */
class NotingChannel extends Channel {
  readonly heard = new Set<Topic<unknown>>();

  override subscribe<Message>(topic: Topic<Message>, listener: (message: Message) => void): () => void {
    this.heard.add(topic);
    return super.subscribe(topic, listener);
  }
}

test("each topic that the answering side hears crosses from the thread that records, and has a name of its own", async (t) => {
  const { made, databaseSettings } = await openDeployment(t);
  const channel = new NotingChannel();
  const config = { ...readConfig({ SVC_DATA: made.data_folder }), ...databaseSettings };
  const service = await openService({ config, kernel, clock: systemClock, channel, metrics: new MetricsRegistry() });
  t.after(() => service.close());
  const lost = [...channel.heard].filter((topic) => !TOLD.includes(topic)).map(({ name }) => name);
  assert.deepEqual([channel.heard.size > 5, lost], [true, []]);
  assert.equal(new Set(TOLD.map(({ name }) => name)).size, TOLD.length);
});

test("the variables that hold secrets are known, so that a running server can forget them", () => {
  assert.deepEqual([...SECRET_VARIABLES].sort(), [
    "SVC_ANCHOR_RPC",
    "SVC_DATABASE_URL",
    "SVC_METRICS_TOKEN",
    "SVC_NEXT_SIGNING_KEY",
    "SVC_SIGNING_KEY",
  ]);
});
