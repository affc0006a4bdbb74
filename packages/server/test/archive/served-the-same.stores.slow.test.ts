/**
 * A server whose events are archived answers as before, byte for byte: receipts, proofs, packs, exports, and repeated
 * requests. Each file verifies alone.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Answer } from "@svc/testkit/server/client";
import { jobNamed } from "@svc/testkit/server/jobs";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { entry, log, logBatch } from "../event-log/event-log.ts";
import { download, readyExport } from "../exports/export-client.ts";
import { archive, archivedRanges, archiveFiles, faultsOf } from "./archiving.ts";

const REDACTED = { Prefer: "return=minimal" };

/** Resolves to a server with events of all kinds, all of them witnessed. */
async function filled(t: TestContext) {
  const here = await startServer(t);
  const { client, made } = here;
  const { stream_id } = made;
  await client.append(stream_id, loan(1), "one");
  await client.appendBatch(stream_id, [loan(2), loan(3, { payload: { text: 'a "payloads":{ \\" } 𝄞' } })], "some");
  await client.witnessed(stream_id, 3);
  await client.appendBatch(stream_id, [loan(4, { payload: {} }), loan(5)], "more");
  await client.witnessed(stream_id, 5);
  const logged = (await log(client, entry(1), "logged")).body;
  const batch = await logBatch(client, [entry(2), entry(3)], "logged-batch");
  assert.equal(batch.status, 201, batch.text);
  await client.witnessed(logged.stream_id, 3);
  return { ...here, stream_id, logged };
}

/** Resolves to the answers whose bytes must stay the same. */
async function answersOf({ client, stream_id, logged }: Awaited<ReturnType<typeof filled>>) {
  const answers = new Map<string, string>();
  const keep = async (name: string, answer: Promise<Answer>) => {
    const { status, text } = await answer;
    assert.ok(status < 300, `${name}: ${text}`);
    answers.set(name, text);
  };
  const under = (key: string, headers = {}) => ({ "idempotency-key": key, ...headers });
  const stream = `/v2/streams/${stream_id}`;
  const { items } = (await client.get(`${stream}/events`)).body;
  for (const { stream_event_id: id } of items) {
    await keep(`receipt ${id}`, client.get(`/v2/receipts/${id}`));
    await keep(`portable ${id}`, client.get(`/v2/receipts/${id}?portable=true`));
    await keep(`proof ${id}`, client.get(`/v1/events/${id}/proof`));
  }
  await keep("events", client.get(`${stream}/events`));
  await keep("head", client.get(`${stream}/head`));
  await keep("log", client.get("/v1/events?status=granted"));
  await keep("logged", client.get(`/v1/events/${logged.stream_event_id}`));
  await keep("logged proof", client.get(`/v1/events/${logged.stream_event_id}/proof`));
  for (const [from_seq_no, to_seq_no] of [
    [1, 5],
    [4, 5],
    [2, 2],
  ])
    for (const payloads of ["included", "redacted"]) {
      const body = { stream_id, from_seq_no, to_seq_no, payloads };
      const key = `pack-${from_seq_no}-${payloads}`;
      await keep(key, client.post("/v2/audit/packs", body, under(key)));
    }
  const batch = [loan(2), loan(3, { payload: { text: 'a "payloads":{ \\" } 𝄞' } })];
  for (const headers of [{}, REDACTED]) {
    await keep(`one ${JSON.stringify(headers)}`, client.post(`${stream}/events`, loan(1), under("one", headers)));
    const events = { events: batch };
    await keep(
      `some ${JSON.stringify(headers)}`,
      client.post(`${stream}/events/batch`, events, under("some", headers)),
    );
  }
  await keep("log again", log(client, entry(1), "logged"));
  await keep("log batch again", logBatch(client, [entry(2), entry(3)], "logged-batch"));
  return answers;
}

test("archived events are served as before, byte for byte, and each file verifies alone", async (t) => {
  const here = await filled(t);
  const { client, made, server, stream_id } = here;
  const { context } = server.service;
  await jobNamed(server, "archive").stop();
  // Receipts get the epoch of their checkpoint as soon as there is one.
  await jobNamed(server, "service-log").stop();
  const before = await answersOf(here);
  const whole = { streams: [stream_id] };
  const packageBefore = (await download(client, await readyExport(client, whole))).bytes;

  assert.equal(await archive(context), true);
  const names = archiveFiles(context);
  assert.deepEqual(
    names.map((name) => name.split(".")[1]),
    names.map((name) => (name.startsWith(`${stream_id}.`) ? "1-5" : /\.(1-\d+)\./.exec(name)?.[1])),
  );
  assert.deepEqual(await archivedRanges(context, stream_id), { ranges: [[1, 5]], here: [] });
  assert.deepEqual(await archivedRanges(context, here.logged.stream_id), { ranges: [[1, 3]], here: [] });
  for (const name of names)
    assertVerified(readFileSync(join(context.folder.archivePath, name), "utf8"), made.public_key_hex, "bundle");

  const after = await answersOf(here);
  for (const [name, text] of before) assert.equal(after.get(name), text, name);
  assert.equal(after.size, before.size);
  const packageAfter = (await download(client, await readyExport(client, whole))).bytes;
  // The two exports have other ids and times: the table of events, their first entry, has neither.
  const table = (bytes: Buffer) => bytes.subarray(0, bytes.indexOf("PK", 4)).toString("utf8");
  assert.ok(table(packageBefore).includes("𝄞"));
  assert.equal(table(packageAfter), table(packageBefore));
  assert.equal(packageAfter.length, packageBefore.length);

  const again = await client.append(stream_id, loan(9), "one");
  assert.equal(again.body.detail.code, "idempotency_conflict");
  assert.equal((await client.append(stream_id, loan(6))).status, 201);
  assert.deepEqual(await faultsOf(context), []);
});
