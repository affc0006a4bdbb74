/**
 * Leases, loops and outbox messages to the millisecond and the row: on a database in memory, with a clock that stands
 * still.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ON_FILE } from "@svc/testkit/drivers";
import { until } from "@svc/testkit/until";
import { serviceTime } from "../../src/clock.ts";
import { Lease, LeaseLost } from "../../src/jobs/lease.ts";
import { type LeasedJob, LeasedLoop } from "../../src/jobs/leased-loop.ts";
import { anyMessageDue, dispatchDue, type OutboxDispatch } from "../../src/jobs/outbox.ts";
import { enqueue, markDone, markFailed, type OutboxMessage } from "../../src/jobs/outbox-store.ts";
import type { Database, WriteOptions } from "../../src/store/database.ts";
import { jobsDatabase, TENANT } from "../jobs-database.ts";

const START = 1_000_000;
const LEASE_MS = 3000;

interface JobRow {
  readonly lease_owner: string;
  readonly lease_until: string;
  readonly fencing_no: number;
}

function jobs(database: Database): Promise<JobRow[]> {
  return database.read((reader) => reader.all<JobRow>("SELECT lease_owner, lease_until, fencing_no FROM jobs"));
}

test(
  "a lease is held for three seconds, prolonged for three more, and can be taken at " +
    "their end; a proof adds nothing",
  async (t) => {
    const database = await jobsDatabase(t);
    let now = START;
    const context = { database, clock: () => now };
    const [first, second] = [new Lease(context, "job"), new Lease(context, "job")];
    assert.equal(await first.acquire(), true);
    now = START + LEASE_MS - 1;
    assert.equal(await second.acquire(), false);
    await first.prolong();
    now += LEASE_MS - 1;
    assert.equal(await second.acquire(), false, "it has been prolonged");
    await database.write((writer) => first.hold(writer));
    now += 1;
    await database.write((writer) => first.hold(writer));
    assert.equal(await second.acquire(), true);
    assert.deepEqual(
      (await jobs(database)).map(({ lease_until, fencing_no }) => [lease_until, fencing_no]),
      [[serviceTime(now + LEASE_MS), 2]],
    );
    await assert.rejects(
      database.write((writer) => first.hold(writer)),
      (error) => error instanceof LeaseLost && error.name === "LeaseLost",
    );
  },
);

test("a lease that has ended is prolonged unless another has it; one that was lost is not taken again", async (t) => {
  const database = await jobsDatabase(t);
  let now = START;
  const context = { database, clock: () => now };
  const [first, second] = [new Lease(context, "job"), new Lease(context, "job")];
  await first.acquire();
  now += 10 * LEASE_MS;
  await first.prolong();
  assert.deepEqual([first.isHeld, await second.acquire()], [true, false]);
  now += LEASE_MS;
  assert.equal(await second.acquire(), true);
  await second.release();
  await first.prolong();
  assert.equal(first.isHeld, false);
  await assert.rejects(
    database.write((writer) => first.hold(writer)),
    LeaseLost,
  );
  assert.equal(await first.acquire(), true, "a new round takes it");
  assert.deepEqual(
    (await jobs(database)).map(({ fencing_no }) => fencing_no),
    [3],
  );
});

test("a lease that is released is free at once; who has lost it releases nothing", async (t) => {
  const database = await jobsDatabase(t);
  const context = { database, clock: () => START };
  const [first, second, other] = [new Lease(context, "job"), new Lease(context, "job"), new Lease(context, "another")];
  await first.acquire();
  assert.equal(await other.acquire(), true, "each job has its own lease");
  await other.release();
  assert.equal(await second.acquire(), false);
  await first.release();
  assert.equal(await second.acquire(), true);
  await first.release();
  await database.write((writer) => second.hold(writer));
  assert.equal(await first.acquire(), false);
  await second.release();
  assert.equal(await second.acquire(), true, "who was the last to have it takes it again under the same number");
  await database.write((writer) => second.hold(writer));
});

/** Returns a loop over a database, and the errors that it reports. */
function loopOver(database: Database, changes: Partial<LeasedJob>) {
  const errors: unknown[] = [];
  const loop = new LeasedLoop(
    { database, clock: () => START },
    {
      jobName: "job",
      intervalMs: 3_600_000,
      hasWork: async () => true,
      work: async () => undefined,
      onError: (error) => errors.push(error),
      ...changes,
    },
  );
  return { loop, errors };
}

test("a loop without work takes no lease; one with work gives it back at its end", async (t) => {
  const database = await jobsDatabase(t);
  let looks = 0;
  const idle = loopOver(database, {
    intervalMs: 20,
    hasWork: async () => {
      looks += 1;
      return false;
    },
  });
  idle.loop.start();
  await until("it has looked twice", async () => (looks >= 2 ? true : null));
  await idle.loop.stop();
  assert.deepEqual([await jobs(database), idle.errors], [[], []]);

  let rounds = 0;
  const busy = loopOver(database, { work: async () => void rounds++ });
  busy.loop.start();
  busy.loop.start();
  await until("it has worked", async () => (rounds > 0 ? true : null));
  const [held] = await jobs(database);
  assert.equal(held?.lease_until, serviceTime(START + LEASE_MS));
  await busy.loop.stop();
  const [given] = await jobs(database);
  assert.deepEqual([given?.lease_until, rounds, busy.errors], ["1970-01-01T00:00:00.000Z", 1, []]);
});

test("a loop whose lease another has does no work, and gives back none", async (t) => {
  const database = await jobsDatabase(t);
  const holder = new Lease({ database, clock: () => START }, "job");
  await holder.acquire();
  let looks = 0;
  const { loop, errors } = loopOver(database, {
    intervalMs: 20,
    hasWork: async () => {
      looks += 1;
      return true;
    },
    work: () => assert.fail("without the lease"),
  });
  loop.start();
  await until("it has looked twice", async () => (looks >= 2 ? true : null));
  await loop.stop();
  assert.deepEqual(errors, []);
  await database.write((writer) => holder.hold(writer));
});

test("a loop prolongs its lease while it works, however long a step takes", async (t) => {
  const database = await jobsDatabase(t);
  const at = { now: START };
  const clock = () => at.now;
  const other = new Lease({ database, clock }, "job");
  let isDone = false;
  const loop = new LeasedLoop(
    { database, clock },
    {
      jobName: "job",
      intervalMs: 3_600_000,
      hasWork: async () => true,
      work: async (lease) => {
        for (let step = 0; step < 2; step++) {
          at.now += LEASE_MS - 1;
          const end = serviceTime(at.now + LEASE_MS);
          await until("it is prolonged", async () => ((await jobs(database))[0]?.lease_until === end ? true : null));
          assert.equal(await other.acquire(), false);
        }
        await database.write((writer) => lease.hold(writer));
        isDone = true;
      },
      onError: (error) => assert.fail(String(error)),
    },
  );
  loop.start();
  await until("it has worked", async () => (isDone ? true : null));
  await loop.stop();
});

test("a loop that cannot prolong its lease tells that, and works on", async (t) => {
  const database = await jobsDatabase(t);
  const fault = new Error("no disk");
  let isBroken = false;
  const breaking: Database = {
    maxWriters: 1,
    commits: 0,
    close: () => database.close(),
    read: (work) => database.read(work),
    write: (work) => (isBroken ? Promise.reject(fault) : database.write(work)),
  };
  const told = Promise.withResolvers<void>();
  const errors: unknown[] = [];
  const { loop } = loopOver(breaking, {
    onError: (error) => {
      errors.push(error);
      told.resolve();
    },
    work: async () => {
      isBroken = true;
      await told.promise;
      isBroken = false;
    },
  });
  loop.start();
  await told.promise;
  await loop.stop();
  assert.deepEqual(errors, [fault]);
});

test("a loop tells of what fails and goes on; a lease that was lost is no failure", async (t) => {
  const database = await jobsDatabase(t);
  const fault = new Error("not today");
  let rounds = 0;
  const { loop, errors } = loopOver(database, {
    intervalMs: 20,
    work: async () => {
      rounds += 1;
      if (rounds === 1) throw fault;
      if (rounds === 2) throw new LeaseLost("job");
    },
  });
  loop.start();
  await until("three rounds", async () => (rounds >= 3 ? true : null));
  await loop.stop();
  assert.deepEqual(errors, [fault]);
});

test("a loop that is stopped ends the work at hand and begins no other, whenever it is woken", async (t) => {
  const database = await jobsDatabase(t);
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  let rounds = 0;
  let isAborted: boolean | null = null;
  const { loop, errors } = loopOver(database, {
    work: async (_lease, stop) => {
      rounds += 1;
      begun.resolve();
      await goOn.promise;
      isAborted = stop.aborted;
    },
  });
  loop.start();
  await begun.promise;
  const stopped = loop.stop();
  loop.wake();
  goOn.resolve();
  await stopped;
  assert.deepEqual([rounds, isAborted, errors], [1, true, []]);
});

test("a loop that never began, and one that waits for hours, stop at once", async (t) => {
  const database = await jobsDatabase(t);
  await loopOver(database, {}).loop.stop();
  let rounds = 0;
  const { loop } = loopOver(database, { work: async () => void rounds++ });
  loop.start();
  await until("it waits", async () => (rounds === 1 ? true : null));
  await loop.stop();
  assert.equal(rounds, 1);
});

test("a loop waits for its interval, or for a wake", async (t) => {
  const database = await jobsDatabase(t);
  let rounds = 0;
  const { loop } = loopOver(database, { work: async () => void rounds++ });
  loop.start();
  await until("its first round", async () => (rounds === 1 ? true : null));
  // The loop takes as long as a quicker one takes for many rounds.
  let others = 0;
  const quick = loopOver(database, { jobName: "another", intervalMs: 20, work: async () => void others++ });
  quick.loop.start();
  await until("many rounds", async () => (others >= 8 ? true : null));
  assert.equal(rounds, 1);
  loop.wake();
  await until("the round that was asked for", async () => (rounds === 2 ? true : null));
  await Promise.all([loop.stop(), quick.loop.stop()]);
  assert.equal(rounds, 2);
});

test("a loop that cannot give its lease back reports the error and ends", async (t) => {
  const database = await jobsDatabase(t);
  const fault = new Error("no disk");
  let isBroken = false;
  const breaking: Database = {
    ...database,
    read: (work) => database.read(work),
    write: (work) => (isBroken ? Promise.reject(fault) : database.write(work)),
  };
  const { loop, errors } = loopOver(breaking, {
    work: async () => {
      isBroken = true;
    },
  });
  loop.start();
  await until("it has worked", async () => (isBroken ? true : null));
  await loop.stop();
  assert.deepEqual(errors, [fault]);
});

/** Returns outbox messages of one kind, a clock, and a function that runs a round over the due ones. */
async function messagesOn(t: Parameters<typeof jobsDatabase>[0], run: OutboxDispatch["run"]) {
  const database = await jobsDatabase(t);
  const at = { now: START };
  const context = { database, clock: () => at.now };
  const lease = new Lease(context, "job");
  await lease.acquire();
  const errors: unknown[] = [];
  const told: string[] = [];
  const add = (subject: string, kind = "test") =>
    database.write((writer) => enqueue(writer, TENANT, kind, subject, { subject }, serviceTime(at.now)));
  const round = async (stop = new AbortController().signal) => {
    await lease.acquire();
    const onDone = ({ subject }: OutboxMessage) => told.push(subject);
    await dispatchDue(context, "test", lease, stop, { run, onDone, onError: (error) => errors.push(error) });
  };
  const row = (subject: string) =>
    database.read((reader) =>
      reader.first<Record<"attempts" | "done_at" | "next_attempt_at" | "last_error", unknown>>(
        "SELECT attempts, done_at, next_attempt_at, last_error FROM outbox WHERE subject = $1",
        subject,
      ),
    );
  const isDue = () => anyMessageDue(context, "test");
  return { database, at, context, errors, told, add, round, row, isDue };
}

test("an outbox message that fails waits one second, then twice as long each time, five minutes at most", async (t) => {
  const here = await messagesOn(t, () => Promise.reject(new Error("x".repeat(600))));
  await here.add("bad");
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 11; attempt++) {
    assert.equal(await here.isDue(), true);
    await here.round();
    const row = await here.row("bad");
    assert.deepEqual([row?.attempts, row?.done_at, row?.last_error], [attempt, null, "x".repeat(500)]);
    const next = Date.parse(String(row?.next_attempt_at));
    waits.push((next - here.at.now) / 1000);
    here.at.now = next - 1;
    assert.equal(await here.isDue(), false);
    here.at.now = next;
  }
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  assert.equal(here.errors.length, 11);
});

test("an outbox message that is done is done with its time and without an error; one of another kind is left alone", async (t) => {
  const done: string[] = [];
  const fails = new Set(["a"]);
  const here = await messagesOn(t, async (_writer, { subject, payload, tenant_id }) => {
    assert.deepEqual([JSON.parse(payload), tenant_id], [{ subject }, TENANT]);
    if (fails.delete(subject)) throw "no error object";
    done.push(subject);
  });
  assert.equal(await here.isDue(), false);
  await here.add("other", "another kind");
  assert.equal(await here.isDue(), false);
  for (const subject of ["a", "b"]) await here.add(subject);
  await here.round();
  assert.deepEqual([done, (await here.row("a"))?.last_error], [["b"], "unknown"]);
  here.at.now += 1000;
  await here.round();
  assert.equal(await here.isDue(), false);
  await here.round();
  assert.deepEqual(done, ["b", "a"]);
  assert.deepEqual(
    { ...(await here.row("a")) },
    {
      attempts: 2,
      done_at: serviceTime(here.at.now),
      next_attempt_at: serviceTime(here.at.now),
      last_error: null,
    },
  );
  assert.equal((await here.row("other"))?.attempts, 0);
});

test("a loop that is stopped runs no further message; one that has lost its lease none at all, and puts none off", async (t) => {
  const done: string[] = [];
  const stop = new AbortController();
  const here = await messagesOn(t, async (_writer, { subject }) => {
    done.push(subject);
    stop.abort();
  });
  for (const subject of ["a", "b"]) await here.add(subject);
  await here.round(stop.signal);
  assert.deepEqual([done, here.told], [["a"], ["a"]]);

  const late = new Lease(here.context, "job");
  const runner = {
    run: () => assert.fail("without the lease"),
    onError: () => assert.fail("not an outbox message's fault"),
  };
  await assert.rejects(dispatchDue(here.context, "test", late, new AbortController().signal, runner), LeaseLost);
  assert.equal((await here.row("b"))?.attempts, 0);
});

/** Runs a round over twenty messages, of which one fails; resolves to those that were done, and to its commits. */
async function roundOfTwenty(t: Parameters<typeof jobsDatabase>[0]) {
  const done: string[] = [];
  const here = await messagesOn(t, async (_writer, { subject }) => {
    if (subject === "3") throw new Error("no");
    done.push(subject);
  });
  const subjects = Array.from({ length: 20 }, (_, index) => String(index));
  for (const subject of subjects) await here.add(subject);
  const before = here.database.commits;
  await here.round();
  return {
    here,
    done,
    expected: subjects.filter((subject) => subject !== "3"),
    commits: here.database.commits - before,
  };
}

test("each outbox message is done or put off for itself", async (t) => {
  const { here, done, expected } = await roundOfTwenty(t);
  assert.deepEqual(done.toSorted(), expected.toSorted());
  assert.equal((await here.row("3"))?.last_error, "no");
  assert.deepEqual(here.told.toSorted(), done.toSorted(), "each learns it once it is on disk");
});

test("outbox messages share commits of an embedded database, in their order", ON_FILE, async (t) => {
  const { done, expected, commits } = await roundOfTwenty(t);
  assert.deepEqual(done, expected);
  // The lease, the reading of messages (in memory, a commit as well), two groups, and the message that is put off.
  assert.equal(commits, 5);
});

test("an outbox message that another process has done meanwhile is not done again", async (t) => {
  const here = await messagesOn(t, async (writer, { subject }) => {
    assert.equal(subject, "a", "the other one has been done");
    const other = await writer.first<{ outbox_id: string }>("SELECT outbox_id FROM outbox WHERE subject = 'b'");
    const message = {
      outbox_id: other?.outbox_id ?? "",
      tenant_id: TENANT,
      subject: "b",
      stream_id: null,
      payload: "",
      attempts: 0,
    };
    assert.equal(await markDone(writer, message, serviceTime(START)), true);
    assert.equal(await markDone(writer, message, serviceTime(START)), false);
    await markFailed(writer, message, "too late", serviceTime(START + 1));
  });
  for (const subject of ["a", "b"]) await here.add(subject);
  await here.round();
  const row = await here.row("b");
  assert.deepEqual([here.errors, row?.attempts, row?.last_error], [[], 1, null]);
  assert.deepEqual(here.told, ["a"]);
});

test("the work of outbox messages gives way to other transactions", async (t) => {
  const here = await messagesOn(t, async () => {});
  await here.add("a");
  const ways: (WriteOptions | undefined)[] = [];
  const database: Database = {
    maxWriters: 1,
    commits: 0,
    read: (work) => here.database.read(work),
    close: () => here.database.close(),
    write: (work, options) => {
      ways.push(options);
      return here.database.write(work, options);
    },
  };
  const lease = new Lease(here.context, "other job");
  assert.ok(await lease.acquire());
  const runner = { run: async () => {}, onError: assert.fail };
  await dispatchDue({ ...here.context, database }, "test", lease, new AbortController().signal, runner);
  assert.deepEqual(ways, [{ givesWay: true, isLocking: true }]);
  assert.notEqual((await here.row("a"))?.done_at, null);
});
