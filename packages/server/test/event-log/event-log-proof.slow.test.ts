/**
 * The proof of an event: it verifies as soon as the event is recorded, and grows step by step; and the effect of an
 * erasure on an event of the log.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { KEY_ACTIONS } from "@svc/api";
import type { Assurance } from "@svc/core";
import { systemClock } from "@svc/host/clock";
import { dispatchDue, Lease } from "@svc/host/jobs";
import { ON_POSTGRES } from "@svc/testkit/drivers";
import { Client } from "@svc/testkit/server/client";
import { configOf } from "@svc/testkit/server/folder-database";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment, startServer, type TestServer } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";
import { kernel } from "../../src/kernel.ts";
import { closeDueWindows } from "../../src/sealing/close-windows.ts";
import { COSIGN, makeDueCheckpoints } from "../../src/sealing/make-checkpoints.ts";
import { ManagedWitness } from "../../src/sealing/managed-witness.ts";
import { serve } from "../../src/serving/serve.ts";
import { witnessKeys } from "../../src/signing/witness-keys.ts";
import { systemKeysOf } from "../../src/tenancy/system-keys.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";
import { entry, log, logBatch, proofWith } from "./event-log.ts";

const SVC = fileURLToPath(new URL("../../../cli/src/main.ts", import.meta.url));
/** As many events as close a window at once. */
const WINDOW = 256;

/** The members of an assurance that the steps of a proof change. */
const reached = ({ signed, included, witnessed }: Assurance) => [signed, included, witnessed.required, witnessed.valid];

test("a proof grows from signed to included to witnessed, verified at each step, by the same verifier everywhere", async (t) => {
  const dataFolder = join(temporaryFolder(), "data");
  const made = await makeDeployment(dataFolder);
  const environment = { SVC_LOG_LEVEL: "silent", SVC_PORT: "0", SVC_DATA: dataFolder };
  const server = await serve(THIN_SERVER, await configOf(environment), { kernel, clock: systemClock });
  t.after(() => server.close());
  const { context, jobs } = server.service;
  await Promise.all(jobs.map((job) => job.stop()));
  const lease = new Lease(context, "test");
  assert.equal(await lease.acquire(), true);
  const round = { lease, stop: new AbortController().signal, onError: (error: unknown) => assert.fail(String(error)) };
  const witness = new ManagedWitness(context, witnessKeys(kernel, dataFolder));
  const steps: Record<string, () => Promise<unknown>> = {
    signed: async () => undefined,
    window: () => closeDueWindows(context, round),
    checkpoint: () => makeDueCheckpoints(context, round),
    witnesses: () =>
      dispatchDue(context, COSIGN, lease, round.stop, {
        prepare: (messages) => witness.cosign(messages),
        run: (writer, message, statement) => witness.store(writer, message, statement),
        onError: round.onError,
      }),
  };
  const client = new Client(server.url, made.api_key ?? "");
  const anybody = new Client(server.url, "");
  const { body } = await logBatch(
    client,
    Array.from({ length: 3 * WINDOW }, (_, number) => entry(number)),
  );
  // The event is in neither the first nor the last window of its checkpoint.
  const record = body.receipts[WINDOW + 10];
  const path = `/v1/events/${record.stream_event_id}/proof`;
  const expected: Record<string, { parts: string[]; assurance: unknown[] }> = {
    signed: { parts: [], assurance: [true, false, 0, 0] },
    window: { parts: ["inclusion", "window"], assurance: [true, false, 0, 0] },
    checkpoint: { parts: ["checkpoint", "checkpoint_inclusion", "last_window"], assurance: [true, true, 0, 0] },
    witnesses: { parts: ["witnesses"], assurance: [true, true, 1, 1] },
  };
  const parts = ["format", "key_endorsements", "key_hints", "receipt", "version"];
  for (const [name, step] of Object.entries(steps)) {
    await step();
    const { status, text, body: proof } = await client.get(path);
    assert.equal(status, 200);
    assert.equal((await client.get(path)).text, text, "asked again, the same bytes");
    parts.push(...(expected[name]?.parts ?? []));
    assert.deepEqual(Object.keys(proof).toSorted(), parts.toSorted(), name);
    assert.deepEqual(proof.receipt, record);
    const { verifier: _ours, ...report } = assertVerified(text, made.public_key_hex, "portable-receipt");
    assert.deepEqual(reached(report.assurance), expected[name]?.assurance, name);
    const { body: online } = await anybody.post("/v1/public/verify", text);
    assert.deepEqual([online.verdict, online.assurance], ["verified", report.assurance], name);
    const file = join(temporaryFolder(), "proof.json");
    writeFileSync(file, text);
    const words = [SVC, "verify", file, "--public-key-hex", made.public_key_hex, "--json"];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    const { verdict, assurance } = JSON.parse(stdout);
    assert.deepEqual([verdict, assurance], ["verified", report.assurance], name);
    const tampered = await anybody.post("/v1/public/verify", text.replace('"granted"', '"refused"'));
    assert.deepEqual([tampered.body.verdict, tampered.body.problems[0].code], ["rejected", "payload_hash_mismatch"]);

    const { status: ofWhole, body: whole } = await client.get(`/v2/receipts/${record.stream_event_id}?portable=true`);
    if (name === "witnesses") assert.deepEqual([ofWhole, whole], [200, proof]);
    else assert.deepEqual([ofWhole, whole.detail.code], [409, "evidence_missing"]);
  }
});

test("each event of a log has its proof, in whatever window and checkpoint it is, and so has any other event", async (t) => {
  const { client, made } = await startServer(t);
  const ids: string[] = [];
  for (let round = 0; round < 5; round++) {
    const { body } = await logBatch(
      client,
      Array.from({ length: 3 + round }, (_, number) => entry(number)),
    );
    const some: { stream_event_id: string; stream_id: string; seq_no: number }[] = body.receipts;
    ids.push(...some.map(({ stream_event_id }) => stream_event_id));
    // Each round has its own checkpoint.
    const last = some.at(-1);
    await client.witnessed(last?.stream_id ?? "", last?.seq_no ?? 0);
  }
  const { body: other } = await client.append(made.stream_id, loan(1));
  for (const id of [...ids, other.stream_event_id]) {
    const { text } = await proofWith(client, id, "witnesses");
    const { assurance, subject } = assertVerified(text, made.public_key_hex, "portable-receipt");
    assert.deepEqual([subject.id, reached(assurance)], [id, [true, true, 1, 1]]);
  }
  const none = await client.get("/v1/events/sev_none/proof");
  assert.deepEqual([none.status, none.body.detail.code], [404, "receipt_not_found"]);
});

test("where the first checkpoint over an event lacks its witnesses, a later one proves it", async (t) => {
  const { client, made, server } = await startServer(t);
  const { body: record } = await log(client, entry(1));
  const { stream_id } = record;
  const { latest_checkpoint_id: first } = await client.witnessed(stream_id, 1);
  for (const number of [2, 3]) {
    await log(client, entry(number));
    await client.witnessed(stream_id, number);
  }
  const { database } = server.service.context;
  const remove = "DELETE FROM witness_statements WHERE checkpoint_id = $1";
  assert.equal(await database.write((writer) => writer.run(remove, first)), 1);
  const { text, body } = await client.get(`/v1/events/${record.stream_event_id}/proof`);
  const { window_no, window_count } = body.checkpoint_inclusion;
  assert.deepEqual([window_no, window_count, body.last_window.window.window_no], [1, 2, 2]);
  const { assurance } = assertVerified(text, made.public_key_hex, "portable-receipt");
  assert.deepEqual(reached(assurance), [true, true, 1, 1]);
});

test("the public route takes a proof, and no other object", async (t) => {
  const { client, server } = await startServer(t);
  const anybody = new Client(server.url, "");
  const { text } = await log(client, entry(1));
  const receipt = await anybody.post("/v1/public/verify", text);
  assert.deepEqual(
    [receipt.status, receipt.body.detail.code, receipt.body.detail.kind],
    [422, "wrong_kind", "receipt"],
  );
  const nothing = await anybody.post("/v1/public/verify", { hello: "world" });
  assert.deepEqual([nothing.status, nothing.body.detail.code], [400, "unsupported_object"]);
  const { headers } = await anybody.post("/v1/public/verify", "{");
  assert.equal(headers.get("access-control-allow-origin"), "*");
});

test("a policy whose witnesses do not answer: the proof stays at the checkpoint, and says who is missing", async (t) => {
  const { client, made, server } = await startServer(t);
  const { body: record } = await log(client, entry(1));
  const { database } = server.service.context;
  const { text } = await proofWith(client, record.stream_event_id, "witnesses");
  // The policy now asks for two witnesses: one cosignature is not enough.
  await database.write((writer) => writer.run("UPDATE witness_policies SET threshold = 2"));
  const { text: short, body } = await client.get(`/v1/events/${record.stream_event_id}/proof`);
  assert.ok(short.length < text.length && "checkpoint" in body && !("witnesses" in body));
  const { checks, assurance } = assertVerified(short, made.public_key_hex, "portable-receipt");
  assert.deepEqual(reached(assurance), [true, true, 0, 0]);
  const left = checks.filter(({ id, status }) => ["policy", "witness"].includes(id) && status === "not_checked");
  assert.equal(left.length, 2, JSON.stringify(checks));
});

/** Returns a client whose key may erase too. */
async function eraserOf({ server, made }: TestServer) {
  const { context } = server.service;
  const systemKeys = systemKeysOf(context);
  const { tenant_id: tenantId, system_id: systemId } = made;
  const actor = { tenantId, kind: "service", id: "test", roles: [] } as const;
  const limits = { actions: KEY_ACTIONS, streams: null };
  return new Client(
    server.url,
    await context.database.write((writer) => systemKeys.create(writer, { tenantId, systemId, limits }, actor)),
  );
}

/** Waits until the files are cleared, and throws if one of them still holds any of these texts. */
async function assertForgotten({ made, server }: TestServer, texts: readonly string[]): Promise<void> {
  const { database } = server.service.context;
  await until("the files are cleared", async () => {
    const sql = "SELECT 1 FROM erasures WHERE files_cleared_at IS NULL";
    return (await database.read((reader) => reader.first(sql))) === null ? true : null;
  });
  const entries = readdirSync(made.data_folder, { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    const bytes = readFileSync(join(parentPath, name));
    for (const gone of texts) assert.ok(!bytes.includes(gone), `${gone} is in ${name}`);
  }
}

test("an erased event has neither payload nor status any more, wherever one looks, and its proof holds", async (t) => {
  const here = await startServer(t);
  const { made } = here;
  const client = await eraserOf(here);
  const secret = entry(1, { status: "erase.me.status", payload: { text: "erase-me-payload" } });
  const { body: record } = await log(client, secret, "one");
  const { body: batch } = await logBatch(client, [secret, entry(2)], "two");
  const ids: string[] = [record.stream_event_id, batch.receipts[0].stream_event_id];
  const found = async () => (await client.get("/v1/events?status=erase.me.status")).body.items.length;
  assert.equal(await found(), 2);
  for (const id of ids) {
    const path = `/v2/streams/${record.stream_id}/events/${id}/erase`;
    const { status, text } = await client.post(path, { reason: "request 17" });
    assert.equal(status, 200, text);
  }
  assert.equal(await found(), 0);
  const { text: list, body } = await client.get("/v1/events?type=loan.decided");
  assert.deepEqual(
    body.items.map(({ status }: { status: string | null }) => status),
    [null, null, "granted"],
  );
  const { text: one, body: shown } = await client.get(`/v1/events/${ids[0]}`);
  assert.ok(shown.status === null && !("payload" in shown));
  const { text: proof } = await proofWith(client, ids[0] ?? "", "witnesses");
  const { assurance } = assertVerified(proof, made.public_key_hex, "portable-receipt");
  assert.deepEqual([assurance.redacted, ...reached(assurance)], [1, true, true, 1, 1]);

  const repeated = await log(client, secret, "one");
  const { payload: _payload, payload_salt: _salt, ...rest } = record;
  assert.deepEqual([repeated.status, repeated.body], [201, rest]);
  const again = await logBatch(client, [secret, entry(2)], "two");
  assert.deepEqual(again.body.receipts[1], batch.receipts[1]);
  for (const other of [entry(1, { type: "loan.asked" }), entry(9)]) {
    const { status, body: refusal } = await log(client, other, "one");
    assert.deepEqual([status, refusal.detail.code], [409, "idempotency_conflict"]);
  }
  for (const text of [list, one, proof, repeated.text, again.text]) assert.ok(!text.includes("erase"), text);

  if (!ON_POSTGRES) await assertForgotten(here, ["erase.me.status", "erase-me-payload", record.payload_salt]);
});
