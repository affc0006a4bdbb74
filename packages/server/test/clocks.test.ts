/** Clocks that are set back: evidence still verifies, sealing goes on at once, and leases and errands do not wait for the old time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { normalizedUtc, serviceTime } from "@svc/host/clock";
import { enqueue, Lease, LeasedLoop, LeaseLost, runDueErrands } from "@svc/host/jobs";
import { assertVerified, loan, startServer, until } from "./running-server.ts";

const HOUR_MS = 3_600_000;

test("normalized times are in the order of time as texts, also where an offset reaches over the first or the last year", () => {
  const inOrder = [
    "0000-01-01T00:00:00+14:00",
    "0000-01-01T00:00:00+00:01",
    "0000-01-01T00:00:00Z",
    "0000-01-01T00:00:00.000000001Z",
    "2026-03-01T10:15:30.5+01:00",
    "2026-03-01T09:15:30.500000001Z",
    "9999-12-31T23:59:59.999999999Z",
    "9999-12-31T23:59:59.5-00:01",
    "9999-12-31T23:59:59-14:00",
  ].map(normalizedUtc);
  assert.deepEqual(inOrder.toSorted(), inOrder);
  assert.equal(new Set(inOrder).size, inOrder.length);
  assert.equal(normalizedUtc("2026-03-01T10:15:30.5+01:00"), "2026-03-01T09:15:30.500000000Z");
});

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

    const { created_at } = await server.service.ground.database.read(async (reader) => {
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
  const { database } = server.service.ground;
  const limit = (validTo: number) =>
    database.write(async (writer) => {
      const row = await writer.first<{ document: string }>("SELECT document FROM witness_policies");
      const policy = JSON.parse(row?.document ?? "");
      policy.witnessKeys[0].valid_to = serviceTime(validTo);
      await writer.run("UPDATE witness_policies SET document = $1", JSON.stringify(policy));
    });
  const sealed = (to: number) =>
    until(`event ${to} is under a checkpoint, and its errand done`, async () => {
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

test("a lease from before the clock went back is taken over, and its holder can no longer write", async (t) => {
  const { server } = await startServer(t);
  const { database } = server.service.ground;
  let now = 10 * HOUR_MS;
  const [first, second] = [0, 1].map(() => new Lease({ database, clock: () => now }, "job"));
  assert.ok(first !== undefined && second !== undefined);
  assert.equal(await first.acquire(), true);
  assert.equal(await second.acquire(), false);
  now -= HOUR_MS;
  assert.equal(await second.acquire(), true);
  await assert.rejects(
    database.write((writer) => first.hold(writer)),
    LeaseLost,
  );
});

test("an errand put off further than any backoff is due", async (t) => {
  const { server, made } = await startServer(t);
  const { database } = server.service.ground;
  let now = 10 * HOUR_MS;
  const ground = { database, clock: () => now };
  for (const [subject, aheadMs] of [
    ["soon", 300_000],
    ["never", 300_001],
  ] as const)
    await database.write((writer) => enqueue(writer, made.tenant_id, "test", subject, {}, serviceTime(now + aheadMs)));
  const lease = new Lease(ground, "job");
  await lease.acquire();
  const done: string[] = [];
  const round = () =>
    runDueErrands(ground, "test", lease, new AbortController().signal, {
      run: async (_writer, { subject }) => void done.push(subject),
      onError: (error) => assert.fail(String(error)),
    });
  await round();
  assert.deepEqual(done, ["never"]);
  now += 300_000;
  await round();
  assert.deepEqual(done, ["never", "soon"]);
});

test("a nudge that arrives during work counts for the next round", async (t) => {
  const { server } = await startServer(t);
  let rounds = 0;
  const loop: LeasedLoop = new LeasedLoop(server.service.ground, {
    jobName: "nudged",
    // Only a nudge can start a round within the test's time.
    intervalMs: HOUR_MS,
    hasWork: async () => true,
    work: async () => {
      rounds += 1;
      if (rounds < 5) loop.nudge();
    },
    onError: (error) => assert.fail(String(error)),
  });
  loop.start();
  try {
    await until("five rounds", async () => (rounds === 5 ? true : null));
  } finally {
    await loop.stop();
  }
});
