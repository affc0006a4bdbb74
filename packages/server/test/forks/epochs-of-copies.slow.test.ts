/**
 * Epochs of the service log of two copies of one deployment: each object that carries an epoch shows at the other copy
 * that there are two logs, also where the rest of the object is common to both, or of a stream that the other lacks.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { assertVerified } from "@svc/testkit/server/verified";
import { until } from "@svc/testkit/until";
import { copies } from "./copies.ts";

const newest = async (client: Client) => (await client.get("/v2/anchors/latest")).body;
const forksOf = async (client: Client) => (await client.get("/v2/forks")).body.items;

/** Seals one more event, and waits for an epoch over it. Resolves to the epoch. */
async function published(client: Client, streamId: string, seqNo: number, number: number) {
  await client.append(streamId, loan(number), `loan-${number}`);
  await until(`event ${seqNo} of ${streamId} is published`, async () => {
    const { body } = await client.get(`/v2/streams/${streamId}/proof-state`);
    return body.published_to_seq_no >= seqNo || null;
  });
  return newest(client);
}

test("an epoch of another log becomes evidence, whatever object carries it, and once", async (t) => {
  const { made, original, restored } = await copies(t, { SVC_EPOCH_INTERVAL_MS: "20" });
  const { stream_id } = made;
  const [{ stream_event_id: first }] = (await original.get(`/v2/streams/${stream_id}/events`)).body.items;
  const common = await published(original, stream_id, 1, 1);
  assert.equal((await restored.post("/v2/verify", common)).body.verdict, "verified");
  const ahead = await published(original, stream_id, 2, 2);
  assert.equal((await restored.post("/v2/verify", ahead)).body.verdict, "verified");
  assert.deepEqual(await forksOf(restored), [], "a log that is merely shorter is no other one");

  const receipt = () => original.get(`/v2/receipts/${first}?portable=true`);
  const pack = () => original.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no: 1 });
  const shown: readonly [kind: string, path: string, () => Promise<Answer | { readonly text: string }>][] = [
    ["anchor", "/v2/verify", () => original.get("/v2/anchors/latest")],
    ["consistency", "/v2/verify", () => original.get(`/v2/anchors/latest/consistency?from=${common.anchor_epoch_id}`)],
    ["portable-receipt", "/v2/verify", receipt],
    ["portable-receipt", "/v1/public/verify", receipt],
    ["bundle", "/v2/verify", pack],
  ];
  await published(restored, stream_id, 2, 12);
  for (const [index, [kind, path, read]] of shown.entries()) {
    const seqNo = index + 3;
    await published(original, stream_id, seqNo, seqNo);
    const own = await published(restored, stream_id, seqNo, seqNo + 10);
    const { text } = await read();
    const { epoch_no, epoch_root } = await newest(original);
    assert.ok(own.epoch_no >= epoch_no && text.includes(epoch_root), "it shows an epoch that both have");
    for (const _ of ["first", "again"]) {
      const { body } = await restored.post(path, text);
      assert.deepEqual([body.verdict, body.kind], ["verified", kind]);
    }
    const items = await forksOf(restored);
    assert.equal(items.length, index + 1, `by a ${kind}`);
    const fork = items[index];
    assert.deepEqual([fork.kind, fork.stream_id, fork.right.epoch_root], ["epoch", null, epoch_root]);
    assertVerified(JSON.stringify(fork), made.public_key_hex, "fork");
  }
  assert.deepEqual((await restored.get(`/v2/streams/${stream_id}/forks`)).body.items, [], "the events are common");
  const { text } = await restored.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no: 1 });
  assert.ok(text.includes('"kind":"epoch"'), "bundles carry it from then on");

  for (const own of [await original.get("/v2/anchors/latest"), await receipt(), await pack()])
    assert.equal((await original.post("/v2/verify", own.text)).body.verdict, "verified");
  assert.deepEqual(await forksOf(original), [], "what is its own convicts nobody");
});

test("a receipt of a stream that the database lacks convicts by its epoch", async (t) => {
  const { made, original, restored } = await copies(t, { SVC_EPOCH_INTERVAL_MS: "20" });
  const request = { system_id: made.system_id, use_case: "loans", policy_id: "default", metadata: {} };
  const { body: stream } = await original.post("/v2/streams", request, { "idempotency-key": "stream-2" });
  await published(original, stream.stream_id, 1, 2);
  await published(restored, made.stream_id, 2, 3);
  const [{ stream_event_id }] = (await original.get(`/v2/streams/${stream.stream_id}/events`)).body.items;
  const { text } = await original.get(`/v2/receipts/${stream_event_id}?portable=true`);
  assert.equal((await restored.post("/v2/verify", text)).body.verdict, "verified");
  const items = await forksOf(restored);
  assert.deepEqual(
    items.map(({ kind }: { kind: string }) => kind),
    ["epoch"],
  );
});
