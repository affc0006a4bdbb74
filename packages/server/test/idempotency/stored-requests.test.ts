/**
 * The records of requests, and their lifetime: scopes, repetitions, the rest after an erasure, and the job that
 * forgets.
 */

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Json } from "@svc/core";
import { Channel } from "@svc/host/channel";
import { serviceTime } from "@svc/host/clock";
import { type Database, WriteConflict } from "@svc/host/store";
import { startServer } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";
import { createForgetting } from "../../src/idempotency/forget-old.ts";
import { Idempotency, type Made, type RepeatableRequest, scopeName } from "../../src/idempotency/idempotency.ts";
import { insertIdempotencyRecords } from "../../src/idempotency/store.ts";
import { issuingKernel } from "../../src/issuing-kernel.ts";
import { kernel } from "../../src/kernel.ts";
import { failed } from "../../src/notices.ts";
import { keyedHashUnder } from "../../src/signing/keyed-hash.ts";
import { SYSTEM, TENANT } from "../empty-database.ts";

const DAY_MS = 86_400_000;
const START = Date.parse("2026-01-01T00:00:00.000Z");
const NOW = serviceTime(START);
const PRINCIPAL = { tenantId: TENANT, kind: "system", id: SYSTEM, roles: [] } as const;

/** Resolves to a server that has made its deployment, and then does nothing with the database. */
async function quietDeployment(t: TestContext) {
  const { server, client, made } = await startServer(t, { sealIntervalMs: 60_000, idempotencyDays: 3650 });
  const { context } = server.service;
  const keyedHash = keyedHashUnder(Buffer.alloc(32, 1));
  const idempotency = new Idempotency({ issuing: issuingKernel(kernel), keyedHash });
  const request = (changes: Partial<RepeatableRequest> = {}): RepeatableRequest => ({
    principal: { ...PRINCIPAL, tenantId: made.tenant_id },
    route: "POST /x",
    key: "key",
    target: made.stream_id,
    body: { a: 1 },
    ...changes,
  });
  const result = (changes: Partial<Made> = {}): Made => ({
    streamId: made.stream_id,
    fromSeqNo: 0,
    toSeqNo: 0,
    result: null,
    ...changes,
  });
  const keep = (wanted: RepeatableRequest, what: Made = result(), now = NOW) =>
    context.database.write((writer) => idempotency.keep(writer, wanted, what, now));
  const before = (wanted: RepeatableRequest) => context.database.read((reader) => idempotency.replay(reader, wanted));
  return { database: context.database, client, made, idempotency, request, result, keep, before };
}

function count(database: Database): Promise<number> {
  return database.read(async (reader) => {
    const row = await reader.first<{ n: number }>("SELECT COUNT(*) AS n FROM idempotency_records");
    return row?.n ?? -1;
  });
}

test("a request with a key gets what it made; another one with that key is refused and told what was made", async (t) => {
  const { idempotency, database, made, request, result, keep, before } = await quietDeployment(t);
  assert.equal(await before(request()), null);
  await keep(request(), result({ fromSeqNo: 3, toSeqNo: 5, result: { more: "x" } }));
  assert.deepEqual(await before(request()), result({ fromSeqNo: 3, toSeqNo: 5, result: { more: "x" } }));
  await keep(request({ key: "no events" }));
  assert.deepEqual(await before(request({ key: "no events" })), result());
  const { stream_id } = made;
  for (const [key, details] of [
    ["key", { stream_id, from_seq_no: 3, to_seq_no: 5 }],
    ["no events", { stream_id }],
  ] as const)
    for (const changes of [{ body: { a: 2 } }, { target: "another" }])
      await assert.rejects(before(request({ key, ...changes })), { code: "idempotency_conflict", details });

  await assert.rejects(keep(request()), WriteConflict);
  const streamOf = (wanted: RepeatableRequest) =>
    database.read(async (reader) => idempotency.streamOf(wanted, await idempotency.known(reader, [wanted])));
  assert.equal(await streamOf(request({ body: "any other" })), stream_id);
  assert.equal(await streamOf(request({ key: "unknown" })), null);
});

test("a key is one key for one principal on one route", async (t) => {
  const { request, keep, before } = await quietDeployment(t);
  await keep(request());
  const { principal } = request();
  const others = [
    request({ route: "POST /y" }),
    request({ key: "Key" }),
    request({ principal: { ...principal, id: "sys_2" } }),
    request({ principal: { ...principal, tenantId: "tnt_2" } }),
  ];
  for (const other of others) assert.equal(await before(other), null);
  const names = [request(), ...others].map(scopeName);
  assert.equal(new Set(names).size, 5);
  for (const name of names) assert.match(name, /^[\w-]{22}$/);
  assert.equal(scopeName(request({ body: "any other" })), names[0]);
});

test("a request without a key is never a repetition, and nothing is kept of it", async (t) => {
  const { database, request, keep, before } = await quietDeployment(t);
  const start = await count(database);
  await keep(request({ key: "" }));
  assert.equal(await count(database), start);
  await database.write((writer) =>
    insertIdempotencyRecords(writer, [
      {
        scope: { tenantId: request().principal.tenantId, principalId: SYSTEM, route: "POST /x", key: "" },
        request_mac: "",
        stream_id: request().target,
        from_seq_no: 0,
        to_seq_no: 0,
        result: null,
        created_at: NOW,
      },
    ]),
  );
  assert.equal(await before(request({ key: "" })), null);
});

test("a request whose hash is given is the same as one with the whole body", async (t) => {
  const { idempotency, request, keep, before } = await quietDeployment(t);
  await keep(request({ body: { b: 1, a: [2] } }));
  const parts = (text: string) => {
    const { route, target } = request();
    return request({ body: null as Json, hash: idempotency.hashOf(route, target, text) });
  };
  assert.notEqual(await before(parts('{"a":[2],"b":1}')), null);
  await assert.rejects(before(parts('{"a":[2],"b":2}')), { code: "idempotency_conflict" });
  const details = { stream_id: "str_1" };
  idempotency.requireSame(request({ body: { b: 1, a: [2] } }), parts('{"a":[2],"b":1}'), details);
  assert.throws(() => idempotency.requireSame(request(), request({ body: {} }), details), {
    code: "idempotency_conflict",
    details,
  });
});

test("after an erasure the fingerprint is compared, of the request that made the event", async (t) => {
  const { idempotency, database, client, made, request, result, keep, before } = await quietDeployment(t);
  const { body: other } = await client.post("/v2/streams", {
    system_id: made.system_id,
    use_case: "x",
    policy_id: "default",
    metadata: {},
  });
  const fingerprinted = (changes: Partial<RepeatableRequest> = {}) =>
    request({ fingerprint: () => ({ kept: 1 }), hasPayloadsOf: async () => true, ...changes });
  const elsewhere = request({ key: "elsewhere", route: "POST /elsewhere" });
  await keep(elsewhere, result({ streamId: other.stream_id, fromSeqNo: 1, toSeqNo: 9 }));
  await keep(fingerprinted(), result({ fromSeqNo: 3, toSeqNo: 5 }));
  await keep(fingerprinted({ key: "later" }), result({ fromSeqNo: 6, toSeqNo: 6 }), serviceTime(START + 1));
  const asked: unknown[] = [];
  const forget = (seq_no: number, received_at = NOW) =>
    database.write((writer) =>
      idempotency.forgetPayloads(writer, { stream_id: made.stream_id, seq_no, received_at }, async (of) => {
        asked.push(of);
        return { target: made.stream_id, fingerprint: { kept: 1 } };
      }),
    );
  for (const seqNo of [2, 6]) await forget(seqNo);
  await forget(4, serviceTime(START + 2));
  assert.deepEqual(asked, [], "no request is kept that made those");
  for (const seqNo of [3, 5]) await forget(seqNo);
  const of = { route: "POST /x", fromSeqNo: 3, toSeqNo: 5 };
  assert.deepEqual(asked, [of, of]);

  assert.notEqual(await before(fingerprinted({ body: "of which nothing is known any more" })), null);
  const changed = [
    fingerprinted({ fingerprint: () => ({ kept: 2 }) }),
    fingerprinted({ target: "another" }),
    fingerprinted({ hasPayloadsOf: async () => false }),
    request({ fingerprint: () => ({ kept: 1 }) }),
    request(),
  ];
  for (const one of changed) await assert.rejects(before(one), { code: "idempotency_conflict" });
  await assert.rejects(before(fingerprinted({ key: "later", body: "another" })), { code: "idempotency_conflict" });
});

test("records go when they are older than their days, two hundred in a transaction, the oldest first", async (t) => {
  const { database, idempotency, request, result } = await quietDeployment(t);
  await database.write((writer) => writer.run("DELETE FROM idempotency_records"));
  await database.write(async (writer) => {
    for (let number = 0; number < 450; number++)
      await idempotency.keep(writer, request({ key: `${number}` }), result(), serviceTime(START + number));
  });
  let now = START + 2 * DAY_MS + 420;
  const errors: unknown[] = [];
  const channel = new Channel();
  channel.subscribe(failed, (error) => errors.push(error));
  const left: number[] = [];
  const watching: Database = {
    ...database,
    read: (work) => database.read(work),
    write: async (work) => {
      const done = await database.write(work);
      left.push(await count(database));
      return done;
    },
  };
  const loop = createForgetting({ database: watching, clock: () => now, channel }, { idempotencyDays: 2 });
  loop.start();
  t.after(() => loop.stop());
  await until("those of before are gone", async () => ((await count(database)) === 30 ? true : null));
  const oldest = await database.read((reader) =>
    reader.first<{ time: string }>("SELECT MIN(created_at) AS time FROM idempotency_records"),
  );
  assert.equal(oldest?.time, serviceTime(START + 420), "one of the very time stays");

  now += 1;
  loop.wake();
  await until("one more is gone", async () => ((await count(database)) === 29 ? true : null));
  await loop.stop();
  assert.deepEqual(errors, []);
  // The writes are: the lease, three portions, the last one not full; the lease again, one portion; and the release of
  // the lease.
  assert.deepEqual(left, [450, 250, 50, 30, 30, 29, 29]);
  const [job, ...others] = await database.read((reader) =>
    reader.all<{ job_name: string }>("SELECT job_name FROM jobs WHERE lease_until < $1", serviceTime(START)),
  );
  assert.deepEqual([job?.job_name, others.length], ["idempotency-records", 0]);
});

test("forgetting stops between two portions, and tells of a fault", async (t) => {
  const { database, idempotency, request, result } = await quietDeployment(t);
  await database.write((writer) => writer.run("DELETE FROM idempotency_records"));
  await database.write(async (writer) => {
    for (let number = 0; number < 250; number++)
      await idempotency.keep(writer, request({ key: `${number}` }), result(), NOW);
  });
  const fault = new Error("no disk");
  const errors: unknown[] = [];
  const channel = new Channel();
  channel.subscribe(failed, (error) => errors.push(error));
  let isBroken = true;
  const breaking: Database = {
    ...database,
    read: (work) => database.read(work),
    write: (work) => (isBroken ? Promise.reject(fault) : database.write(work)),
  };
  const context = { database: breaking, clock: () => START + 2 * DAY_MS, channel };
  const loop = createForgetting(context, { idempotencyDays: 1 });
  t.after(() => loop.stop());
  loop.start();
  await until("the fault is reported", async () => (errors.length > 0 ? true : null));
  isBroken = false;
  loop.wake();
  await until("a portion is gone", async () => ((await count(database)) <= 50 ? true : null));
  void loop.stop();
  await loop.stop();
  assert.ok(errors.every((error) => error === fault));
});
