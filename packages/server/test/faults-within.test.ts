/** Faults that no request can cause: rows changed behind the server's back, and the server's answers then. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_PACK_EVENTS } from "@svc/api/limits";
import { changeDocuments, runSql } from "@svc/testkit/server/changed-rows";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";

test("the answer to an unforeseen failure has its request id, and no details", async (t) => {
  const here = await startServer(t);
  const { client, made } = here;
  await runSql(here, "ALTER TABLE events RENAME COLUMN event_type TO hidden_type");
  const { status, body, headers } = await client.get(`/v2/streams/${made.stream_id}/events`);
  assert.deepEqual([status, body.detail.code], [500, "internal_error"]);
  assert.equal(body.detail.request_id, headers.get("x-request-id"));
  assert.deepEqual(Object.keys(body.detail), ["code", "message", "request_id"]);
  assert.doesNotMatch(body.detail.message, /events|SQL|table/i);
});

test("a stream of class lifecycle takes no events", async (t) => {
  const here = await startServer(t);
  const { client, made } = here;
  await runSql(here, "UPDATE streams SET class = 'lifecycle'");
  const { status, body } = await client.append(made.stream_id, loan(1));
  assert.deepEqual([status, body.detail.code], [403, "stream_class_closed"]);
});

test("a pack of more events than fit is refused before they are read", async (t) => {
  const here = await startServer(t);
  const { client, made } = here;
  const { stream_id } = made;
  await client.append(stream_id, loan(1));
  await client.witnessed(stream_id, 1);
  const request = { stream_id, from_seq_no: 1, to_seq_no: 1 };
  const claim = (events: number) => changeDocuments(here, "checkpoints", () => ({ to_seq_no: events }));
  await claim(MAX_PACK_EVENTS + 1);
  const { status, body } = await client.post("/v2/audit/packs", request);
  assert.deepEqual([status, body.detail.code], [422, "range_too_large"]);
  // The pack begins to read as many events as fit; they do not exist, so nothing of the pack leaves.
  await claim(MAX_PACK_EVENTS);
  const missing = await client.post("/v2/audit/packs", request);
  assert.deepEqual([missing.status, missing.body.detail.code], [500, "internal_error"]);
});
