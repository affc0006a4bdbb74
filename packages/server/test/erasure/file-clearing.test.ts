/**
 * The traces of an erasure beside the event: its request, its entry in the access log, and work for the job that clears
 * the files.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Channel } from "@svc/host/channel";
import { serviceTime } from "@svc/host/clock";
import type { EmbeddedDatabase } from "@svc/host/store";
import { Client } from "@svc/testkit/server/client";
import { faultless } from "@svc/testkit/server/jobs";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";
import { createFileClearing } from "../../src/erasure/clear-files.ts";
import { findErasure, insertErasure, markCleared, unclearedErasures } from "../../src/erasure/erasures-store.ts";
import { failed } from "../../src/notices.ts";
import { accessBefore } from "../../src/tenancy/access-log-store.ts";
import { systemKeysOf } from "../../src/tenancy/system-keys.ts";
import { emptyDatabase } from "../empty-database.ts";

/** The methods that clearing does not call. */
const NOT_ASKED = {
  commits: 0,
  prepareForgetting: () => assert.fail("nothing is to be prepared"),
  copyTo: () => assert.fail("nothing is to be copied"),
};

const START = Date.parse("2026-01-01T00:00:00.000Z");

test("without an erasure the files are left alone, and no lease is taken", async (t) => {
  const database = await emptyDatabase(t);
  let looks = 0;
  const watching: EmbeddedDatabase = {
    maxWriters: 1,
    ...NOT_ASKED,
    close: () => database.close(),
    read: (work) => {
      looks += 1;
      return database.read(work);
    },
    write: (work) => database.write(work),
    forgetDeleted: () => assert.fail("nothing is to be forgotten"),
  };
  const clearing = createFileClearing({ database: watching, clock: () => START, channel: faultless() });
  clearing.start();
  await until("it has looked", async () => (looks > 0 ? true : null));
  await clearing.stop();
  assert.deepEqual(await database.read((reader) => reader.all("SELECT 1 FROM jobs")), []);
});

test("a failure is published, and clearing is tried again", async (t) => {
  const database = await emptyDatabase(t);
  const broken = new Error("no disk");
  const told: unknown[] = [];
  const channel = new Channel();
  channel.subscribe(failed, (error) => told.push(error));
  const failing: EmbeddedDatabase = {
    maxWriters: 1,
    ...NOT_ASKED,
    close: () => database.close(),
    read: () => Promise.reject(broken),
    write: () => assert.fail("nothing is to be written"),
    forgetDeleted: () => assert.fail("nothing is to be forgotten"),
  };
  const clearing = createFileClearing({ database: failing, clock: () => START, channel });
  clearing.start();
  await until("it has failed", async () => (told.length > 0 ? true : null));
  await clearing.stop();
  assert.equal(told[0], broken);
});

test("erasures are marked when the files have forgotten them, and tried again where a reader is in the way", async (t) => {
  const { client, made, server } = await startServer(t);
  const { body } = await client.appendBatch(made.stream_id, [loan(1), loan(2), loan(3)]);
  const ids: string[] = body.receipts.map(({ stream_event_id }: { stream_event_id: string }) => stream_event_id);
  for (const job of server.service.jobs) await job.stop();
  const { database } = server.service.context;
  const [one = "", two = "", three = ""] = ids;
  await database.write(async (writer) => {
    await writer.run("DELETE FROM jobs");
    for (const [index, id] of [two, one].entries())
      await insertErasure(writer, made.tenant_id, {
        stream_event_id: id,
        lifecycle_event_id: three,
        erased_at: serviceTime(START + index),
      });
  });
  const uncleared = (most = 10) => database.read((reader) => unclearedErasures(reader, most));
  assert.deepEqual([await uncleared(), await uncleared(1)], [[two, one], [two]]);
  assert.deepEqual(
    { ...(await database.read((reader) => findErasure(reader, made.tenant_id, one))) },
    { stream_event_id: one, lifecycle_event_id: three, erased_at: serviceTime(START + 1) },
  );
  for (const [tenant, id] of [
    ["tnt_2", one],
    [made.tenant_id, three],
  ] as const)
    assert.equal(await database.read((reader) => findErasure(reader, tenant, id)), null);

  let tries = 0;
  const busy: EmbeddedDatabase = {
    maxWriters: 1,
    ...NOT_ASKED,
    close: () => database.close(),
    read: (work) => database.read(work),
    write: (work) => database.write(work),
    forgetDeleted: async () => {
      tries += 1;
      if (tries === 2) assert.deepEqual(await uncleared(), [two, one], "nothing was forgotten yet");
      return tries > 1;
    },
  };
  const clearing = createFileClearing({ database: busy, clock: () => START + 5, channel: faultless() });
  clearing.start();
  await until("it was tried", async () => (tries > 0 ? true : null));
  clearing.wake();
  await until("both are marked", async () => ((await uncleared()).length === 0 ? true : null));
  await clearing.stop();
  const rows = await database.read((reader) =>
    reader.all<{ time: string }>("SELECT files_cleared_at AS time FROM erasures"),
  );
  assert.deepEqual(
    rows.map(({ time }) => time),
    [serviceTime(START + 5), serviceTime(START + 5)],
  );
  const jobs = await database.read((reader) => reader.all<{ job_name: string }>("SELECT job_name FROM jobs"));
  assert.deepEqual(
    jobs.map(({ job_name }) => job_name),
    ["file-clearing"],
  );
  await database.write((writer) => writer.run("UPDATE erasures SET files_cleared_at = NULL"));
  await database.write((writer) => markCleared(writer, [one], serviceTime(START)));
  assert.deepEqual(await uncleared(), [two]);
});

test("the key of an erasure is for this event and this reason; its entry says which stream, and why", async (t) => {
  const { client, made, server } = await startServer(t);
  const { context } = server.service;
  const systemKeys = systemKeysOf(context);
  const { database } = context;
  const owner = { tenantId: made.tenant_id, systemId: made.system_id };
  const actor = { tenantId: made.tenant_id, kind: "service", id: "test", roles: [] } as const;
  const limits = { actions: ["erase"], streams: null } as const;
  const key = await database.write((writer) => systemKeys.create(writer, { ...owner, limits }, actor));
  const eraser = new Client(server.url, key);
  const { body } = await client.appendBatch(made.stream_id, [loan(1), loan(2)]);
  const ids: string[] = body.receipts.map(({ stream_event_id }: { stream_event_id: string }) => stream_event_id);
  const [one = "", two = ""] = ids;
  const erase = (eventId: string, reason: string) =>
    eraser.post(`/v2/streams/${made.stream_id}/events/${eventId}/erase`, { reason }, { "idempotency-key": "k" });
  const answer = await erase(one, "because");
  assert.equal(answer.status, 200, answer.text);
  assert.equal((await erase(one, "because")).text, answer.text);
  for (const [eventId, reason] of [
    [two, "because"],
    [one, "another"],
  ] as const) {
    const { status, body: refused } = await erase(eventId, reason);
    assert.deepEqual([status, refused.detail.code], [409, "idempotency_conflict"]);
  }
  assert.equal((await client.get(`/v2/receipts/${two}`)).body.payload.applicant, "A-2");
  const kept = await database.read((reader) =>
    reader.all<object>("SELECT route, from_seq_no, to_seq_no, result FROM idempotency_records WHERE from_seq_no = 0"),
  );
  assert.deepEqual(
    kept.map((row) => ({ ...row })),
    [{ route: "POST /v2/streams/{id}/events/{id}/erase", from_seq_no: 0, to_seq_no: 0, result: null }],
  );
  const { rows } = await database.read((reader) =>
    accessBefore(reader, { tenantId: null, action: "event.erased", objectId: null }, { after: null, most: 10 }),
  );
  const [entry, ...others] = rows;
  assert.equal(others.length, 0);
  assert.deepEqual(
    [entry?.object_id, entry?.at, JSON.parse(entry?.detail ?? "")],
    [one, answer.body.erased_at, { stream_id: made.stream_id, reason: "because" }],
  );
});
