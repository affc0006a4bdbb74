/** Jobs under clocks that go back, and wakes that come at a bad time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@svc/testkit/until";
import { serviceTime, systemClock } from "../../src/clock.ts";
import { Lease, LeaseLost } from "../../src/jobs/lease.ts";
import { LeasedLoop } from "../../src/jobs/leased-loop.ts";
import { dispatchDue } from "../../src/jobs/outbox.ts";
import { enqueue } from "../../src/jobs/outbox-store.ts";
import { jobsDatabase, TENANT } from "../jobs-database.ts";

const HOUR_MS = 3_600_000;

test("a lease from before the clock went back is taken over, and its holder can no longer write", async (t) => {
  const database = await jobsDatabase(t);
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

test("an outbox message put off further than any backoff is due", async (t) => {
  const database = await jobsDatabase(t);
  let now = 10 * HOUR_MS;
  const context = { database, clock: () => now };
  for (const [subject, aheadMs] of [
    ["soon", 300_000],
    ["never", 300_001],
  ] as const)
    await database.write((writer) => enqueue(writer, TENANT, "test", subject, {}, serviceTime(now + aheadMs)));
  const lease = new Lease(context, "job");
  await lease.acquire();
  const done: string[] = [];
  const round = () =>
    dispatchDue(context, "test", lease, new AbortController().signal, {
      run: async (_writer, { subject }) => void done.push(subject),
      onError: (error) => assert.fail(String(error)),
    });
  await round();
  assert.deepEqual(done, ["never"]);
  now += 300_000;
  await round();
  assert.deepEqual(done, ["never", "soon"]);
});

test("a wake that arrives during work counts for the next round", async (t) => {
  const database = await jobsDatabase(t);
  let rounds = 0;
  const loop: LeasedLoop = new LeasedLoop(
    { database, clock: systemClock },
    {
      jobName: "woken",
      // Only a wake can start a round within the test's time.
      intervalMs: HOUR_MS,
      hasWork: async () => true,
      work: async () => {
        rounds += 1;
        if (rounds < 5) loop.wake();
      },
      onError: (error) => assert.fail(String(error)),
    },
  );
  loop.start();
  try {
    await until("five rounds", async () => (rounds === 5 ? true : null));
  } finally {
    await loop.stop();
  }
});
