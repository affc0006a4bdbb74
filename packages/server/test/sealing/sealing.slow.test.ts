/**
 * From receipts to evidence: windows, checkpoints, the managed witness, consistency, audit packs, and the verify
 * routes.
 */

import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { test } from "node:test";
import { MAX_SEAL_WAIT_MS } from "@svc/api/limits";
import { type JsonObject, referenceKernel, witnessPolicyDigest } from "@svc/core";
import { Client } from "@svc/testkit/server/client";
import { configOf } from "@svc/testkit/server/folder-database";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { assertVerified, report } from "@svc/testkit/server/verified";
import { until } from "@svc/testkit/until";
import { kernel } from "../../src/kernel.ts";
import { serve } from "../../src/serving/serve.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";
import { changeMemory } from "../witness-memory/change-memory.ts";

const loans = (from: number, count: number) => Array.from({ length: count }, (_, index) => loan(from + index));

test("events become windows, checkpoints, a witness statement and a pack, all of which verify", async (t) => {
  const { client, made, server } = await startServer(t);
  const anybody = new Client(server.url, "");
  const { stream_id } = made;
  const verified = (text: string, kind: string) => assertVerified(text, made.public_key_hex, kind);

  await client.appendBatch(stream_id, loans(1, 600));
  const first = await client.witnessed(stream_id, 600);
  const lone = await anybody.get(`/v2/windows/${first.latest_window_id}?leaves=true&event=600`);
  verified(lone.text, "window");
  assert.deepEqual([lone.body.leaves.length, lone.body.inclusions.length], [600 - 2 * 256, 1]);
  const eventId = (await client.get(`/v2/streams/${stream_id}/head`)).body.stream_event_id;
  const byId = await anybody.get(`/v2/windows/${first.latest_window_id}?event=${eventId}`);
  assert.deepEqual(byId.body.inclusions, lone.body.inclusions);
  const outside = await anybody.get(`/v2/windows/${first.latest_window_id}?event=1`);
  assert.deepEqual([outside.status, outside.body.detail.code], [404, "event_not_in_window"]);

  const checkpoint = await anybody.get(`/v2/checkpoints/${first.latest_checkpoint_id}`);
  const checks = verified(checkpoint.text, "checkpoint").checks.find((check) => check.id === "checkpoint_root");
  assert.equal(checks?.status, "pass", "the root is recomputed from the frontier");

  await client.appendBatch(stream_id, loans(601, 300));
  const second = await client.witnessed(stream_id, 900);
  const path = `/v2/checkpoints/${second.latest_checkpoint_id}/consistency?from=`;
  verified((await anybody.get(path + first.latest_checkpoint_id)).text, "consistency");
  for (const from of [second.latest_checkpoint_id]) {
    const { status, body } = await anybody.get(path + from);
    assert.deepEqual([status, body.detail.code], [422, "checkpoint_not_earlier"]);
  }

  const { status, text, body } = await client.post("/v2/audit/packs", { stream_id, from_seq_no: 300, to_seq_no: 700 });
  assert.equal(status, 201);
  const whole = verified(text, "bundle");
  assert.deepEqual(whole.assurance.witnessed, { required: 1, valid: 1, pinned: 0 });
  assert.equal(whole.assurance.complete, true);
  assert.ok(body.manifest.from_seq_no === 257 && body.manifest.to_seq_no >= 700);
  assert.equal(body.manifest.prior_windows.window_count, 1);
  assert.ok(body.artifacts["witnesses.json"].statements.length > 0);
  assert.equal(report(text, made.public_key_hex).ok, true);

  const redacted = await client.post("/v2/audit/packs", {
    stream_id,
    from_seq_no: 1,
    to_seq_no: 900,
    payloads: "redacted",
  });
  assert.equal(verified(redacted.text, "bundle").assurance.redacted, 900);
  assert.ok(!redacted.text.includes("applicant"));
  verified((await client.post("/v2/audit/packs", { stream_id, from_seq_no: 900, to_seq_no: 900 })).text, "bundle");
});

test("public evidence carries neither payloads nor source references nor names", async (t) => {
  const { client, made } = await startServer(t);
  await client.append(made.stream_id, loan(1));
  const state = await client.witnessed(made.stream_id, 1);
  const paths = [
    `/v2/windows/${state.latest_window_id}?leaves=true&event=1`,
    `/v2/checkpoints/${state.latest_checkpoint_id}`,
  ];
  for (const path of [...paths, "/v2/witness/policies/default", "/v2/keys"]) {
    const { status, text } = await new Client(client.url, "").get(path);
    assert.equal(status, 200, path);
    for (const secret of ["loan-1", "loan.decided", "A-1", "Bank", "Loans", made.tenant_id, made.system_id])
      assert.ok(!text.includes(secret), `${path} tells ${secret}`);
  }
});

test("the witness policy is served as windows name it by digest", async (t) => {
  const { client, made } = await startServer(t);
  await client.append(made.stream_id, loan(1));
  const { latest_window_id } = await client.witnessed(made.stream_id, 1);
  const { body: window } = await client.get(`/v2/windows/${latest_window_id}`);
  const { body: served } = await client.get("/v2/witness/policies/default?version=1");
  assert.equal(window.witness_policy_digest, witnessPolicyDigest(referenceKernel, served));
  assert.equal(served.witnessKeys[0].name, "demo.example/evidence/witness");
  assert.notEqual(served.witnessKeys[0].public_key_hex, made.public_key_hex);
  for (const path of ["/v2/witness/policies/none", "/v2/witness/policies/default?version=2"])
    assert.equal((await client.get(path)).body.detail.code, "policy_not_found");
  for (const version of ["0", "1.0", "01", "x", ""])
    assert.equal((await client.get(`/v2/witness/policies/default?version=${version}`)).status, 422);
});

test("a pack over events that no window holds yet has them sealed at once", async (t) => {
  const now = Date.now() + 1000;
  // No window grows old on a clock that stands still.
  const { client, made } = await startServer(t, { sealIntervalMs: 600_000 }, () => now);
  const { stream_id } = made;
  for (const number of [1, 2, 3]) await client.append(stream_id, loan(number));
  const { status, text } = await client.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no: 2 });
  assert.equal(status, 201, text);
  assertVerified(text, made.public_key_hex, "bundle");
  await client.append(stream_id, loan(4));
  const { body: state } = await client.get(`/v2/streams/${stream_id}/proof-state`);
  assert.deepEqual([state.witnessed_to_seq_no, state.head_seq_no], [3, 4], "nobody waits for what came after it");
});

test("a pack over evidence that is not there yet says what is missing", async (t) => {
  const { client, made, server } = await startServer(t);
  await Promise.all(server.service.jobs.map((job) => job.stop()));
  const { stream_id } = made;
  await client.append(stream_id, loan(1));
  const missing = async (to_seq_no: number) => {
    const { status, body } = await client.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no });
    assert.deepEqual([status, body.detail.code], [409, "evidence_missing"]);
    return body.detail.missing.map((step: { evidence: string }) => step.evidence);
  };
  const start = performance.now();
  assert.deepEqual(await missing(1), ["windows", "checkpoints", "witness_statements"]);
  assert.ok(performance.now() - start >= MAX_SEAL_WAIT_MS, "given up while it might still have come");
  assert.deepEqual(await missing(2), ["events", "windows", "checkpoints", "witness_statements"]);
  const backwards = await client.post("/v2/audit/packs", { stream_id, from_seq_no: 2, to_seq_no: 1 });
  assert.equal(backwards.status, 422);
});

test("the verify routes answer with core's report, whatever the verdict", async (t) => {
  const { client, made, server } = await startServer(t);
  const anybody = new Client(server.url, "");
  const { text, body: record } = await client.append(made.stream_id, loan(1));
  for (const path of ["/v2/verify", "/v2/verify/receipt"]) {
    const answer = await anybody.post(path, text);
    assert.deepEqual([answer.status, answer.body.verdict, answer.body.kind], [200, "verified", "receipt"]);
  }
  const changed = await anybody.post("/v2/verify", { ...record, payload: { amount: 1 } });
  assert.deepEqual(
    [changed.status, changed.body.ok, changed.body.problems[0].code],
    [200, false, "payload_hash_mismatch"],
  );

  const { latest_window_id } = await client.witnessed(made.stream_id, 1);
  const window = await anybody.get(`/v2/windows/${latest_window_id}`);
  assert.equal((await anybody.post("/v2/verify", window.text)).body.verdict, "verified");
  const wrong = await anybody.post("/v2/verify/receipt", window.text);
  assert.deepEqual([wrong.status, wrong.body.detail.code, wrong.body.detail.kind], [422, "wrong_kind", "window"]);
  for (const unknown of ["{}", "[]", '{"hello":"world"}'])
    assert.deepEqual((await anybody.post("/v2/verify", unknown)).body.detail.code, "unsupported_object");
  const malformed = await anybody.post("/v2/verify", "{");
  assert.deepEqual([malformed.status, malformed.body.detail.code], [400, "json_malformed"]);
});

test("the published key is the one that seals", async (t) => {
  const { client, made } = await startServer(t);
  const { body } = await client.get("/v2/keys");
  assert.deepEqual([body.origin, body.endorsements, body.keys.length], [made.origin, [], 1]);
  const [key] = body.keys;
  assert.deepEqual([key.kid, key.public_key_hex, key.status], [made.kid, made.public_key_hex, "current"]);
  const [name, keyId, base64] = key.vkey.split("+", 2).concat(key.vkey.split("+").slice(2).join("+"));
  assert.equal(name, made.origin);
  assert.match(keyId, /^[0-9a-f]{8}$/);
  assert.equal(Buffer.from(base64, "base64").toString("hex"), `01${made.public_key_hex}`);
});

test("windows close by size at once, and every step is done once", async (t) => {
  const { client, made, server } = await startServer(t);
  await client.appendBatch(made.stream_id, loans(1, 1000));
  await client.appendBatch(made.stream_id, loans(1, 24));
  await client.witnessed(made.stream_id, 1024);
  const { database } = server.service.context;
  const rows = await database.read((reader) =>
    reader.all<JsonObject>("SELECT window_no, from_seq_no, to_seq_no FROM windows ORDER BY window_no"),
  );
  assert.deepEqual(
    rows.map((row) => [row.window_no, row.from_seq_no, row.to_seq_no]),
    [1, 2, 3, 4].map((no) => [no, (no - 1) * 256 + 1, no * 256]),
  );
  await until("all messages are done", async () => {
    const open = await database.read((reader) => reader.all("SELECT 1 FROM outbox WHERE done_at IS NULL"));
    return open.length === 0 ? true : null;
  });
});

test("the event loop has a turn between any two steps of sealing, so that no backlog keeps requests waiting", async (t) => {
  const { client, made, server } = await startServer(t);
  await Promise.all(server.service.jobs.map((job) => job.stop()));
  const streams = [made.stream_id];
  const request = { system_id: made.system_id, use_case: "loans", policy_id: "default", metadata: {} };
  while (streams.length < 4) streams.push((await client.post("/v2/streams", request)).body.stream_id);
  for (const stream of streams) await client.appendBatch(stream, loans(1, 512));

  let turn = 0;
  const turns: number[] = [];
  const seen = (step: unknown) => {
    if (["window: inserted", "checkpoint: moved", "witness: cosigned"].includes(String(step))) turns.push(turn);
  };
  subscribe("svc.failpoint", seen);
  let ticking = setImmediate(function tick() {
    turn += 1;
    ticking = setImmediate(tick);
  });
  t.after(() => clearImmediate(ticking));
  t.after(() => unsubscribe("svc.failpoint", seen));
  const environment = { SVC_LOG_LEVEL: "silent", SVC_PORT: "0", SVC_DATA: made.data_folder };
  const again = await serve(THIN_SERVER, await configOf(environment), { kernel });
  t.after(() => again.close());
  const reader = new Client(again.url, made.api_key ?? "");
  for (const stream of streams) await reader.witnessed(stream, 512);
  assert.deepEqual([turns.length, new Set(turns).size], [8 + 4 + 4, 8 + 4 + 4]);
});

test("an open window that is not due costs no transaction", async (t) => {
  // The time is after the declaration of the policy, and always the same.
  const now = Date.now() + 60_000;
  const { client, made, server } = await startServer(t, {}, () => now);
  const request = { system_id: made.system_id, use_case: "loans", policy_id: "default", metadata: {} };
  for (let number = 0; number < 30; number++) {
    const { body } = await client.post("/v2/streams", request);
    await client.append(body.stream_id, loan(number));
  }
  const commits = async () => server.service.context.database.commits;
  const before = await commits();
  await client.appendBatch(made.stream_id, loans(1, 256));
  await client.witnessed(made.stream_id, 256);
  const waitedFor = (await commits()) - before;
  assert.ok(waitedFor < 30, `${waitedFor} commits`);
});

test("the managed witness cosigns nothing that does not extend what it signed", async (t) => {
  const { client, made, server } = await startServer(t);
  const { database } = server.service.context;
  await client.appendBatch(made.stream_id, loans(1, 256));
  await client.witnessed(made.stream_id, 256);
  const otherPast = JSON.stringify(["ab".repeat(32)]);
  changeMemory(made.data_folder, "UPDATE signed SET frontier = ?", otherPast);
  await client.appendBatch(made.stream_id, loans(1, 256));
  const [message] = await until("the witness has refused", async () => {
    const rows = await database.read((reader) =>
      reader.all<{ last_error: string }>("SELECT last_error FROM outbox WHERE attempts > 0 AND done_at IS NULL"),
    );
    return rows.length > 0 ? rows : null;
  });
  assert.match(message?.last_error ?? "", /does not extend/);
  const { status, body } = await client.post("/v2/audit/packs", {
    stream_id: made.stream_id,
    from_seq_no: 1,
    to_seq_no: 512,
  });
  assert.deepEqual(
    [status, body.detail.missing.map((step: { evidence: string }) => step.evidence)],
    [409, ["witness_statements"]],
  );
});
