/**
 * Leases and outbox messages: one holder at a time, a late holder changes nothing, and a failed message is put off
 * without holding up the rest.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { serviceTime } from "../../src/clock.ts";
import { Lease, LeaseLost } from "../../src/jobs/lease.ts";
import { dispatchDue } from "../../src/jobs/outbox.ts";
import { enqueue } from "../../src/jobs/outbox-store.ts";
import { jobsDatabase, TENANT } from "../jobs-database.ts";

test("a lease has one holder; a holder that lost it can no longer write", async (t) => {
  const database = await jobsDatabase(t);
  let now = 1_000_000;
  const [first, second] = [0, 1].map(() => new Lease({ database, clock: () => now }, "job"));
  assert.ok(first !== undefined && second !== undefined);
  assert.deepEqual([await first.acquire(), await second.acquire(), await first.acquire()], [true, false, true]);
  now += 60_000;
  assert.equal(await second.acquire(), true);
  await assert.rejects(
    database.write((writer) => first.hold(writer)),
    LeaseLost,
  );
  await database.write((writer) => second.hold(writer));
  await second.release();
  assert.equal(await first.acquire(), true);
});

test("an outbox message that fails is put off, and the others are done once", async (t) => {
  const database = await jobsDatabase(t);
  let now = 1_000_000;
  const context = { database, clock: () => now };
  const lease = new Lease(context, "job");
  await lease.acquire();
  for (const subject of ["a", "bad", "c", "a"])
    await database.write((writer) => enqueue(writer, TENANT, "test", subject, {}, serviceTime(now)));
  const done: string[] = [];
  const errors: unknown[] = [];
  const round = () =>
    dispatchDue(context, "test", lease, new AbortController().signal, {
      run: async (_writer, { subject }) => {
        if (subject === "bad") throw new Error("not today");
        done.push(subject);
      },
      onError: (error) => errors.push(error),
    });
  await round();
  await round();
  assert.deepEqual([done, errors.length], [["a", "c"], 1]);
  now += 1_000;
  await round();
  now += 1_000;
  await round();
  assert.equal(errors.length, 2, "the second wait is longer than the first");
  const [row] = await database.read((reader) =>
    reader.all<{ outbox_id: string; attempts: number; last_error: string }>(
      "SELECT outbox_id, attempts, last_error FROM outbox WHERE subject = 'bad'",
    ),
  );
  const { outbox_id, ...rest } = { ...row };
  assert.deepEqual(rest, { attempts: 2, last_error: "not today" });
  assert.match(outbox_id ?? "", /^obx_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
});

test("a round does all messages that are due, and tries none twice", async (t) => {
  const database = await jobsDatabase(t);
  let now = 1_000_000;
  const context = { database, clock: () => now };
  const lease = new Lease(context, "job");
  await lease.acquire();
  const subjects = Array.from({ length: 600 }, (_, index) => `subject ${index}`);
  await database.write(async (writer) => {
    for (const subject of subjects) await enqueue(writer, TENANT, "test", subject, {}, serviceTime(now));
  });
  const tried: string[] = [];
  let failed = 0;
  await dispatchDue(context, "test", lease, new AbortController().signal, {
    run: async (_writer, { subject }) => {
      tried.push(subject);
      // The clock goes back meanwhile, so that what is put off is due again at once.
      now = 900_000;
      if (subject.endsWith("7")) throw new Error("not today");
    },
    onError: () => {
      failed += 1;
    },
  });
  assert.deepEqual([tried.toSorted(), failed], [subjects.toSorted(), 60]);
});
