/**
 * Erasure: the deleted values, the proofs that stay valid, and its reach: repeated requests, packs, and the files of
 * the database.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { KEY_ACTIONS, type KeyAction } from "@svc/api";
import { systemClock } from "@svc/host/clock";
import { type Database, type EmbeddedDatabase, openSqlite } from "@svc/host/store";
import { ON_FILE } from "@svc/testkit/drivers";
import { contentsOf } from "@svc/testkit/folder-contents";
import { Client } from "@svc/testkit/server/client";
import { faultless } from "@svc/testkit/server/jobs";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment, startServer, type TestServer } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";
import { createFileClearing } from "../../src/erasure/clear-files.ts";
import { kernel } from "../../src/kernel.ts";
import { serve } from "../../src/serving/serve.ts";
import { readConfig } from "../../src/settings/config.ts";
import { systemKeysOf } from "../../src/tenancy/system-keys.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";
import { entry } from "../event-log/event-log.ts";

/** Returns a client with a key of the deployment's system for the given actions. */
async function clientWith(
  { server, made }: Pick<TestServer, "server" | "made">,
  actions: readonly KeyAction[],
  streams: string[] | null = null,
) {
  const { context } = server.service;
  const systemKeys = systemKeysOf(context);
  const owner = { tenantId: made.tenant_id, systemId: made.system_id };
  const actor = { tenantId: made.tenant_id, kind: "service", id: "test", roles: [] } as const;
  const key = await context.database.write((writer) =>
    systemKeys.create(writer, { ...owner, limits: { actions, streams } }, actor),
  );
  return new Client(server.url, key);
}

function erase(client: Client, streamId: string, eventId: string, reason = "request 17 of a person", key = "") {
  const headers: Record<string, string> = key === "" ? {} : { "idempotency-key": key };
  return client.post(`/v2/streams/${streamId}/events/${eventId}/erase`, { reason }, headers);
}

test("payload and salt are gone, and every proof stays valid", async (t) => {
  const here = await startServer(t);
  const { client, made } = here;
  const { stream_id, public_key_hex } = made;
  const eraser = await clientWith(here, KEY_ACTIONS);
  const { body: record } = await client.append(stream_id, loan(1));
  await client.append(stream_id, loan(2));
  const erased = await erase(eraser, stream_id, record.stream_event_id);
  assert.equal(erased.status, 200, erased.text);

  const { payload: _payload, payload_salt: _salt, ...rest } = record;
  const { text, body } = await client.get(`/v2/receipts/${record.stream_event_id}`);
  assert.deepEqual(body, rest);
  assertVerified(text, public_key_hex, "receipt");

  await client.witnessed(stream_id, 2);
  const pack = await client.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no: 2 });
  const report = assertVerified(pack.text, public_key_hex, "bundle");
  assert.equal(report.assurance.redacted, 1);
  assert.ok(!pack.text.includes(record.payload_salt) && pack.text.includes("A-2"));
  const portable = await client.get(`/v2/receipts/${record.stream_event_id}?portable=true`);
  assertVerified(portable.text, public_key_hex, "portable-receipt");
});

test("the erasure is an event of the tenant's lifecycle stream, which has its own bundle", async (t) => {
  const here = await startServer(t);
  const { client, made } = here;
  const eraser = await clientWith(here, ["erase"]);
  const { body: record } = await client.append(made.stream_id, loan(1));
  const { body: erased } = await erase(eraser, made.stream_id, record.stream_event_id);
  const { lifecycle_record } = erased;
  assert.deepEqual(
    [lifecycle_record.event_type, lifecycle_record.source_ref, lifecycle_record.payload],
    [
      "event.erased",
      record.stream_event_id,
      {
        stream_id: made.stream_id,
        stream_event_id: record.stream_event_id,
        seq_no: 1,
        event_hash: record.event_hash,
        reason: "request 17 of a person",
        actor: { kind: "system", id: made.system_id },
      },
    ],
  );
  assertVerified(JSON.stringify(lifecycle_record), made.public_key_hex, "receipt");

  const { body: page } = await client.get("/v2/streams?class=lifecycle");
  const [stream] = page.items;
  assert.deepEqual([page.items.length, stream.system_id, stream.head_seq_no], [1, null, 1]);
  assert.equal(stream.stream_id, lifecycle_record.stream_id);
  await client.witnessed(stream.stream_id, 1);
  const pack = await client.post("/v2/audit/packs", { stream_id: stream.stream_id, from_seq_no: 1, to_seq_no: 1 });
  assertVerified(pack.text, made.public_key_hex, "bundle");

  const appended = await client.append(stream.stream_id, loan(1));
  assert.deepEqual([appended.status, appended.body.detail.code], [403, "stream_class_closed"]);
  const unwritten = await erase(eraser, stream.stream_id, lifecycle_record.stream_event_id);
  assert.deepEqual([unwritten.status, unwritten.body.detail.code], [403, "stream_class_closed"]);
});

test("a second erasure changes nothing and answers the first one; there is one lifecycle stream", async (t) => {
  const here = await startServer(t);
  const { client, made } = here;
  const eraser = await clientWith(here, ["erase"]);
  const { body: batch } = await client.appendBatch(made.stream_id, [loan(1), loan(2), loan(3), loan(4)]);
  const ids: string[] = batch.receipts.map(({ stream_event_id }: { stream_event_id: string }) => stream_event_id);
  const answers = await Promise.all([...ids, ...ids].map((id) => erase(eraser, made.stream_id, id)));
  for (const [index, { status, text }] of answers.entries()) {
    assert.equal(status, 200, text);
    assert.equal(text, answers[(index + ids.length) % answers.length]?.text);
  }
  const again = await erase(eraser, made.stream_id, ids[0] ?? "", "another reason", "k");
  assert.equal(again.text, answers[0]?.text);
  assert.equal((await erase(eraser, made.stream_id, ids[0] ?? "", "another reason", "k")).text, again.text);
  const conflict = await erase(eraser, made.stream_id, ids[0] ?? "", "a third reason", "k");
  assert.deepEqual([conflict.status, conflict.body.detail.code], [409, "idempotency_conflict"]);
  const { body: page } = await client.get("/v2/streams?class=lifecycle");
  assert.deepEqual(
    page.items.map(({ head_seq_no }: { head_seq_no: number }) => head_seq_no),
    [4],
  );
});

test("a repeated request gets its first answer without what has been erased, and another is still refused", async (t) => {
  const here = await startServer(t);
  const { client, made } = here;
  const eraser = await clientWith(here, ["erase"]);
  const single = await client.append(made.stream_id, loan(1), "one");
  const batch = await client.appendBatch(made.stream_id, [loan(2), loan(3)], "two");
  await erase(eraser, made.stream_id, single.body.stream_event_id);
  await erase(eraser, made.stream_id, batch.body.receipts[1].stream_event_id);

  const singleAgain = await client.append(made.stream_id, loan(1), "one");
  assert.equal(singleAgain.status, 201);
  const { payload: _payload, payload_salt: _salt, ...rest } = single.body;
  assert.deepEqual(singleAgain.body, rest);
  const batchAgain = await client.appendBatch(made.stream_id, [loan(2), loan(3)], "two");
  assert.equal(batchAgain.status, 201);
  assert.deepEqual(batchAgain.body.receipts[0], batch.body.receipts[0]);
  assert.equal(batchAgain.body.receipts[1].payload, undefined);
  for (const other of [loan(9), loan(1, { event_type: "loan.asked" })]) {
    const { status, body } = await client.append(made.stream_id, other, "one");
    assert.deepEqual([status, body.detail.code], [409, "idempotency_conflict"]);
  }
  const { body: head } = await client.get(`/v2/streams/${made.stream_id}/head`);
  assert.equal(head.seq_no, 3);
});

test("a repeated batch of which a payload was erased is compared by the payloads that are left", async (t) => {
  const here = await startServer(t);
  const { client, made } = here;
  const eraser = await clientWith(here, ["erase"]);
  const changed = { payload: { amount: 0 } };
  const ways = [
    {
      send: (events: unknown) => client.post(`/v2/streams/${made.stream_id}/events/batch`, { events }, named("batch")),
      event: loan,
      changes: [changed],
    },
    {
      send: (events: unknown) => client.post("/v1/sdk/events/batch", { events }, named("batch")),
      event: entry,
      changes: [changed, { status: "other" }],
    },
  ];
  for (const { send, event, changes } of ways) {
    const sent = (...of: object[]) => [1, 2, 3].map((number, index) => event(number, of[index]));
    const first = await send(sent());
    const [one, two] = first.body.receipts;
    assert.equal((await erase(eraser, two.stream_id, two.stream_event_id)).status, 200);
    const again = await send(sent());
    assert.deepEqual([again.status, again.body.receipts[0]], [201, one]);
    for (const change of changes) {
      assert.equal((await send(sent({}, change))).status, 201, "of the erased one nothing is left to compare");
      for (const other of [sent(change), sent({}, {}, change), sent(change, {}, change)]) {
        const { status, body } = await send(other);
        assert.deepEqual([status, body.detail?.code], [409, "idempotency_conflict"]);
      }
    }
    assert.equal((await erase(eraser, one.stream_id, one.stream_event_id)).status, 200);
    assert.equal((await send(sent(changed, changed))).status, 201);
    assert.equal((await send(sent({}, {}, changed))).status, 409);
  }
});

test("what was kept of a request does not tell which payload it had", async (t) => {
  const here = await startServer(t);
  const { client, made, server } = here;
  const { context } = server.service;
  const { body: record } = await client.append(made.stream_id, loan(1));
  const macs = () =>
    context.database.read((reader) =>
      reader.all<{ request_mac: string }>("SELECT request_mac FROM idempotency_records WHERE from_seq_no = 1"),
    );
  const body = loan(1);
  const guess = context.keyedHash.hash(
    "request",
    context.kernel.canonicalize(["POST /v2/streams/{id}/events", made.stream_id, body]),
  );
  assert.deepEqual(
    (await macs()).map(({ request_mac }) => request_mac === guess),
    [true],
  );
  await erase(await clientWith(here, ["erase"]), made.stream_id, record.stream_event_id);
  const [after] = await macs();
  assert.ok(after !== undefined && !after.request_mac.includes(guess));
});

test("who may erase: only a key that is allowed to by name, in its own streams", async (t) => {
  const here = await startServer(t);
  const { client, made } = here;
  const { body: record } = await client.append(made.stream_id, loan(1));
  const usual = await erase(client, made.stream_id, record.stream_event_id);
  assert.deepEqual([usual.status, usual.body.detail.code], [403, "action_forbidden"]);
  const elsewhere = await clientWith(here, ["erase"], ["str_00000000000000000000000000"]);
  const kept = await erase(elsewhere, made.stream_id, record.stream_event_id);
  assert.deepEqual([kept.status, kept.body.detail.code], [403, "stream_forbidden"]);
  const eraser = await clientWith(here, ["erase"]);
  const { body: other } = await client.post("/v2/streams", {
    system_id: made.system_id,
    use_case: "x",
    policy_id: "default",
    metadata: {},
  });
  const wrongStream = await erase(eraser, other.stream_id, record.stream_event_id);
  assert.deepEqual([wrongStream.status, wrongStream.body.detail.code], [404, "receipt_not_found"]);
  for (const reason of ["", "  \n", "x".repeat(501)])
    assert.equal((await erase(eraser, made.stream_id, record.stream_event_id, reason)).status, 422);
  const { body } = await client.get(`/v2/receipts/${record.stream_event_id}`);
  assert.deepEqual(body, record);
});

test("the files of the database forget it: small payloads, large ones, and many", ON_FILE, async (t) => {
  const here = await startServer(t);
  const { client, made, server } = here;
  const eraser = await clientWith(here, ["erase"]);
  const marker = (number: number) => `erase-me-${number}-${"m".repeat(20)}`;
  const pad = [0, 10, 3000, 5000, 100_000];
  const payloads = Array.from({ length: 60 }, (_, number) => ({
    text: `${marker(number)}${"x".repeat(pad[number % pad.length] ?? 0)}${marker(number)}`,
  }));
  const { body } = await client.appendBatch(
    made.stream_id,
    payloads.map((payload, number) => loan(number, { payload })),
  );
  const erased = body.receipts.filter((_: unknown, number: number) => number % 2 === 0);
  for (const { stream_event_id } of erased)
    assert.equal((await erase(eraser, made.stream_id, stream_event_id)).status, 200);
  const { database } = server.service.context;
  await until("the files are cleared", async () => ((await uncleared(database)) === 0 ? true : null));
  const files = contentsOf(made.data_folder);
  const isThere = (text: string) => files.some((bytes) => bytes.includes(text));
  for (const number of payloads.keys()) assert.equal(isThere(marker(number)), number % 2 === 1, marker(number));
  for (const { payload_salt } of erased) assert.ok(!isThere(payload_salt));
});

test(
  "an erasure that comes while the files are cleared is not taken for cleared, whatever the clock says",
  ON_FILE,
  async (t) => {
    let offsetMs = 0;
    const clock = () => Date.now() + offsetMs;
    const here = await startServer(t, {}, clock);
    const { client, made, server } = here;
    const eraser = await clientWith(here, ["erase"]);
    const { body } = await client.appendBatch(made.stream_id, [loan(1), loan(2)]);
    const [first, second] = body.receipts.map(({ stream_event_id }: { stream_event_id: string }) => stream_event_id);
    // The server's own clearing would be as quick as the one below.
    for (const job of server.service.jobs) await job.stop();
    assert.equal((await erase(eraser, made.stream_id, first)).status, 200);
    offsetMs = -3_600_000;

    const { database } = server.service.context;
    const files = openSqlite(join(made.data_folder, "svc.db"));
    t.after(() => files.close());
    let cleared = 0;
    const forgetDeleted = async () => {
      const isDone = await files.forgetDeleted();
      cleared += 1;
      if (cleared === 1) assert.equal((await erase(eraser, made.stream_id, second)).status, 200);
      return isDone;
    };
    const interrupted: EmbeddedDatabase = {
      maxWriters: 1,
      read: (work) => database.read(work),
      write: (work) => database.write(work),
      commits: 0,
      prepareForgetting: () => assert.fail("nothing is to be prepared"),
      copyTo: () => assert.fail("nothing is to be copied"),
      forgetDeleted,
      close: () => database.close(),
    };
    const clearing = createFileClearing({ database: interrupted, clock, channel: faultless() });
    clearing.start();
    await until("both are marked", async () => ((await uncleared(database)) === 0 ? true : null));
    await clearing.stop();
    assert.equal(cleared, 2);
  },
);

test("the files of a database of an earlier release, which left copies behind, forget it too", ON_FILE, async (t) => {
  const dataFolder = join(temporaryFolder(), "data");
  const made = await makeDeployment(dataFolder);
  const environment = { SVC_LOG_LEVEL: "silent", SVC_SEAL_INTERVAL_MS: "20", SVC_PORT: "0", SVC_DATA: dataFolder };
  const start = () => serve(THIN_SERVER, readConfig(THIN_SERVER, environment), { kernel, clock: systemClock });
  const marker = (number: number) => `erase-me-${String(number).padStart(3, "0")}`;
  const first = await start();
  const events = Array.from({ length: 30 }, (_, number) => loan(number, { payload: { text: marker(number) } }));
  const { body } = await new Client(first.url, made.api_key ?? "").appendBatch(made.stream_id, events);
  await first.close();

  // Earlier releases wrote all pages like this.
  const path = join(dataFolder, "svc.db");
  const earlier = new DatabaseSync(path);
  earlier.exec("PRAGMA secure_delete = OFF; VACUUM; PRAGMA user_version = 0");
  earlier.close();
  const copies = readFileSync(path, "latin1").split(marker(0)).length - 1;
  assert.ok(copies > 1, "a copy was left behind");

  const server = await start();
  t.after(() => server.close());
  const eraser = await clientWith({ server, made }, ["erase"]);
  for (const { stream_event_id } of body.receipts)
    assert.equal((await erase(eraser, made.stream_id, stream_event_id)).status, 200);
  const { database } = server.service.context;
  await until("the files are cleared", async () => ((await uncleared(database)) === 0 ? true : null));
  const files = contentsOf(dataFolder);
  for (const number of events.keys()) assert.ok(!files.some((text) => text.includes(marker(number))), marker(number));
});

async function uncleared(database: Database): Promise<number> {
  const sql = "SELECT COUNT(*) AS count FROM erasures WHERE files_cleared_at IS NULL";
  return (await database.read((reader) => reader.first<{ count: number }>(sql)))?.count ?? 0;
}

function named(key: string): Record<string, string> {
  return { "idempotency-key": key };
}
