/** When the sealer looks before its interval is over: a window is full, or somebody demands a seal. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";
import { DEFAULT_POLICY_ID } from "../../src/policies/default-policy.ts";
import { newestPolicy } from "../../src/policies/policies-store.ts";
import { recorded } from "../../src/streams/recorded.ts";

/** Longer than any test waits. */
const sealIntervalMs = 60_000;
const loans = (count: number) => Array.from({ length: count }, (_, index) => loan(index + 1));

test("a window that is full is closed at once, and what fills none waits for its time", async (t) => {
  const { client, made, server } = await startServer(t, { sealIntervalMs });
  const { channel, database } = server.service.context;
  const told: boolean[] = [];
  channel.subscribe(recorded, ({ isWindowFull }) => told.push(isWindowFull));
  const { stream_id } = made;
  const version = await database.read((reader) => newestPolicy(reader, null, DEFAULT_POLICY_ID));
  const most = version?.policy.window_max_events ?? assert.fail();
  await client.appendBatch(stream_id, loans(most - 1));
  await client.append(stream_id, loan(most));
  assert.deepEqual(told, [false, true]);
  await until("the full window is closed", async () => {
    const { body } = await client.get(`/v2/streams/${stream_id}/proof-state`);
    return body.windowed_to_seq_no === most ? true : null;
  });
  // The windows count anew behind it.
  await client.append(stream_id, loan(most + 1));
  assert.deepEqual(told, [false, true, false]);
});
