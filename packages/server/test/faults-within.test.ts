/** Faults that no request can cause: rows changed behind the server's back, and the server's answers then. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { MAX_PACK_EVENTS } from "@svc/api/limits";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";

function change(dataFolder: string, sql: string): void {
  const database = new DatabaseSync(join(dataFolder, "svc.db"));
  database.exec(sql);
  database.close();
}

test("a failure that nothing foresees is told by its request id, and by nothing else", async (t) => {
  const { client, made } = await startServer(t);
  change(made.data_folder, "ALTER TABLE events RENAME TO hidden_events");
  const { status, body, headers } = await client.get(`/v2/streams/${made.stream_id}/events`);
  assert.deepEqual([status, body.detail.code], [500, "internal_error"]);
  assert.equal(body.detail.request_id, headers.get("x-request-id"));
  assert.deepEqual(Object.keys(body.detail), ["code", "message", "request_id"]);
  assert.doesNotMatch(body.detail.message, /events|SQL|table/i);
});

test("a stream of class lifecycle takes no events", async (t) => {
  const { client, made } = await startServer(t);
  change(made.data_folder, "UPDATE streams SET class = 'lifecycle'");
  const { status, body } = await client.append(made.stream_id, loan(1));
  assert.deepEqual([status, body.detail.code], [403, "stream_class_closed"]);
});

test("a pack of more events than fit is refused before they are read", async (t) => {
  const { client, made } = await startServer(t);
  const { stream_id } = made;
  await client.append(stream_id, loan(1));
  await client.witnessed(stream_id, 1);
  const request = { stream_id, from_seq_no: 1, to_seq_no: 1 };
  const claim = (events: number) =>
    change(made.data_folder, `UPDATE checkpoints SET document = json_set(document, '$.to_seq_no', ${events})`);
  claim(MAX_PACK_EVENTS + 1);
  const { status, body } = await client.post("/v2/audit/packs", request);
  assert.deepEqual([status, body.detail.code], [422, "range_too_large"]);
  // The pack begins to read as many events as fit; they do not exist, so nothing of the pack leaves.
  claim(MAX_PACK_EVENTS);
  const missing = await client.post("/v2/audit/packs", request);
  assert.deepEqual([missing.status, missing.body.detail.code], [500, "internal_error"]);
});
