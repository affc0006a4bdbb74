/** The service for users' own tests: it is the real one, two of them share nothing, and it leaves nothing behind. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { type TestContext, test } from "node:test";
import { startTestService } from "../src/entries/testing.ts";
import { pinKeys, SvcClient, selectKernel, verify, verifyFrom } from "../src/index.ts";
import { collect } from "./collect.ts";

async function started(t: TestContext) {
  const service = await startTestService();
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await service.close();
    isClosed = true;
  };
  t.after(close);
  const trust = pinKeys(selectKernel(), [service.publicKeyHex]);
  const client = new SvcClient({ ...service, trust });
  return { ...service, close, trust, client, stream: client.stream(service.streamId) };
}

const reading = (number: number) => ({
  source_ref: `sensor-4/${number}`,
  event_type: "temperature.read",
  occurred_at: "2026-03-01T09:30:00Z",
  payload: { celsius: 20 + number / 10 },
});

test("events, evidence, a package and an erasure, as of any service", async (t) => {
  const { client, stream, trust, baseUrl, eraseKey } = await started(t);
  const first = await stream.append(reading(1));
  await stream.appendBatch([reading(2), reading(3)]);
  await Promise.all([4, 5, 6, 7, 8, 9, 10, 11, 12].map((number) => stream.append(reading(number))));
  assert.deepEqual(
    (await collect(stream.events({ limit: 5 }))).map(({ seq_no }) => seq_no),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  );
  const pack = await client.auditPackBytes({ stream_id: stream.streamId, from_seq_no: 1, to_seq_no: 12 });
  assert.equal(verify(pack, { trust }).verdict, "verified");
  const { export_id } = await client.exports.create({ streams: [stream.streamId] });
  await client.exports.whenReady(export_id);
  const { stream: bytes } = await client.exports.download(export_id);
  const report = await verifyFrom(bytes, { trust });
  assert.deepEqual([report.verdict, report.kind], ["verified", "truth-package"], JSON.stringify(report.problems));

  const erasing = new SvcClient({ baseUrl, apiKey: eraseKey, trust }).stream(stream.streamId);
  await erasing.erase(first.stream_event_id, "request 17");
  assert.ok(!("payload" in (await client.receipt(first.stream_event_id))));
  const lifecycle = await client.streams({ class: "lifecycle" });
  assert.equal(lifecycle.items.length, 1);
  await assert.rejects(stream.append({ ...reading(1), occurred_at: "noon" }), { code: "invalid_request", status: 422 });
});

test("two services know nothing of each other, and nothing of one stays", async (t) => {
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith("svc-in-memory-"));
  const one = await started(t);
  const other = await started(t);
  await one.stream.append(reading(1));
  assert.notEqual(one.publicKeyHex, other.publicKeyHex);
  await assert.rejects(other.client.stream(one.streamId).head(), { code: "stream_not_found" });
  await assert.rejects(other.stream.head(), { code: "stream_empty" });
  const mixed = new SvcClient({ ...one, trust: other.trust }).stream(one.streamId);
  await assert.rejects(mixed.append(reading(2)), { code: "key_not_pinned" });
  const before = folders().length;
  await one.close();
  await other.close();
  assert.equal(folders().length, before - 2);
  await assert.rejects(new SvcClient({ ...one, maxAttempts: 1 }).health(), { code: "no_answer" });
});
