/**
 * Two services on one database, as two processes would have it: neither may fork a stream, seal twice, or count a key
 * twice.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { WriteConflict, type Writer } from "@svc/host/store";
import { Client } from "@svc/testkit/server/client";
import { configOf } from "@svc/testkit/server/folder-database";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { kernel } from "../src/kernel.ts";
import { serve } from "../src/serving/serve.ts";
import { findStream, moveCheckpoints, moveHeads, moveWindows } from "../src/streams/streams-store.ts";
import { THIN_SERVER } from "../src/thin-server/program.ts";

test("two servers on one database append to one chain and seal it once", async (t) => {
  const { client, made } = await startServer(t);
  const environment = {
    SVC_LOG_LEVEL: "silent",
    SVC_SEAL_INTERVAL_MS: "20",
    SVC_PORT: "0",
    SVC_DATA: made.data_folder,
  };
  const second = await serve(THIN_SERVER, await configOf(environment), { kernel });
  t.after(() => second.close());
  const clients = [client, new Client(second.url, client.key)];
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      clients[index % 2]?.append(made.stream_id, loan(index), `event-${index >> 1}-${index % 2}`),
    ),
  );
  const numbers = answers.map((answer) => answer?.body.seq_no).sort((a, b) => a - b);
  assert.deepEqual(
    numbers,
    Array.from({ length: 300 }, (_, index) => index + 1),
  );

  const repeated = await Promise.all(
    Array.from({ length: 20 }, (_, index) => clients[index % 2]?.append(made.stream_id, loan(1), "one-key-on-both")),
  );
  assert.deepEqual(new Set(repeated.map((answer) => answer?.status)), new Set([201]));
  assert.equal(new Set(repeated.map((answer) => answer?.text)).size, 1);

  await client.witnessed(made.stream_id, 301);
  const request = { stream_id: made.stream_id, from_seq_no: 1, to_seq_no: 301 };
  const pack = await clients[1]?.post("/v2/audit/packs", request);
  const { assurance } = assertVerified(pack?.text ?? "", made.public_key_hex, "bundle");
  assert.equal(assurance.complete, true);
});

test("a head, windows or checkpoints moved from an outdated state are a conflict", async (t) => {
  const { client, made, server } = await startServer(t);
  const { database } = server.service.context;
  const stale = await database.read((reader) => findStream(reader, made.tenant_id, made.stream_id));
  assert.ok(stale !== null);
  await client.append(made.stream_id, loan(1));
  await client.witnessed(made.stream_id, 1);
  const head = { seqNo: 1, eventHash: stale.head_event_hash, receivedAt: made.origin };
  const moves: ((writer: Writer) => Promise<unknown>)[] = [
    (writer) => moveHeads(writer, [{ ...head, stream: stale }]),
    (writer) => moveWindows(writer, stale, { toSeqNo: 1, unwindowedSince: null, closedAt: "" }),
    (writer) => moveCheckpoints(writer, stale, { windowCount: 1, toSeqNo: 1, createdAt: "" }),
  ];
  for (const move of moves) await assert.rejects(database.write(move), WriteConflict);
});
