/** The ledger of a trial notices each violation, made on purpose. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import type { Bundle, PublicKeyHex } from "../../../packages/core/src/index.ts";
import { Ledger } from "../ledger.ts";
import type { Write } from "../requests.ts";
import { Seeded } from "../seeded.ts";
import { Violation } from "../violation.ts";

const NOBODY = "00".repeat(32) as PublicKeyHex;

const request = (streamId: string, changes: Partial<Write> = {}): Write => ({
  kind: "append",
  streamId,
  path: "/append",
  body: "{}",
  idempotencyKey: "key",
  eventId: null,
  ...changes,
});

function violates(words: RegExp) {
  return (error: unknown) => error instanceof Violation && words.test(error.message);
}

test("a number given out twice, one given out to nobody, and one that was never there", () => {
  const record = (seq_no: number, event_hash: string, received_at = "2026-03-01T00:00:00.000Z") =>
    JSON.stringify({ stream_id: "s", stream_event_id: `e${seq_no}`, seq_no, event_hash, received_at });
  const ledger = new Ledger(NOBODY);
  const take = (text: string) => ledger.take(request("s"), { status: 201, text });
  take(record(1, "a"));
  take(record(1, "a"));
  assert.throws(() => take(record(1, "b")), violates(/number 1 of s was given out twice/));
  ledger.mustReach("s", 1);
  assert.throws(() => ledger.mustReach("s", 2), violates(/event 2 of s, whose head is 2, was recorded for nobody/));
  take(record(3, "c"));
  assert.throws(() => ledger.mustReach("s", 1), violates(/2 events of s were acknowledged, and its head is 1/));
  ledger.mustHold("s", 3, "c");
  assert.throws(() => ledger.mustHold("s", 3, "d"), violates(/event 3 of s was read with the hash d/));
  assert.throws(() => ledger.mustHold("s", 4, "d"), violates(/event 4 of s was read with the hash d/));
  take(record(2, "b", "2026-02-28T00:00:00.000Z"));
  assert.throws(() => ledger.mustReach("s", 3), violates(/event 2 of s was received before/));
  assert.throws(() => ledger.settle(), violates(/a receipt is rejected/));
  assert.throws(() => ledger.take(request("s"), { status: 500, text: "{}" }), violates(/answered with 500/));
});

test("a receipt that is not served as it was, and a payload that is back", () => {
  const ledger = new Ledger(NOBODY);
  const event = { eventId: "e", seqNo: 1, hash: "a", receivedAt: "", text: '{"event_hash":"a","payload":{}}' };
  ledger.mustBe(event, event.text);
  assert.throws(() => ledger.mustBe(event, '{"event_hash":"a"}'), violates(/the receipt of e was/));
  ledger.take(request("s", { kind: "erase", eventId: "e" }), null);
  ledger.mustBe(event, '{"event_hash":"a"}');
  ledger.mustBe(event, event.text);
  assert.throws(() => ledger.mustBe(event, '{"event_hash":"b"}'), violates(/another hash/));
  ledger.take(request("s", { kind: "erase", eventId: "e" }), { status: 200, text: "{}" });
  assert.throws(() => ledger.mustBe(event, event.text), violates(/is back/));
});

test("a bundle with another event, and checkpoints of two histories", async (t) => {
  const { client, made } = await startServer(t);
  const { stream_id } = made;
  const { text, body } = await client.append(stream_id, loan(1));
  await client.witnessed(stream_id, 1);
  const pack = await client.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no: 1 });
  const ledger = new Ledger(made.public_key_hex);
  ledger.take(request(stream_id), { status: 201, text });
  ledger.bundle(stream_id, pack.text);
  ledger.settle();
  const other = new Ledger(made.public_key_hex);
  other.take(request(stream_id), { status: 201, text: JSON.stringify({ ...body, event_hash: "0".repeat(64) }) });
  assert.throws(() => other.bundle(stream_id, pack.text), violates(/a bundle has another event 1/));
  const bundle: Bundle = JSON.parse(pack.text);
  bundle.artifacts["receipts.json"].pop();
  assert.throws(() => ledger.bundle(stream_id, JSON.stringify(bundle)), violates(/a bundle is rejected/));

  const file = new URL("../../../fixtures/cases/fork/good-checkpoint-same-number.json", import.meta.url);
  const { trust, input } = JSON.parse(readFileSync(file, "utf8"));
  const { left, right } = JSON.parse(input);
  const split = new Ledger(trust.signers[0].public_key_hex);
  split.evidence("s", JSON.stringify(left));
  split.evidence("s", JSON.stringify(left));
  assert.throws(() => split.evidence("s", JSON.stringify(right)), violates(/contradict each other/));
});

test("chance comes again with its seed", () => {
  const draw = (seed: number) =>
    Array.from({ length: 5 }, (_, index, random = new Seeded(seed + index)) => random.whole(1, 1000));
  assert.deepEqual(draw(7), draw(7));
  assert.notDeepEqual(draw(7), draw(8));
});
