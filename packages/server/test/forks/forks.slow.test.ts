/**
 * Two copies of one deployment, as a stale backup makes them: objects signed by one show at the other that there are
 * two histories.
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { checkpointText, ED25519_LINE, encodeNote, noteKeyId } from "@svc/core";
import { command } from "@svc/testkit/server/child-process";
import { type Answer, Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { type Made, makeDeployment, startServer } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";
import { kernel } from "../../src/kernel.ts";
import { changeMemory } from "../witness-memory/change-memory.ts";
import { copies } from "./copies.ts";

const forksOf = (client: Client, { stream_id }: Made, query = "") =>
  client.get(`/v2/streams/${stream_id}/forks${query}`);

test("a receipt of another history becomes evidence, once", async (t) => {
  const { made, original, restored } = await copies(t);
  const lost = await original.append(made.stream_id, loan(2), "loan-2");
  assert.equal((await restored.post("/v2/verify", lost.text)).body.verdict, "verified");
  assert.deepEqual((await forksOf(restored, made)).body.items, [], "a history that is merely shorter is no other one");

  await restored.append(made.stream_id, loan(3), "loan-3");
  const { payload: _payload, payload_salt: _salt, ...redacted } = lost.body;
  const before = await original.post("/v2/verify", lost.text);
  for (const [path, body] of [
    ["/v2/verify", lost.text],
    ["/v2/verify/receipt", lost.text],
    ["/v2/verify", redacted],
  ] as const) {
    const answer = await restored.post(path, body);
    assert.deepEqual(Object.keys(answer.body), Object.keys(before.body), "the report and nothing else");
    assert.equal(answer.body.verdict, "verified");
  }
  const { items, next_cursor } = (await forksOf(restored, made)).body;
  assert.deepEqual([items.length, next_cursor, items[0].kind, items[0].stream_id], [1, null, "head", made.stream_id]);
  assertVerified(JSON.stringify(items[0]), made.public_key_hex, "fork");
  assert.ok(!JSON.stringify(items).includes("applicant"), "a payload could not be erased here");
  assert.deepEqual((await forksOf(original, made)).body.items, []);
});

test("windows, checkpoints, portable receipts and bundles of another history become evidence, in pages", async (t) => {
  const { made, original, restored } = await copies(t);
  const { stream_id } = made;
  const sealed = async (client: Client, number: number) => {
    const { body } = await client.append(stream_id, loan(number), `loan-${number}`);
    const state = await client.witnessed(stream_id, 2);
    return { eventId: body.stream_event_id as string, state };
  };
  const [lost] = [await sealed(original, 2), await sealed(restored, 3)];
  const objects: [kind: string, Answer][] = [
    ["window", await original.get(`/v2/windows/${lost.state.latest_window_id}?leaves=true`)],
    ["checkpoint", await original.get(`/v2/checkpoints/${lost.state.latest_checkpoint_id}`)],
    ["portable-receipt", await original.get(`/v2/receipts/${lost.eventId}?portable=true`)],
    ["bundle", await original.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no: 2 })],
  ];
  for (const [kind, { text }] of objects) {
    for (const _ of ["first", "again"]) {
      const { body } = await restored.post("/v2/verify", text);
      assert.deepEqual([body.verdict, body.kind], ["verified", kind]);
    }
  }
  const whole = (await forksOf(restored, made)).body.items;
  assert.deepEqual(
    whole.map(({ kind }: { kind: string }) => kind),
    ["head", "head", "head"],
    "of the window, of the checkpoint, and of the receipt, which the bundle has too",
  );
  for (const fork of whole) assertVerified(JSON.stringify(fork), made.public_key_hex, "fork");

  const first = (await forksOf(restored, made, "?limit=2")).body;
  const second = (await forksOf(restored, made, `?limit=2&cursor=${first.next_cursor}`)).body;
  assert.deepEqual([[...first.items, ...second.items], second.next_cursor], [whole, null]);
});

for (const which of ["earlier", "later"] as const)
  test(`the ${which} one of two checkpoints that are handed in together convicts, where our stream has got to it`, async (t) => {
    const { made, original, restored } = await copies(t);
    const { stream_id } = made;
    const checkpointAt = async (client: Client, seqNo: number) =>
      (await client.witnessed(stream_id, seqNo)).latest_checkpoint_id as string;
    const sealed = async (client: Client, seqNo: number, number = seqNo) => {
      await client.append(stream_id, loan(number), `loan-${number}`);
      return checkpointAt(client, seqNo);
    };
    // Both copies have the one over event 1; the restored copy has none over event 3.
    const common = await checkpointAt(original, 1);
    const second = await sealed(original, 2);
    const [from, to] = which === "earlier" ? [second, await sealed(original, 3)] : [common, second];
    await sealed(restored, 2, 4);
    const { text } = await original.get(`/v2/checkpoints/${to}/consistency?from=${from}`);
    const { body } = await restored.post("/v2/verify", text);
    assert.deepEqual([body.verdict, body.kind], ["verified", "consistency"]);
    const { items } = (await forksOf(restored, made)).body;
    assert.equal(items.length, 1);
    assertVerified(JSON.stringify(items[0]), made.public_key_hex, "fork");
  });

test("a bundle of many events convicts as a small one does, whether it goes further than the stream or not so far", async (t) => {
  const { made, original, restored } = await copies(t);
  const { stream_id } = made;
  const events = (from: number, count: number) => Array.from({ length: count }, (_, index) => loan(from + index));
  for (const [client, from, count] of [
    [original, 1_000, 400],
    [restored, 2_000, 350],
  ] as const) {
    await client.appendBatch(stream_id, events(from, count));
    await client.witnessed(stream_id, count + 1);
  }
  const packOf = async (client: Client, to_seq_no: number) => {
    const { text } = await client.post("/v2/audit/packs", {
      stream_id,
      from_seq_no: 1,
      to_seq_no,
      payloads: "redacted",
    });
    assert.ok(text.length > 256 * 1024);
    return text;
  };
  for (const [shown, to, seen] of [
    [await packOf(original, 401), "longer", restored],
    [await packOf(restored, 351), "shorter", original],
  ] as const) {
    assert.equal((await seen.post("/v2/verify", shown)).body.verdict, "verified");
    const { items } = (await forksOf(seen, made)).body;
    assert.ok(items.length > 0, `a ${to} history was shown`);
    for (const fork of items) assertVerified(JSON.stringify(fork), made.public_key_hex, "fork");
  }
});

test("one side by the old key and one by its successor: the evidence verifies with the old one pinned", async (t) => {
  const { made, original, restored } = await copies(t);
  const lost = await restored.append(made.stream_id, loan(2), "loan-2");
  assert.equal((await command(["keys", "rotate-signing", "--data", made.data_folder])).code, 0);
  const { body: own } = await original.append(made.stream_id, loan(3), "loan-3");
  assert.notEqual(own.receipt.kid, lost.body.receipt.kid);
  assert.equal((await original.post("/v2/verify", lost.text)).body.verdict, "verified");
  const { items } = (await forksOf(original, made)).body;
  assert.deepEqual([items.length, items[0].kind, items[0].key_endorsements.length], [1, "head", 1]);
  assertVerified(JSON.stringify(items[0]), made.public_key_hex, "fork");
});

test("nobody but the service itself can make evidence, and nobody else's key reads it", async (t) => {
  const { made, original, restored } = await copies(t);
  const lost = await original.append(made.stream_id, loan(2), "loan-2");
  await restored.append(made.stream_id, loan(3), "loan-3");
  const stranger = await makeDeployment(join(temporaryFolder(), "data"));
  const forged = [
    { ...lost.body, payload: { amount: 1 } },
    { ...lost.body, receipt: { ...lost.body.receipt, kid: stranger.kid } },
    { ...lost.body, event_hash: "ab".repeat(32) },
  ];
  for (const body of forged) assert.equal((await restored.post("/v2/verify", body)).body.ok, false);
  assert.deepEqual((await forksOf(restored, made)).body.items, []);
  const { status, body } = await forksOf(new Client(restored.url, "svc_sk_nobody"), made);
  assert.deepEqual([status, body.detail.code], [401, "unauthorized"]);
  assert.equal((await restored.get("/v2/streams/str_01k3c0h7wz0000000000000000/forks")).status, 404);
});

test("a checkpoint that contradicts what the managed witness cosigned becomes evidence, once", async (t) => {
  const { client, made, server } = await startServer(t);
  const { database, signingKey } = server.service.context;
  const signer = await database.read((reader) => signingKey.current(reader));
  await client.append(made.stream_id, loan(1), "loan-1");
  await client.witnessed(made.stream_id, 1);
  // The witness seems to have cosigned another tree of one window, which the service had sealed before its database was
  // restored.
  const origin = `${made.origin}/${made.stream_id}`;
  const text = checkpointText(origin, 1, new Uint8Array(32));
  const signature = await signer.sign(Buffer.from(text));
  const keyId = noteKeyId(kernel, origin, ED25519_LINE, signer.publicKeyHex);
  const note = encodeNote(text, [{ name: origin, keyId, signature }]);
  const forged = JSON.stringify(["00".repeat(32)]);
  changeMemory(made.data_folder, "UPDATE signed SET signed_note = ?, frontier = ?", note, forged);
  await database.write(async (writer) => {
    await writer.run("DELETE FROM witness_statements");
    await writer.run("UPDATE outbox SET done_at = NULL, next_attempt_at = created_at");
  });
  const found = async () => {
    const { items } = (await forksOf(client, made)).body;
    return items.length > 0 ? items : null;
  };
  const [fork] = await until("the contradiction is kept", found);
  assert.deepEqual([fork.kind, fork.left], ["note", note]);
  assertVerified(JSON.stringify(fork), made.public_key_hex, "fork");
  await until("the witness has refused again", async () => {
    const open = await database.read((reader) => reader.first("SELECT 1 FROM outbox WHERE attempts > 1"));
    return open === null ? null : true;
  });
  assert.equal((await forksOf(client, made)).body.items.length, 1);
});
