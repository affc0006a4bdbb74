/**
 * A server whose recording side is on a separate thread: every kind of request through it, and the thread's death
 * alone. All that wait get `store_uncertain`, the process ends, and what was acknowledged is there afterwards.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Worker } from "node:worker_threads";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { configOf } from "@svc/testkit/server/folder-database";
import { loan } from "@svc/testkit/server/loan";
import { type Made, makeDeployment } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { serveOnThreads } from "../../src/serving/serve.ts";
import { readConfig } from "../../src/settings/config.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";
import { entry, log } from "../event-log/event-log.ts";
import { download, goodReport, readyExport } from "../exports/export-client.ts";

const CLIENTS = 64;

/** Serves a new deployment with its threads in this process, the first of which records. */
async function threaded(t: TestContext) {
  const made = await makeDeployment(join(temporaryFolder(), "data"));
  const environment = {
    SVC_ADDRESS_REQUESTS_PER_SECOND: "0",
    SVC_KEY_REQUESTS_PER_SECOND: "0",
    SVC_LOG_LEVEL: "silent",
    SVC_METRICS_TOKEN: "a-token-for-the-test",
    SVC_SEAL_INTERVAL_MS: "20",
    SVC_PORT: "0",
    SVC_DATA: made.data_folder,
  };
  const started = once(process, "worker");
  const server = await serveOnThreads(THIN_SERVER, await configOf(environment), {});
  const [thread] = (await started) as [Worker];
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= server.close();
    return closed;
  };
  t.after(close);
  return { made, server, close, thread, client: new Client(server.url, made.api_key ?? "") };
}

/** Starts the deployment again, as another process, and asserts that these answers are served as they were. */
async function assertKept(t: TestContext, made: Made, texts: readonly string[]): Promise<Client> {
  const child = await startChild(t, made.data_folder);
  const client = new Client(child.url, made.api_key ?? "");
  for (const text of texts)
    assert.equal((await client.get(`/v2/receipts/${JSON.parse(text).stream_event_id}`)).text, text);
  return client;
}

test("streams, logs, erasure, packs, exports, downloads and reports are recorded on the thread", async (t) => {
  const { made, client } = await threaded(t);
  const { body: stream } = await client.post("/v2/streams", {
    system_id: made.system_id,
    use_case: "x",
    policy_id: "default",
    metadata: {},
  });
  const { stream_id: streamId } = stream;
  const first = await client.append(streamId, loan(1), "key-1");
  assert.equal((await client.append(streamId, loan(1), "key-1")).text, first.text);
  assert.equal((await client.append(streamId, loan(2), "key-1")).body.detail.code, "idempotency_conflict");
  assert.equal((await client.append("str_none", loan(1))).body.detail.code, "stream_not_found");
  assert.equal((await client.appendBatch(streamId, [loan(2), loan(3)])).body.receipts.length, 2);
  const { body: logged } = await log(client, entry(1));
  assert.equal(logged.seq_no, 1);
  await client.witnessed(streamId, 3);
  const pack = await client.post("/v2/audit/packs", { stream_id: streamId, from_seq_no: 1, to_seq_no: 3 });
  assert.equal(assertVerified(pack.text, made.public_key_hex, "bundle").assurance.complete, true);
  const proof = await client.get(`/v1/events/${logged.stream_event_id}/proof`);
  assertVerified(proof.text, made.public_key_hex, "portable-receipt");
  const path = `/v2/streams/${streamId}/events/${first.body.stream_event_id}/erase`;
  const create = ["keys", "create", "--data", made.data_folder, "--allow", "erase", "--json"];
  const eraser = new Client(client.url, JSON.parse((await command(create)).out).api_key);
  assert.equal((await eraser.post(path, { reason: "asked for" })).body.seq_no, 1);
  const ready = await readyExport(client, { streams: [streamId] });
  const held = await download(client, ready);
  const report = await client.post(`/v1/exports/${ready.export_id}/truth-package/verify`, goodReport(ready, held));
  assert.equal(report.body.access_id, held.accessId, report.text);
  assert.equal((await client.send("DELETE", `/v1/exports/${ready.export_id}`, undefined, {})).body.state, "deleted");
  assert.equal((await client.get("/ready")).status, 200);
  const metrics = await new Client(client.url, "a-token-for-the-test").get("/metrics");
  assert.match(metrics.text, /^svc_events_recorded_total 4$/m);
  assert.match(metrics.text, /^svc_database_commits [1-9]/m);
});

test("after the thread's death reading goes on, nothing is recorded, and the server says that it has failed", async (t) => {
  const { made, server, close, thread, client } = await threaded(t);
  const { text } = await client.append(made.stream_id, loan(1));
  await thread.terminate();
  assert.match(String(await server.failed), /the thread that records has ended by itself/);
  assert.equal((await client.append(made.stream_id, loan(2))).body.detail.code, "store_unavailable");
  assert.equal((await client.get("/ready")).status, 503);
  assert.equal((await client.get(`/v2/receipts/${JSON.parse(text).stream_event_id}`)).text, text);
  await close();
  await assertKept(t, made, [text]);
});

/** Ends the thread that records, and nothing else, when it has come to a failpoint so often. */
function endingThread(failpoint: string, times: number): Record<string, string> {
  const hook = `import { subscribe } from "node:diagnostics_channel";
    import { isMainThread } from "node:worker_threads";
    let left = ${times};
    if (!isMainThread)
      subscribe("svc.failpoint", (name) => { if (name === "${failpoint}" && --left === 0) process.exit(); });`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hook)}`, SVC_LOG_LEVEL: "silent" };
}

for (const failpoint of ["append: stored", "append: committed"])
  test(
    `the thread dies at "${failpoint}" while 64 clients wait: each is refused, the process ends, and what was ` +
      `acknowledged is there`,
    async (t) => {
      const made = await makeDeployment(join(temporaryFolder(), "data"));
      const child = await startChild(t, made.data_folder, endingThread(failpoint, 12));
      const client = new Client(child.url, made.api_key ?? "");
      const texts: string[] = [];
      const refusals = new Set<string>();
      const last = await Promise.all(
        Array.from({ length: CLIENTS }, async (_, number) => {
          for (let own = 0; ; own++) {
            const answer = await client.append(made.stream_id, loan(number), `${number}-${own}`).catch(() => null);
            if (answer?.status !== 201) {
              refusals.add(answer === null ? "the connection ended" : answer.body.detail.code);
              return own;
            }
            texts.push(answer.text);
          }
        }),
      );
      assert.ok(refusals.has("store_uncertain"), [...refusals].join());
      const others = [...refusals].filter((one) => one !== "store_uncertain");
      assert.ok(
        others.every((one) => /^(store_unavailable|the connection ended)$/.test(one)),
        others.join(),
      );
      assert.equal(await child.ended, 1);
      const later = await assertKept(t, made, texts);
      await Promise.all(last.map((own, number) => later.append(made.stream_id, loan(number), `${number}-${own}`)));
      const { body: head } = await later.get(`/v2/streams/${made.stream_id}/head`);
      assert.equal(head.seq_no, texts.length + CLIENTS, "each request is one event");
      const { code, out, err } = await command(["fsck", "--data", made.data_folder]);
      assert.equal(code, 0, err);
      assert.match(out, /^Nothing is wrong\.\n/);
    },
  );

test("a server that a signal stops leaves everything in its database file", async (t) => {
  const made = await makeDeployment(join(temporaryFolder(), "data"));
  const child = await startChild(t, made.data_folder);
  const client = new Client(child.url, made.api_key ?? "");
  const { body } = await client.append(made.stream_id, loan(1));
  // Each of these is read by other connections: those of the thread that answers, and of the one that reads.
  assert.equal((await client.get(`/v2/streams/${made.stream_id}/head`)).body.seq_no, 1);
  await client.witnessed(made.stream_id, 1);
  assert.equal((await client.get(`/v2/receipts/${body.stream_event_id}?portable=true`)).status, 200);
  assert.equal(await child.end("SIGTERM"), 0);
  const names = readdirSync(made.data_folder);
  assert.deepEqual(
    names.filter((name) => name.startsWith("svc.db")),
    ["svc.db"],
  );
});

test("a folder that must not be served is refused as it is without a thread", async () => {
  const config = readConfig(THIN_SERVER, { SVC_DATA: join(temporaryFolder(), "none") });
  await assert.rejects(serveOnThreads(THIN_SERVER, config, {}), /holds no deployment. Make one with/);
});
