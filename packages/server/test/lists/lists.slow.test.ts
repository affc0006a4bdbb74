/** Lists: whole over their pages, the same while items are added behind them, and only of the key's streams. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseNote } from "@svc/core";
import type { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";

// biome-ignore lint/suspicious/noExplicitAny: items are read by the members that the test expects
async function all(client: Client, path: string, limit: number, onPage?: () => Promise<unknown>): Promise<any[]> {
  const items = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { status, body } = await client.get(`${path}?limit=${limit}${cursor === "" ? "" : `&cursor=${cursor}`}`);
    assert.equal(status, 200);
    assert.ok(body.items.length <= limit);
    items.push(...body.items);
    cursor = body.next_cursor;
    await onPage?.();
  }
  return items;
}

test("events come in order, page by page, none twice and none left out while more are appended", async (t) => {
  const { client, made } = await startServer(t);
  await client.appendBatch(
    made.stream_id,
    [1, 2, 3, 4, 5, 6, 7].map((number) => loan(number)),
  );
  let more = 8;
  const append = async () => (more <= 10 ? client.append(made.stream_id, loan(more++)) : undefined);
  const items = await all(client, `/v2/streams/${made.stream_id}/events`, 3, append);
  assert.deepEqual(
    items.map(({ seq_no }) => seq_no),
    // The tenth came after the last page had been read.
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
  assert.ok(items.every((item) => !("payload" in item) && !("payload_salt" in item)));
});

test("events are read from a number on, page by page", async (t) => {
  const { client, made } = await startServer(t);
  await client.appendBatch(
    made.stream_id,
    [1, 2, 3, 4, 5].map((number) => loan(number)),
  );
  const path = `/v2/streams/${made.stream_id}/events?limit=2&from_seq_no=`;
  const numbers = ({ body }: { body: { items: { seq_no: number }[] } }) => body.items.map(({ seq_no }) => seq_no);
  const first = await client.get(`${path}3`);
  const rest = await client.get(`${path}3&cursor=${first.body.next_cursor}`);
  assert.deepEqual([numbers(first), numbers(rest), rest.body.next_cursor], [[3, 4], [5], null]);
  assert.deepEqual((await client.get(`${path}6`)).body, { items: [], next_cursor: null });
  for (const wrong of ["0", "x", ""]) {
    const { status, body } = await client.get(`${path}${wrong}`);
    assert.deepEqual([status, body.detail.problems[0].path], [422, "?from_seq_no"]);
  }
});

test("events are found by type and by reference", async (t) => {
  const { client, made } = await startServer(t);
  await client.appendBatch(made.stream_id, [loan(1), loan(2, { event_type: "loan.paid" }), loan(3)]);
  const path = `/v2/streams/${made.stream_id}/events`;
  const paid = await client.get(`${path}?event_type=loan.paid`);
  assert.deepEqual(
    paid.body.items.map(({ seq_no }: { seq_no: number }) => seq_no),
    [2],
  );
  const reference = encodeURIComponent(loan(3).source_ref);
  const third = await client.get(`${path}?source_ref=${reference}&event_type=${loan(3).event_type}`);
  assert.deepEqual(
    third.body.items.map(({ seq_no }: { seq_no: number }) => seq_no),
    [3],
  );
  assert.deepEqual((await client.get(`${path}?event_type=nothing`)).body, { items: [], next_cursor: null });
});

test("streams, windows and checkpoints are listed whole", async (t) => {
  const { client, made } = await startServer(t);
  const ids = [made.stream_id];
  for (const use_case of ["a", "b", "a"]) {
    const request = { system_id: made.system_id, use_case, policy_id: "default", metadata: { use_case } };
    ids.push((await client.post("/v2/streams", request)).body.stream_id);
  }
  const streams = await all(client, "/v2/streams", 3);
  assert.deepEqual(
    streams.map(({ stream_id }) => stream_id),
    ids,
  );
  const ofA = await client.get("/v2/streams?use_case=a");
  assert.deepEqual(
    ofA.body.items.map(({ metadata }: { metadata: object }) => metadata),
    [{ use_case: "a" }, { use_case: "a" }],
  );
  for (const round of [1, 2, 3]) {
    await client.append(made.stream_id, loan(round));
    await client.witnessed(made.stream_id, round);
  }
  const windows = await all(client, `/v2/streams/${made.stream_id}/windows`, 2);
  assert.deepEqual(
    windows.map(({ window_no }) => window_no),
    [1, 2, 3],
  );
  assert.deepEqual((await client.get(`/v2/windows/${windows[1].window_id}`)).body, windows[1]);
  const checkpoints = await all(client, `/v2/streams/${made.stream_id}/checkpoints`, 1);
  assert.deepEqual(
    checkpoints.map(({ checkpoint_no }) => checkpoint_no),
    [1, 2, 3],
  );
});

test("a checkpoint's note carries the service's line and the witness's", async (t) => {
  const { client, made } = await startServer(t);
  await client.append(made.stream_id, loan(1));
  const { latest_checkpoint_id } = await client.witnessed(made.stream_id, 1);
  const { status, text, headers } = await client.get(`/v2/checkpoints/${latest_checkpoint_id}/note`);
  assert.deepEqual([status, headers.get("content-type")], [200, "text/plain; charset=utf-8"]);
  const { body: checkpoint } = await client.get(`/v2/checkpoints/${latest_checkpoint_id}`);
  assert.ok(text.startsWith(checkpoint.note));
  assert.equal(parseNote(text)?.lines.length, 2);
  const unknown = await client.get("/v2/checkpoints/chk_1/note");
  assert.deepEqual([unknown.status, unknown.body.detail.code], [404, "checkpoint_not_found"]);
});

test("a cursor or limit that no page gave is refused", async (t) => {
  const { client, made } = await startServer(t);
  for (const query of ["limit=0", "limit=501", "limit=1e1", "limit=", "cursor=%22", "cursor=YWJj", "cursor="]) {
    const { status, body } = await client.get(`/v2/streams/${made.stream_id}/events?${query}`);
    assert.deepEqual([status, body.detail.code], [422, "invalid_request"], query);
  }
  for (const cursor of ["xx", "YWJj", Buffer.from("str_none").toString("base64url")]) {
    const { status, body } = await client.get(`/v2/streams?cursor=${cursor}`);
    assert.deepEqual(
      [status, body.detail.code, body.detail.problems[0].path],
      [422, "invalid_request", "?cursor"],
      cursor,
    );
  }
});

test("a portable receipt proves its event by itself, once the proofs reach it", async (t) => {
  const { client, made } = await startServer(t, { sealIntervalMs: 60_000 });
  const { body: record } = await client.append(made.stream_id, loan(1));
  const path = `/v2/receipts/${record.stream_event_id}?portable=true`;
  const early = await client.get(path);
  assert.deepEqual([early.status, early.body.detail.code], [409, "evidence_missing"]);
});

test("a portable receipt verifies with the payload of its event", async (t) => {
  const { client, made } = await startServer(t);
  const { body } = await client.appendBatch(made.stream_id, [loan(1), loan(2), loan(3)]);
  await client.witnessed(made.stream_id, 3);
  const { status, text } = await client.get(`/v2/receipts/${body.receipts[1].stream_event_id}?portable=true`);
  assert.equal(status, 200);
  assertVerified(text, made.public_key_hex, "portable-receipt");
  assert.deepEqual(JSON.parse(text).receipt, body.receipts[1]);
});
