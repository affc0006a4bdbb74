/** The service log of a running server: its epochs, as anybody verifies them, and as evidence of a stream has them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Anchor, checkpointText, hexToBytes, parseNote } from "@svc/core";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { assertVerified, report } from "@svc/testkit/server/verified";
import { epochOver } from "./epochs.ts";

const OFTEN = { epochIntervalMs: 20 };

test("each checkpoint gets into an epoch, whose anchor, paths and consistency verify", async (t) => {
  const { client, made } = await startServer(t, OFTEN);
  const { body: none } = await client.get("/v2/anchors/latest");
  assert.equal(none.detail.code, "anchor_not_found");
  assert.deepEqual((await client.get("/v2/anchors")).body, { items: [], next_cursor: null });
  const covered: { checkpointId: string; anchor: Anchor }[] = [];
  for (const number of [1, 2, 3]) {
    await client.append(made.stream_id, loan(number));
    const { latest_checkpoint_id: checkpointId } = await client.witnessed(made.stream_id, number);
    covered.push({ checkpointId, anchor: await epochOver(client, checkpointId) });
  }
  for (const [index, { checkpointId, anchor }] of covered.entries()) {
    const { text, body } = await client.get(`/v2/anchors/${anchor.anchor_epoch_id}?checkpoint=${checkpointId}`);
    const { assurance, subject } = assertVerified(text, made.public_key_hex, "anchor");
    assert.deepEqual([assurance.anchored, subject.id], ["none", anchor.anchor_epoch_id]);
    assert.deepEqual([body.epoch_no, body.log_size, body.origin], [index + 1, index + 1, made.origin]);
    assert.deepEqual([body.members[0].checkpoint_id, body.members[0].leaf_index], [checkpointId, index]);
    const note = parseNote((await client.get(`/v2/anchors/${anchor.anchor_epoch_id}/note`)).text);
    assert.equal(note?.text, checkpointText(made.origin, index + 1, hexToBytes(anchor.epoch_root)));
    for (const earlier of covered.slice(0, index)) {
      const from = earlier.anchor.anchor_epoch_id;
      const path = `/v2/anchors/${anchor.anchor_epoch_id}/consistency?from=${from}`;
      assertVerified((await client.get(path)).text, made.public_key_hex, "consistency");
      const later = await client.get(`/v2/anchors/${from}?checkpoint=${checkpointId}`);
      assert.deepEqual([later.status, later.body.detail.code], [404, "checkpoint_not_in_epoch"]);
      // The older checkpoint is in the newer epoch as well.
      const again = await client.get(`/v2/anchors/latest?checkpoint=${earlier.checkpointId}`);
      assertVerified(again.text, made.public_key_hex, "anchor");
    }
  }
  const ids = covered.map(({ anchor }) => anchor.anchor_epoch_id);
  const { body: first } = await client.get("/v2/anchors?limit=2");
  const { body: rest } = await client.get(`/v2/anchors?limit=2&cursor=${first.next_cursor}`);
  assert.deepEqual(
    [...first.items, ...rest.items].map((one: Anchor) => one.anchor_epoch_id),
    ids,
  );
  assert.equal(rest.next_cursor, null);
  for (const [path, status, code] of [
    ["/v2/anchors/anc_none", 404, "anchor_not_found"],
    ["/v2/anchors/anc_none/note", 404, "anchor_not_found"],
    [`/v2/anchors/anc_none/consistency?from=${ids[0]}`, 404, "anchor_not_found"],
    ["/v2/anchors/latest/consistency?from=anc_none", 404, "anchor_not_found"],
    [`/v2/anchors/${ids[0]}/consistency?from=${ids[1]}`, 422, "anchor_not_earlier"],
    ["/v2/anchors/latest/consistency?from=latest", 422, "anchor_not_earlier"],
    ["/v2/anchors/latest?checkpoint=chk_none", 404, "checkpoint_not_in_epoch"],
    ["/v2/anchors/latest/consistency", 422, "invalid_request"],
  ] as const) {
    const { status: actual, body } = await client.get(path);
    assert.deepEqual([actual, body.detail.code], [status, code], path);
  }
});

test("no epoch is made where nothing is new, and none before its interval is over", async (t) => {
  const { client, made, server } = await startServer(t, { epochIntervalMs: 3_600_000 });
  await client.append(made.stream_id, loan(1));
  const { latest_checkpoint_id: first } = await client.witnessed(made.stream_id, 1);
  assert.equal((await epochOver(client, first)).epoch_no, 1);
  await client.append(made.stream_id, loan(2));
  const { latest_checkpoint_id: second } = await client.witnessed(made.stream_id, 2);
  const { database } = server.service.context;
  const { ServiceLogJob } = await import("../../src/service-log/service-log.ts");
  await Promise.all(server.service.jobs.map((job) => job.stop()));
  const { Lease } = await import("@svc/host/jobs");
  const lease = new Lease(server.service.context, "service-log");
  const work = async (intervalMs: number) => {
    const job = new ServiceLogJob(server.service.context, intervalMs);
    assert.ok(await lease.acquire());
    await job.work(lease, new AbortController().signal);
    assert.equal(await job.hasWork(), false);
    await lease.release();
    return (await client.get("/v2/anchors/latest")).body.epoch_no;
  };
  assert.equal(await work(3_600_000), 1);
  assert.equal((await client.get(`/v2/anchors/latest?checkpoint=${second}`)).status, 404);
  assert.equal(await work(0), 2);
  const before = database.commits;
  assert.equal(await work(0), 2);
  assert.ok(database.commits - before <= 2, "the lease alone");
});

test("packs, exports and receipts carry the newest epoch, and wait for none; proof-state says how far", async (t) => {
  const { client, made } = await startServer(t, OFTEN);
  const { stream_id } = made;
  const { body: record } = await client.append(stream_id, loan(1));
  const { latest_checkpoint_id } = await client.witnessed(stream_id, 1);
  await epochOver(client, latest_checkpoint_id);
  assert.equal((await client.get(`/v2/streams/${stream_id}/proof-state`)).body.published_to_seq_no, 1);
  const range = { stream_id, from_seq_no: 1, to_seq_no: 1 };
  const key = { "idempotency-key": "one" };
  const pack = await client.post("/v2/audit/packs", range, key);
  const { checks } = assertVerified(pack.text, made.public_key_hex, "bundle");
  assert.equal(checks.find(({ id }) => id === "anchor")?.status, "pass");
  const [anchor, ...others] = pack.body.artifacts["anchors.json"];
  assert.deepEqual([anchor.members[0].checkpoint_id, others], [latest_checkpoint_id, []]);
  const portable = await client.get(`/v2/receipts/${record.stream_event_id}?portable=true`);
  assertVerified(portable.text, made.public_key_hex, "portable-receipt");
  assert.equal(portable.body.anchor.anchor_epoch_id, anchor.anchor_epoch_id);

  await client.append(stream_id, loan(2));
  const { latest_checkpoint_id: second } = await client.witnessed(stream_id, 2);
  const newer = await epochOver(client, second);
  assert.ok(newer.epoch_no > anchor.epoch_no);
  assert.equal((await client.post("/v2/audit/packs", range, key)).text, pack.text);
  const again = await client.post("/v2/audit/packs", range);
  assert.ok(again.body.artifacts["anchors.json"][0].epoch_no >= newer.epoch_no);
  assert.equal(report(again.text, made.public_key_hex).verdict, "verified");
});
