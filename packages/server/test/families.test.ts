/** The families of a server: each is known by its name, its jobs run, and what one side tells reaches the other. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { Channel, type Topic } from "@svc/host/channel";
import { systemClock } from "@svc/host/clock";
import { MetricsRegistry } from "@svc/host/metrics";
import { ON_POSTGRES } from "@svc/testkit/drivers";
import { openDeployment, startServer } from "@svc/testkit/server/running-server";
import Value from "typebox/value";
import { FAMILIES } from "../src/families.ts";
import { kernel } from "../src/kernel.ts";
import { openService } from "../src/serving/open-service.ts";
import { readConfig } from "../src/settings/config.ts";
import { secretVariables } from "../src/settings/settings.ts";
import { THIN_SERVER } from "../src/thin-server/program.ts";

test("each folder with a family.ts is a family under the folder's name, and there is no other", async () => {
  const source = new URL("../src/", import.meta.url);
  const folders = globSync("*/family.ts", { cwd: source }).map((file) => dirname(file));
  for (const folder of folders) {
    const exported = Object.values((await import(new URL(`${folder}/family.ts`, source).href)) as object);
    const names = FAMILIES.filter((family) => exported.includes(family)).map(({ name }) => name);
    assert.deepEqual(names, [folder]);
  }
  assert.equal(FAMILIES.length, folders.length);
});

test("the jobs of every family run in a server", async (t) => {
  const { server } = await startServer(t);
  assert.deepEqual(server.service.jobs.map(({ name }) => name).sort(), [
    "administration",
    "archive",
    "exports",
    ...(ON_POSTGRES ? [] : ["file-clearing"]),
    "idempotency-records",
    "sealer",
    "service-log",
  ]);
});

test("each type of event that the service records has an example that its schema takes, and the README names it", () => {
  const { events } = THIN_SERVER;
  assert.ok(events.length > 15, `${events.length} types`);
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  for (const { name, meaning, payload, example } of events) {
    assert.deepEqual([...Value.Errors(payload, example)], [], name);
    assert.ok(!Value.Check(payload, {}), `${name}: its schema takes anything`);
    assert.match(meaning, /^[A-Z].*\.$/, name);
    assert.ok(readme.includes(`\`${name}\``), name);
  }
});

/** A channel that notes which topics somebody listens to. */
class NotingChannel extends Channel {
  readonly heard = new Set<Topic<unknown>>();

  override subscribe<Message>(topic: Topic<Message>, listener: (message: Message) => void): () => void {
    this.heard.add(topic);
    return super.subscribe(topic, listener);
  }
}

test("each topic that the answering side hears crosses from the thread that records, and has a different name", async (t) => {
  const { made, databaseSettings } = await openDeployment(t);
  const channel = new NotingChannel();
  const config = { ...readConfig(THIN_SERVER, { SVC_DATA: made.data_folder }), ...databaseSettings };
  const service = await openService({
    program: THIN_SERVER,
    config,
    kernel,
    clock: systemClock,
    channel,
    metrics: new MetricsRegistry(),
  });
  t.after(() => service.close());
  const lost = [...channel.heard].filter((topic) => !THIN_SERVER.tells.includes(topic)).map(({ name }) => name);
  assert.deepEqual([channel.heard.size > 5, lost], [true, []]);
  assert.equal(new Set(THIN_SERVER.tells.map(({ name }) => name)).size, THIN_SERVER.tells.length);
});

test("the variables that hold secrets are known, so that a running server can forget them", () => {
  assert.deepEqual(secretVariables(THIN_SERVER.settings).sort(), [
    "SVC_ANCHOR_RPC",
    "SVC_DATABASE_URL",
    "SVC_METRICS_TOKEN",
    "SVC_NEXT_SIGNING_KEY",
    "SVC_SIGNING_KEY",
  ]);
});
