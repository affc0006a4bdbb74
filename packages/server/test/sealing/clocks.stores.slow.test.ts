/** Clocks that are set back: evidence still verifies, and sealing continues at once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { serviceTime } from "@svc/host/clock";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { until } from "@svc/testkit/until";

const HOUR_MS = 3_600_000;

for (const backMs of [5_000, HOUR_MS]) {
  test(`a clock set back ${backMs} ms right after init: the pack verifies`, async (t) => {
    const { client, made, server } = await startServer(t, {}, () => Date.now() - backMs);
    const { stream_id } = made;
    const { body: record } = await client.append(stream_id, loan(1));
    await client.witnessed(stream_id, 1);
    const { status, text, body } = await client.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no: 1 });
    assert.equal(status, 201);
    const { assurance } = assertVerified(text, made.public_key_hex, "bundle");
    assert.deepEqual(assurance.witnessed, { required: 1, valid: 1, pinned: 0 });

    const { created_at } = await server.service.context.database.read(async (reader) => {
      const row = await reader.first<{ created_at: string }>("SELECT created_at FROM streams");
      assert.ok(row !== null);
      return row;
    });
    const [policy] = body.artifacts["witnesses.json"].witness_policies;
    const [window] = body.artifacts["windows.json"];
    for (const time of [record.received_at, window.closed_at])
      assert.ok(time >= created_at && time >= policy.declared_at, time);
    const [statement] = body.artifacts["witnesses.json"].statements;
    assert.ok(statement.cosigned_at * 1000 >= Date.parse(policy.witnessKeys[0].valid_from));
  });
}

test("a clock that goes back while events wait does not stop sealing", async (t) => {
  let offsetMs = 0;
  const { client, made } = await startServer(t, {}, () => Date.now() + offsetMs);
  const { stream_id } = made;
  await client.append(stream_id, loan(1));
  offsetMs = -HOUR_MS;
  await client.witnessed(stream_id, 1);
  await client.append(stream_id, loan(2));
  await client.witnessed(stream_id, 2);
  offsetMs = -2 * HOUR_MS;
  await client.append(stream_id, loan(3));
  await client.witnessed(stream_id, 3);
  const { text } = await client.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no: 3 });
  assertVerified(text, made.public_key_hex, "bundle");
});

test("a witness key whose time is over by the time of the cosignature cosigns nothing; the last second is included", async (t) => {
  const start = Math.ceil(Date.now() / 1000) * 1000 + 10_000;
  let now = start;
  const { client, made, server } = await startServer(t, {}, () => now);
  const { database } = server.service.context;
  const limit = (validTo: number) =>
    database.write(async (writer) => {
      const row = await writer.first<{ document: string }>("SELECT document FROM witness_policies");
      const policy = JSON.parse(row?.document ?? "");
      policy.witnessKeys[0].valid_to = serviceTime(validTo);
      await writer.run("UPDATE witness_policies SET document = $1", JSON.stringify(policy));
    });
  const sealed = (to: number) =>
    until(`event ${to} is under a checkpoint, and its outbox message done`, async () => {
      const stream = await database.read((reader) =>
        reader.first("SELECT 1 FROM streams WHERE checkpointed_to_seq_no >= $1", to),
      );
      const open = await database.read((reader) => reader.first("SELECT 1 FROM outbox WHERE done_at IS NULL"));
      return stream !== null && open === null ? true : null;
    });
  const statements = async () =>
    (await database.read((reader) => reader.all("SELECT 1 FROM witness_statements"))).length;

  await limit(start);
  await client.appendBatch(
    made.stream_id,
    Array.from({ length: 256 }, (_, index) => loan(index)),
  );
  await sealed(256);
  assert.equal(await statements(), 1, "valid_to is included");
  now = start + 1_000;
  await client.appendBatch(
    made.stream_id,
    Array.from({ length: 256 }, (_, index) => loan(index)),
  );
  await sealed(512);
  assert.equal(await statements(), 1);
});
