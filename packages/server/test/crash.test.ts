/** A server that is killed in the middle of its writes loses no event that it has acknowledged. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { startChild } from "@svc/testkit/server/child-process";
import { type Answer, Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";

const WRITERS = 8;
const RECEIPTS_BEFORE_THE_KILL = 150;
const EVENTS_AFTER = 20;

test("kill -9 between appends: every receipt is still there, the chain goes on, the pack verifies", async (t) => {
  const folder = join(temporaryFolder(), "data");
  const made = await makeDeployment(folder);
  const key = made.api_key ?? "";
  const first = await startChild(t, folder);
  const received = new Map<string, string>();
  const unanswered: { number: number; key: string }[] = [];
  let killed = false;
  const write = async (writer: number) => {
    const client = new Client(first.url, key);
    for (let number = 1; !killed; number++) {
      const idempotencyKey = `${writer}-${number}`;
      try {
        const { status, body, text } = await client.append(made.stream_id, loan(number), idempotencyKey);
        assert.equal(status, 201);
        received.set(body.stream_event_id, text);
      } catch (error) {
        if (!killed) throw error;
        unanswered.push({ number, key: idempotencyKey });
      }
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, index) => write(index));
  await until("enough receipts", async () => (received.size >= RECEIPTS_BEFORE_THE_KILL ? true : null));
  killed = true;
  assert.equal(await first.end("SIGKILL"), null);
  await Promise.all(writers);

  const second = await startChild(t, folder);
  const client = new Client(second.url, key);
  for (const [eventId, text] of received) assert.equal((await client.get(`/v2/receipts/${eventId}`)).text, text);
  const { body: head } = await client.get(`/v2/streams/${made.stream_id}/head`);
  assert.ok(head.seq_no >= received.size);

  // A request that was interrupted is one event, whether it had been recorded or not.
  const retried: Answer[] = [];
  for (const { number, key: again } of unanswered) {
    retried.push(await client.append(made.stream_id, loan(number), again));
    assert.equal((await client.append(made.stream_id, loan(number), again)).text, retried.at(-1)?.text);
  }
  for (let number = 0; number < EVENTS_AFTER; number++) {
    const { text, body } = await client.append(made.stream_id, loan(number));
    received.set(body.stream_event_id, text);
  }
  for (const { body, text } of retried) received.set(body.stream_event_id, text);

  const last = (await client.get(`/v2/streams/${made.stream_id}/head`)).body.seq_no;
  await client.witnessed(made.stream_id, last);
  const request = { stream_id: made.stream_id, from_seq_no: 1, to_seq_no: last };
  const pack = await client.post("/v2/audit/packs", request);
  const { assurance } = assertVerified(pack.text, made.public_key_hex, "bundle");
  assert.deepEqual([assurance.complete, assurance.redacted], [true, 0]);
  const bundled = new Map<string, { event_hash: string }>();
  for (const record of pack.body.artifacts["receipts.json"]) bundled.set(record.stream_event_id, record);
  assert.equal(bundled.size, last);
  assert.equal(received.size, last, "each request is one event, and no other events are there");
  for (const [eventId, text] of received) assert.equal(bundled.get(eventId)?.event_hash, JSON.parse(text).event_hash);

  assert.equal(await second.end("SIGTERM"), 0);
});
