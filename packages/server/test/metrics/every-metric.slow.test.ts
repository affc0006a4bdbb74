/**
 * Every metric moves in a real process, where most of what is counted happens on other threads than the one that
 * counts; and so does every series that a rule of deploy/prometheus-alerts.yml asks for: a rule about one that stands
 * still would never fire.
 */
import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { ON_FILE } from "@svc/testkit/drivers";
import { anchored, contractOnChain, environmentFor } from "@svc/testkit/server/anchored";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { mountSmallDisk, NO_SMALL_DISK } from "@svc/testkit/small-disk";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { nodeBetween } from "../anchoring/node-between.ts";
import { vkeyOf } from "../feeding/fed-deployment.ts";
import { lineOf, lines, startMaliciousServer, status } from "../feeding/malicious-witness.ts";
import { SeenMetrics, SHOWN, seriesOf } from "./seen-metrics.ts";

const RULES = new URL("../../../../deploy/prometheus-alerts.yml", import.meta.url);
/** The events of one window that is too large for a file of the archive. */
const LARGE_WINDOW = 26_000;
const BATCH = 1000;

const disk = temporaryFolder();
const skip = ON_FILE.skip || (mountSmallDisk(disk, "8m") ? false : NO_SMALL_DISK);
const seen = new SeenMetrics();

type Lifetime = Parameters<typeof startChild>[0];

/** Serves a deployment as a separate process; a new one by default. */
async function served(t: Lifetime, settings: Readonly<Record<string, string>> = {}, folder = temporaryFolder()) {
  const made = await makeDeployment(join(folder, "data"));
  const child = await startChild(t, made.data_folder, { SVC_LOG_LEVEL: "silent", ...SHOWN, ...settings });
  const client = new Client(child.url, made.api_key ?? "");
  await seen.look(client);
  return { made, child, client };
}

test("requests, events, sealing, the service log and exports", { skip }, async (t) => {
  const { made, client } = await served(t, { SVC_EPOCH_INTERVAL_MS: "200" });
  const streams = [made.stream_id];
  const request = { system_id: made.system_id, use_case: "loans", policy_id: "default", metadata: {} };
  while (streams.length < 20) streams.push((await client.post("/v2/streams", request)).body.stream_id);
  let isOver = false;
  // The file grows when its log is moved into it, once that has some megabytes.
  const events = Array.from({ length: 20 }, (_, index) => loan(index, { payload: { text: "x".repeat(10_000) } }));
  const load = (async () => {
    for (let number = 0; !isOver; number++)
      assert.equal((await client.appendBatch(streams[number % streams.length] ?? "", events)).status, 201);
  })();
  await seen.move(
    client,
    ...["svc_http_requests_total", "svc_http_request_duration_seconds_count", "svc_events_recorded_total"],
    ...["svc_database_bytes", "svc_database_commits", "svc_sealer_lag_events", "svc_sealer_lag_windows"],
    ...["svc_service_log_size", "svc_service_log_epoch", "svc_service_log_published", "svc_service_log_lag_seconds"],
    ...["process_resident_memory_bytes", "nodejs_eventloop_lag_p99_seconds"],
  );
  const { body: waiting } = await client.post("/v1/exports", { streams: [made.stream_id] });
  await seen.move(client, "svc_exports_waiting", 'svc_export_builds_total{outcome="ready"}');
  await seen.move(client, "svc_export_built_bytes_total", "svc_export_build_duration_seconds_count");
  assert.match(waiting.export_id, /^exp_/);
  isOver = true;
  await load;
  await client.get("/v2/streams/str_none/head");
  await seen.move(client, 'svc_refusals_total{code="stream_not_found"}');
});

test("a full disk", { skip }, async (t) => {
  const { made, client } = await served(t, {}, disk);
  const filler = join(disk, "filler");
  assert.throws(() => writeFileSync(filler, Buffer.alloc(16 * 1024 * 1024)), { code: "ENOSPC" });
  const payload = { text: "x".repeat(10_000) };
  const events = Array.from({ length: 200 }, (_, index) => loan(index, { payload }));
  assert.equal((await client.appendBatch(made.stream_id, events)).body.detail.code, "store_full");
  await seen.move(client, 'svc_refusals_total{code="store_full"}');
  rmSync(filler);
});

test("an unforeseen failure, and failures beside the requests", { skip }, async (t) => {
  const { made, client } = await served(t);
  await client.append(made.stream_id, loan(1));
  await client.witnessed(made.stream_id, 1);
  const database = new DatabaseSync(join(made.data_folder, "svc.db"), { timeout: 10_000 });
  database.exec("DELETE FROM windows");
  assert.equal((await client.post("/v1/exports", { streams: [made.stream_id] })).status, 201);
  await seen.move(client, 'svc_export_builds_total{outcome="failed"}');
  database.exec("ALTER TABLE windows RENAME TO windows_of_before");
  await client.append(made.stream_id, loan(2));
  await seen.move(client, "svc_background_failures_total");
  assert.equal((await client.get(`/v2/streams/${made.stream_id}/windows`)).status, 500);
  await seen.move(client, 'svc_refusals_total{code="internal_error"}');
  await seen.move(client, 'svc_http_requests_total{route="/v2/streams/{streamId}/windows",method="GET",status="500"}');
  database.close();
});

test("the archive: what is in it, what is left out, and a file that is gone", { skip }, async (t) => {
  const { made, client } = await served(t, { SVC_ARCHIVE_AFTER_DAYS: "0" });
  const { body: first } = await client.append(made.stream_id, loan(1));
  await seen.move(client, "svc_archive_files", "svc_archive_bytes", "svc_archived_events");

  const policy = join(temporaryFolder(), "policy.json");
  writeFileSync(
    policy,
    JSON.stringify({ policy_id: "large", window_max_events: LARGE_WINDOW, window_max_seconds: 3600 }),
  );
  const declared = await command(["policies", "declare", "--file", policy, "--data", made.data_folder]);
  assert.equal(declared.code, 0, declared.err);
  const request = { system_id: made.system_id, use_case: "loans", policy_id: "large", metadata: {} };
  const { body: large } = await client.post("/v2/streams", request);
  const events = Array.from({ length: BATCH }, (_, index) => loan(index));
  for (let sent = 0; sent < LARGE_WINDOW; sent += BATCH)
    assert.equal((await client.appendBatch(large.stream_id, events)).status, 201);
  await seen.move(client, "svc_archive_left_events");

  for (const name of readdirSync(join(made.data_folder, "archive")))
    if (name !== "folder-id") rmSync(join(made.data_folder, "archive", name));
  const eraser = JSON.parse(
    (await command(["keys", "create", "--data", made.data_folder, "--allow", "erase", "--json"])).out,
  );
  const erase = `/v2/streams/${made.stream_id}/events/${first.stream_event_id}/erase`;
  assert.equal((await client.get(`/v2/receipts/${first.stream_event_id}`)).status, 503);
  await seen.move(client, 'svc_refusals_total{code="archive_');
  const { status } = await new Client(client.url, eraser.api_key).post(erase, { reason: "request 17" });
  assert.equal(status, 200);
  await seen.move(client, "svc_archive_stale_files");
});

test("a copy of the folder, and the fork that it makes", { skip }, async (t) => {
  const { made, child, client } = await served(t);
  await client.append(made.stream_id, loan(1));
  assert.equal(await child.end("SIGTERM"), 0);
  const copy = join(temporaryFolder(), "data");
  cpSync(made.data_folder, copy, { recursive: true });
  const settings = { SVC_LOG_LEVEL: "silent", ...SHOWN };
  const [original, restored] = [await startChild(t, made.data_folder, settings), await startChild(t, copy, settings)];
  await seen.move(restored, "svc_data_folder_elsewhere");
  const one = await new Client(original.url, made.api_key ?? "").append(made.stream_id, loan(2), "one");
  const other = await new Client(restored.url, made.api_key ?? "").append(made.stream_id, loan(3), "other");
  assert.deepEqual([one.body.seq_no, other.body.seq_no], [2, 2]);
  await seen.look(original);
  await new Client(original.url, "").post("/v2/verify", other.body);
  await seen.move(original, "svc_forks");
});

test("outside witnesses that cosign, are away, and contradict", { skip }, async (t) => {
  const good = await startMaliciousServer(
    t,
    "good",
    lines(({ text }) => lineOf("good", text)),
  );
  const bad = await startMaliciousServer(t, "bad", status(422));
  const SVC_WITNESSES = [good, bad].map((witness) => `${vkeyOf(witness)} ${witness.url}`).join(", ");
  const { made, client } = await served(t, { SVC_WITNESSES, SVC_EPOCH_INTERVAL_MS: "20" });
  await client.append(made.stream_id, loan(1));
  await seen.move(
    client,
    ...["svc_witness_waiting_origins", "svc_witness_failing_origins", "svc_witness_lag_seconds"],
    ...["svc_witness_cosigned_seconds_count", `svc_witness_answers_total{witness="${bad.name}",outcome="history_cont`],
  );
});

test("anchoring: faults and steps, its figures, and an epoch that is taken", { skip }, async (t) => {
  const on = await contractOnChain(t);
  const node = await nodeBetween(t, on.chain.url);
  const settings = { ...environmentFor(on), SVC_ANCHOR_RPC: node.url };
  const { made, client } = await served(t, settings);
  node.change = (_call, response) => {
    response.statusCode = 500;
    response.end();
    return null;
  };
  await client.append(made.stream_id, loan(1));
  await seen.move(client, 'svc_anchor_faults_total{code="answer_malformed"}', "svc_anchor_failing");
  await seen.move(client, "svc_anchor_lag_seconds");
  node.change = () => undefined;
  // It goes on by itself where it has looked in vain.
  await seen.move(client, "svc_anchor_in_flight", 'svc_anchor_steps_total{step="sent"}');
  await anchored(client, on.chain, made.stream_id);
  for (const step of ["mined", "confirmed"]) await seen.move(client, `svc_anchor_steps_total{step="${step}"}`);
  await seen.move(client, "svc_anchor_newest_epoch", "svc_anchor_nonce", "svc_anchor_balance_ether");
  await seen.move(client, "svc_anchor_spent_today_ether", "svc_anchor_day_budget_ether");

  const other = await served(t, environmentFor(on));
  await other.client.append(other.made.stream_id, loan(1));
  await seen.move(other.client, 'svc_anchor_faults_total{code="epoch_taken"}');
});

test("no metric stands still, and no rule asks for what does", { skip }, () => {
  const moved = seen.moved.map(seriesOf);
  const still = [...seen.names].filter(
    (name) => name.startsWith("svc_") && !moved.some((series) => series.name.startsWith(name)),
  );
  assert.deepEqual(still, []);
  const expressions = [...readFileSync(RULES, "utf8").matchAll(/^ +expr: (.+)$/gm)].map(([, text = ""]) => text);
  assert.ok(expressions.length > 20, `${expressions.length} rules`);
  const asked = expressions.flatMap((text) =>
    [...text.matchAll(/\b((?:svc|process|nodejs)_\w+)\{((?:[^}"]|"[^"]*")*)\}/g)].map(([all, name, matchers]) => ({
      all,
      name,
      matchers: [...(matchers ?? "").matchAll(/(\w+)(=~?)"([^"]*)"/g)].filter(([, label]) => label !== "job"),
    })),
  );
  const silent = asked.filter(
    ({ name, matchers }) =>
      !moved.some(
        (series) =>
          series.name === name &&
          matchers.every(([, label = "", how, value = ""]) =>
            how === "="
              ? series.labels[label] === value
              : new RegExp(`^(?:${value})$`).test(series.labels[label] ?? ""),
          ),
      ),
  );
  assert.deepEqual(
    silent.map(({ all }) => all),
    [],
  );
});
