/** How long an Idempotency-Key is remembered, and that forgetting holds up nobody. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { serviceTime } from "@svc/host/clock";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";
import { findIdempotencyRecord } from "../../src/idempotency/store.ts";
import { routeName } from "../../src/streams/request-fingerprint.ts";

const DAY_MS = 86_400_000;

test("a key is remembered for its days to the last moment, and is a new one after that", async (t) => {
  // The time is after the making of the deployment: no event is dated before it.
  let now = Date.now() + DAY_MS;
  const { client, made, server } = await startServer(t, { idempotencyDays: 2 }, () => now);
  const { database } = server.service.context;
  const remembered = async (key: string) => {
    const scope = { tenantId: made.tenant_id, principalId: made.system_id, route: routeName({ isBatch: false }), key };
    return (await database.read((reader) => findIdempotencyRecord(reader, scope))) !== null;
  };
  const seqNo = async (key: string) => (await client.append(made.stream_id, loan(1), key)).body.seq_no;
  const start = now;
  assert.equal(await seqNo("old"), 1);
  now = start + 1;
  assert.equal(await seqNo("young"), 2);

  now = start + 2 * DAY_MS;
  for (const job of server.service.jobs) job.wake();
  assert.equal(await seqNo("old"), 1, "still the first answer");
  now = start + 2 * DAY_MS + 1;
  for (const job of server.service.jobs) job.wake();
  await until("the older key is forgotten", async () => ((await remembered("old")) ? null : true));
  assert.deepEqual([await remembered("young"), await seqNo("young"), await seqNo("old")], [true, 2, 3]);
});

test("many old records go in portions, between which appends are served", async (t) => {
  let now = Date.now();
  const { client, made, server } = await startServer(t, { idempotencyDays: 1 }, () => now);
  const { database } = server.service.context;
  await database.write((writer) =>
    writer.run(
      `WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < 5000)
       INSERT INTO idempotency_records
         (scope_hash, tenant_id, route, request_mac, stream_id, from_seq_no, to_seq_no, created_at)
       SELECT 'scope ' || value, $1, 'POST /x', '', $2, 0, 0, $3 FROM numbers`,
      made.tenant_id,
      made.stream_id,
      serviceTime(now),
    ),
  );
  const left = async () =>
    (await database.read((reader) => reader.first<{ n: number }>("SELECT COUNT(*) AS n FROM idempotency_records")))?.n;
  assert.equal(await left(), 5000);
  now += DAY_MS + 1;
  for (const job of server.service.jobs) job.wake();
  const between = await until("some are gone", async () => {
    assert.equal((await client.append(made.stream_id, loan(1))).status, 201);
    const n = (await left()) ?? 0;
    return n < 5000 ? n : null;
  });
  assert.ok(between > 100, `an append came through while ${between} records were left`);
  await until("only those of the appends are left", async () => (((await left()) ?? 0) < 100 ? true : null));
});
