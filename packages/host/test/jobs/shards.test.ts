/** A job that several processes do at a time: who has which part of it, and when a part changes hands. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { withTime } from "@svc/testkit/drivers";
import { until } from "@svc/testkit/until";
import { serviceTime, systemClock } from "../../src/clock.ts";
import { Lease, LeaseLost } from "../../src/jobs/lease.ts";
import { LeasedLoop } from "../../src/jobs/leased-loop.ts";
import { anyMessageDue, dispatchDue } from "../../src/jobs/outbox.ts";
import { enqueue } from "../../src/jobs/outbox-store.ts";
import { partOf, shardOf } from "../../src/jobs/shares.ts";
import { jobsDatabase, TENANT } from "../jobs-database.ts";

const SHARDS = 16;
const LEASE_MS = 3_000;
const PROLONG_MS = 1_000;
const HOUR_MS = 3_600_000;
/** Objects of all shards, the first of each. */
const OBJECTS = Array.from({ length: SHARDS }, (_, shard) => {
  let number = 0;
  while (shardOf(`object ${number}`, SHARDS) !== shard) number += 1;
  return `object ${number}`;
});

interface ShardRow {
  readonly job_name: string;
  readonly lease_owner: string;
  readonly fencing_no: number;
}

async function sharing(t: Parameters<typeof jobsDatabase>[0]) {
  const database = await jobsDatabase(t);
  const at = { now: 10 * HOUR_MS };
  const context = { database, clock: () => at.now };
  const rows = (pattern = "job/%") =>
    database.read((reader) =>
      reader.all<ShardRow>(
        "SELECT job_name, lease_owner, fencing_no FROM jobs WHERE job_name LIKE $1 ORDER BY job_name",
        pattern,
      ),
    );
  return { database, at, context, newLease: () => new Lease(context, "job", SHARDS), rows };
}

/** Returns the shards that a lease holds. */
function shardsOf(lease: Lease): number[] {
  return OBJECTS.flatMap((object, shard) => (lease.holds(object) ? [shard] : []));
}

/** Lets all of them look for their part until nothing changes any more. */
async function settle(...leases: readonly Lease[]): Promise<number[]> {
  for (let round = 0; round < 2; round++) for (const lease of leases) await lease.acquire();
  const all = leases.flatMap(shardsOf);
  assert.deepEqual(
    all.toSorted((one, other) => one - other),
    OBJECTS.map((_, shard) => shard),
    "each shard has one owner",
  );
  return leases.map((lease) => shardsOf(lease).length);
}

test("the parts of all processes are all shards, and differ by one at most", () => {
  for (let count = 1; count <= 20; count++) {
    const living = Array.from({ length: count }, (_, index) => `owner ${index}`);
    let next = 0;
    for (const owner of living.toSorted()) {
      const { most, first } = partOf(owner, living.toReversed(), SHARDS);
      assert.equal(first, next);
      assert.ok(most === Math.floor(SHARDS / count) || most === Math.ceil(SHARDS / count));
      next += most;
    }
    assert.equal(next, SHARDS);
  }
});

test("an object stays in its shard, in every release", () => {
  assert.deepEqual(
    ["", "str_1", "str_2", "object"].map((object) => [shardOf(object, SHARDS), shardOf(object, 1)]),
    [
      [2, 0],
      [4, 0],
      [0, 0],
      [6, 0],
    ],
  );
});

test("processes share the shards evenly, as many as there are", async (t) => {
  const { newLease, rows } = await sharing(t);
  const [first, second, third] = [newLease(), newLease(), newLease()];
  assert.deepEqual(await settle(first), [16]);
  assert.equal(await second.acquire(), false, "it announces itself, and none is free yet");
  assert.deepEqual(await settle(first, second), [8, 8]);
  assert.deepEqual((await settle(first, second, third)).toSorted(), [5, 5, 6]);
  assert.equal((await rows("job@%")).length, 3);
  await second.release();
  assert.deepEqual(await settle(first, third), [8, 8]);
  assert.deepEqual([shardsOf(second), (await rows("job@%")).length], [[], 2]);
});

test("a process that prolongs gives its surplus back at once, and takes what is free", async (t) => {
  const { newLease, at } = await sharing(t);
  const [first, second] = [newLease(), newLease()];
  await first.acquire();
  await second.acquire();
  await first.prolong();
  assert.deepEqual([shardsOf(first).length, shardsOf(second).length], [8, 0]);
  await second.acquire();
  assert.equal(shardsOf(second).length, 8);
  at.now += LEASE_MS;
  await first.prolong();
  assert.equal(shardsOf(first).length, SHARDS);
});

test("the shards of a process that died are taken over after three seconds, under higher numbers", async (t) => {
  const { newLease, at, rows } = await sharing(t);
  const [first, second, dead] = [newLease(), newLease(), newLease()];
  await settle(first, second, dead);
  const before = await rows();
  const left = shardsOf(dead);
  for (let waitedMs = PROLONG_MS; waitedMs < LEASE_MS; waitedMs += PROLONG_MS) {
    at.now += PROLONG_MS;
    for (const lease of [first, second]) await lease.acquire();
  }
  at.now += LEASE_MS - 2 * PROLONG_MS - 1;
  for (const lease of [first, second]) await lease.acquire();
  assert.ok(left.every((shard) => [first, second].every((lease) => !lease.holds(OBJECTS[shard] ?? ""))));
  assert.equal(first.isDue, false);
  at.now += 1;
  assert.equal(first.isDue, true, "it looks as soon as an announcement has ended");
  assert.deepEqual(await settle(first, second), [8, 8]);
  for (const row of await rows()) {
    const was = before.find(({ job_name }) => job_name === row.job_name);
    const isChanged = was?.lease_owner !== row.lease_owner;
    assert.equal(row.fencing_no, (was?.fencing_no ?? 0) + (isChanged ? 1 : 0), row.job_name);
  }
  assert.equal((await rows("job@%")).length, 2, "the announcement of the dead one is gone");
});

test("a process that slept past its lease changes nothing", async (t) => {
  const { newLease, at, database, rows } = await sharing(t);
  const [sleeper, other] = [newLease(), newLease()];
  await sleeper.acquire();
  const [object = ""] = OBJECTS;
  const write = () =>
    database.write(async (writer) => {
      await sleeper.hold(writer, object);
      await enqueue(writer, TENANT, "test", "late", {}, serviceTime(at.now));
    });
  at.now += LEASE_MS;
  assert.equal(sleeper.holds(object), false);
  await other.acquire();
  await assert.rejects(write(), LeaseLost);
  assert.equal(await database.read((reader) => reader.first("SELECT 1 FROM outbox")), null);
  const taken = (await rows()).find(({ job_name }) => job_name === "job/0");
  assert.equal(taken?.fencing_no, 2);
  await settle(sleeper, other);
  const [owner, late] = sleeper.holds(object) ? [sleeper, other] : [other, sleeper];
  await database.write((writer) => owner.hold(writer, object));
  await assert.rejects(
    database.write((writer) => late.hold(writer, object)),
    LeaseLost,
  );
});

test("a transaction may not begin under one number and go on under another", async (t) => {
  const { newLease, at, database } = await sharing(t);
  const [first, second] = [newLease(), newLease()];
  const [object = ""] = OBJECTS;
  await first.acquire();
  at.now += LEASE_MS;
  await second.acquire();
  await second.release();
  await assert.rejects(
    database.write((writer) => first.hold(writer, object)),
    LeaseLost,
    "it is free, but was another's meanwhile",
  );
  assert.equal(first.isDue, true);
});

test("a divided job has no lease without an object", async (t) => {
  const { newLease, database } = await sharing(t);
  const lease = newLease();
  await lease.acquire();
  await assert.rejects(
    database.write((writer) => lease.hold(writer)),
    TypeError,
  );
});

test("clocks that are an hour apart are harmless where the database has its own clock", async (t) => {
  const { database, at } = await sharing(t);
  const shared = withTime(database, () => at.now);
  const leases = [-HOUR_MS, 0, HOUR_MS].map(
    (aheadMs) => new Lease({ database: shared, clock: () => at.now + aheadMs }, "job", SHARDS),
  );
  assert.deepEqual((await settle(...leases)).toSorted(), [5, 5, 6]);
  const had = leases.map(shardsOf);
  for (let second = 0; second < 5; second++) {
    at.now += PROLONG_MS;
    for (const lease of leases) await lease.prolong();
    assert.deepEqual(leases.map(shardsOf), had);
  }
  const [early, , late] = leases;
  assert.ok(early !== undefined && late !== undefined);
  const one = new Lease({ database: shared, clock: () => at.now - HOUR_MS }, "other");
  const other = new Lease({ database: shared, clock: () => at.now + HOUR_MS }, "other");
  assert.deepEqual([await one.acquire(), await other.acquire()], [true, false]);
  at.now += LEASE_MS;
  assert.equal(await other.acquire(), true);
});

test("a process whose clock was set back looks for its shards again", async (t) => {
  const { newLease, at } = await sharing(t);
  const lease = newLease();
  await lease.acquire();
  at.now -= HOUR_MS;
  assert.deepEqual([lease.isDue, shardsOf(lease)], [true, []]);
  assert.deepEqual(await settle(lease), [16]);
});

test("each loop does the work of its shards, and of those of a loop that has ended", async (t) => {
  const database = await jobsDatabase(t);
  const undone = new Map<string, string>();
  const newLoop = (name: string) => {
    let looks = 0;
    const done = new Set<string>();
    const loop = new LeasedLoop(
      { database, clock: systemClock },
      {
        jobName: "job",
        shards: SHARDS,
        intervalMs: 20,
        hasWork: async (isOwn) => {
          looks += 1;
          return [...undone.keys()].some(isOwn);
        },
        work: async (lease) => {
          for (const object of undone.keys())
            if (lease.holds(object)) {
              await database.write((writer) => lease.hold(writer, object));
              undone.set(object, name);
              done.add(object);
            }
        },
        onError: (error) => assert.fail(String(error)),
      },
    );
    return { loop, done, looks: () => looks };
  };
  const [first, second] = [newLoop("first"), newLoop("second")];
  first.loop.start();
  second.loop.start();
  await until("both have looked", async () => (first.looks() > 2 && second.looks() > 2 ? true : null));
  const rows = () => database.read((reader) => reader.all("SELECT 1 FROM jobs"));
  assert.deepEqual(await rows(), [], "nobody announces himself without work");
  for (const object of OBJECTS) undone.set(object, "");
  const isEven = async () => {
    const counts = ["first", "second"].map((name) => [...undone.values()].filter((by) => by === name).length);
    return counts[0] === 8 && counts[1] === 8 ? true : null;
  };
  await until("each works for its half", isEven);
  await first.loop.stop();
  await until("the other works for all", async () =>
    [...undone.values()].every((by) => by === "second") ? true : null,
  );
  await second.loop.stop();
  assert.equal((await rows()).length, SHARDS, "the announcements are gone");
});

test("outbox messages are dispatched in the shard of their stream; those of one stream one after the other", async (t) => {
  const { database, at } = await sharing(t);
  const context = { database: withTime(database, () => at.now), clock: () => at.now };
  const [first, second] = [new Lease(context, "job", SHARDS), new Lease(context, "job", SHARDS)];
  await settle(first, second);
  for (const part of [0, 1])
    for (const stream of OBJECTS)
      await database.write((writer) =>
        enqueue(writer, TENANT, "test", `${part} of ${stream}`, {}, serviceTime(at.now), stream),
      );
  await database.write((writer) => enqueue(writer, TENANT, "test", OBJECTS[0] ?? "", {}, serviceTime(at.now)));
  const done: string[] = [];
  const underWay = new Set<string>();
  const dispatch = (lease: Lease) =>
    dispatchDue(context, "test", lease, new AbortController().signal, {
      run: async (_writer, { subject, stream_id }) => {
        const object = stream_id ?? subject;
        assert.ok(lease.holds(object) && !underWay.has(object));
        underWay.add(object);
        await Promise.resolve();
        underWay.delete(object);
        done.push(subject);
      },
      onError: (error) => assert.fail(String(error)),
    });
  await dispatch(first);
  const own = OBJECTS.filter((object) => first.holds(object));
  const expected = (objects: readonly string[]) =>
    objects
      .flatMap((object) => [`0 of ${object}`, `1 of ${object}`, ...(object === OBJECTS[0] ? [object] : [])])
      .toSorted();
  assert.deepEqual(done.toSorted(), expected(own));
  assert.equal(await anyMessageDue(context, "test", (object) => first.holds(object)), false);
  assert.equal(await anyMessageDue(context, "test", (object) => second.holds(object)), true);
  assert.equal(await anyMessageDue(context, "test"), true);
  await dispatch(second);
  assert.deepEqual(done.toSorted(), expected(OBJECTS));
  assert.ok(OBJECTS.every((object) => done.indexOf(`0 of ${object}`) < done.indexOf(`1 of ${object}`)));
});
