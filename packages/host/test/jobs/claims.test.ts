/**
 * Messages that leave the machine: claimed by one process at a time, sent at least once, ended with their answer in one
 * transaction; a claim that has ended changes nothing; and the newest state of a subject is never lost.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { serviceTime } from "../../src/clock.ts";
import { BACK_OFF, type Schedule } from "../../src/jobs/backoff.ts";
import { type Sending, sendDue } from "../../src/jobs/claims.ts";
import { Lease } from "../../src/jobs/lease.ts";
import { enqueueNewest, type OutboxMessage } from "../../src/jobs/outbox-store.ts";
import { jobsDatabase, TENANT } from "../jobs-database.ts";

const START = Date.parse("2026-03-01T00:00:00.000Z");
const LONGEST_MS = 10_000;
const STREAM = "str_00000000000000000000000001";

/** Returns messages of one kind over a clock that stands still, and a function that sends the due ones. */
async function messagesOn(t: TestContext) {
  const database = await jobsDatabase(t);
  const at = { now: START };
  const context = { database, clock: () => at.now };
  const putOff: string[] = [];
  const done: string[] = [];
  const add = (subject: string, state: number, streamId: string | null = null, kinds: readonly string[] = ["test"]) =>
    database.write((writer) =>
      enqueueNewest(writer, { tenantId: TENANT, kinds, subject, payload: { state }, streamId }, serviceTime(at.now)),
    );
  const stored: string[] = [];
  const round = async (
    send: (message: OutboxMessage, signal: AbortSignal) => Promise<string>,
    { stop = new AbortController().signal, ...more }: Partial<Sending<string>> & { stop?: AbortSignal } = {},
  ) => {
    const lease = new Lease(context, `job ${Math.random()}`);
    await lease.acquire();
    await sendDue<string>(context, "test", lease, stop, {
      atOnce: 4,
      longestMs: LONGEST_MS,
      schedule: BACK_OFF,
      send,
      store: async (_writer, { subject }, answer) => {
        stored.push(`${subject} ${answer}`);
      },
      onDone: ({ subject }) => done.push(subject),
      onPutOff: (error, { subject }) => putOff.push(`${subject}: ${(error as Error).message}`),
      ...more,
    });
  };
  const rows = () =>
    database.read((reader) =>
      reader.all<Record<string, string | number | null>>(
        "SELECT subject, payload, attempts, lease_owner, next_attempt_at, last_error FROM outbox ORDER BY subject",
      ),
    );
  return { at, database, add, round, rows, stored, done, putOff };
}

const stateOf = async ({ payload }: OutboxMessage) => String(JSON.parse(payload).state);

test("each message is sent with its newest state, once, and is gone", async (t) => {
  const { add, round, rows, stored, done } = await messagesOn(t);
  await add("a", 1);
  await add("a", 2);
  await add("b", 1, STREAM);
  await add("b", 3, STREAM);
  await round(stateOf);
  assert.deepEqual(stored.toSorted(), ["a 2", "b 3"]);
  assert.deepEqual(done.toSorted(), ["a", "b"]);
  assert.deepEqual(await rows(), []);
  await round(stateOf);
  assert.equal(stored.length, 2);
});

test("a newest state comes in place of the open messages of some kinds, and beside the others", async (t) => {
  const { add, database } = await messagesOn(t);
  await add("a", 1, STREAM, ["x", "y"]);
  await add("b", 1, STREAM, ["y"]);
  await add("a", 2, STREAM, ["y", "z", "y"]);
  await add("a", 3, STREAM, []);
  const rows = await database.read((reader) =>
    reader.all<{ kind: string; subject: string; payload: string; due: number }>(
      "SELECT kind, subject, payload, created_at = next_attempt_at AS due FROM outbox ORDER BY subject, kind",
    ),
  );
  assert.deepEqual(
    rows.map(({ subject, kind, payload, due }) => [subject, kind, JSON.parse(payload).state, Boolean(due)]),
    [
      ["a", "x", 1, true],
      ["a", "y", 2, true],
      ["a", "z", 2, true],
      ["b", "y", 1, true],
    ],
  );
});

test("a state that comes while the one before it is on its way is sent after it", async (t) => {
  const { add, round, rows, stored } = await messagesOn(t);
  await add("a", 1);
  await round(async (message) => {
    await add("a", 2);
    return stateOf(message);
  });
  assert.deepEqual(stored, ["a 1"]);
  const [row] = await rows();
  assert.deepEqual([row?.payload, row?.attempts, row?.lease_owner], ['{"state":2}', 0, null]);
  await round(stateOf);
  assert.deepEqual(stored, ["a 1", "a 2"]);
  assert.deepEqual(await rows(), []);
});

test(
  "while a message is on its way nobody else sends it; when its time is over, another does, and the first changes " +
    "nothing",
  async (t) => {
    const { at, add, round, rows, stored, done, putOff } = await messagesOn(t);
    await add("a", 1);
    await round(async () => {
      await round(() => assert.fail("it is claimed"));
      at.now += LONGEST_MS + 5_001;
      // Another process takes the first one for dead.
      await round(async () => "second");
      return "first";
    });
    assert.deepEqual(stored, ["a second"]);
    assert.deepEqual(done, ["a"]);
    assert.deepEqual([await rows(), putOff], [[], []]);
  },
);

test("a claim that was taken over is not put off by the one who lost it", async (t) => {
  const { at, add, round, rows, putOff } = await messagesOn(t);
  await add("a", 1);
  await round(async () => {
    at.now += LONGEST_MS + 5_001;
    await round(() => Promise.reject(new Error("second")));
    throw new Error("first");
  });
  const [row] = await rows();
  assert.deepEqual([row?.last_error, row?.attempts], ["second", 2]);
  assert.deepEqual(putOff, ["a: second"]);
});

test("a message that fails is put off longer each time, in sending and in storing; others go on", async (t) => {
  const { at, add, round, rows, stored, putOff } = await messagesOn(t);
  await add("bad", 1);
  await add("good", 1);
  const fail = (message: OutboxMessage) =>
    message.subject === "bad" ? Promise.reject(new Error("no answer")) : stateOf(message);
  await round(fail);
  assert.deepEqual([stored, putOff], [["good 1"], ["bad: no answer"]]);
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 3; attempt++) {
    const [row] = await rows();
    assert.deepEqual([row?.attempts, row?.lease_owner, row?.last_error], [attempt, null, "no answer"]);
    const next = Date.parse(String(row?.next_attempt_at));
    waits.push((next - at.now) / 1000);
    at.now = next - 1;
    await round(() => assert.fail("it is put off"));
    // A new state does not hurry it.
    await add("bad", 1 + attempt);
    await round(() => assert.fail("it is put off"));
    at.now = next;
    await round(fail);
  }
  assert.deepEqual(waits, [1, 2, 4]);
  at.now += 60_000;
  await round(stateOf, { store: () => Promise.reject(new Error("no room")) });
  const [row] = await rows();
  assert.deepEqual([row?.last_error, row?.payload], ["no room", '{"state":4}']);
  at.now += 60_000;
  await round(stateOf);
  assert.deepEqual(await rows(), []);
});

test("only so many are on their way at a time", async (t) => {
  const { add, round, stored } = await messagesOn(t);
  for (let number = 0; number < 20; number++) await add(`s${number}`, number);
  let [now, most] = [0, 0];
  const { promise: areFour, resolve } = Promise.withResolvers<void>();
  await round(async (message) => {
    now += 1;
    most = Math.max(most, now);
    if (now === 4) resolve();
    await areFour;
    now -= 1;
    return stateOf(message);
  });
  assert.equal(stored.length, 20);
  assert.equal(most, 4);
});

test("at the end of a process what is on its way is cut off and due at once, and nothing else is begun", async (t) => {
  const { add, round, rows, putOff } = await messagesOn(t);
  for (const subject of ["a", "b", "c"]) await add(subject, 1);
  const controller = new AbortController();
  await round(
    (_message, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("aborted")));
        controller.abort();
      }),
    { stop: controller.signal, atOnce: 1 },
  );
  assert.deepEqual(putOff, []);
  assert.deepEqual(
    (await rows()).map((row) => [row.subject, row.lease_owner, row.next_attempt_at]),
    ["a", "b", "c"].map((subject) => [subject, null, serviceTime(START)]),
  );
});

/** The second attempt a day later, for ever. */
const DAILY: Schedule = { retryAt: (_attempts, now) => now + 86_400_000, furthestMs: 86_400_000 };

test("a message that its schedule puts off for a day is sent a day later, and not before", async (t) => {
  const { at, add, round, putOff, stored } = await messagesOn(t);
  const fails = () => Promise.reject(new Error("no"));
  await add("a", 1);
  await round(fails, { schedule: DAILY });
  for (const hours of [0, 1, 23]) {
    at.now = START + hours * 3_600_000;
    await round(stateOf, { schedule: DAILY });
    assert.deepEqual([putOff, stored], [["a: no"], []], `after ${hours} hours`);
  }
  at.now = START + 86_400_000;
  await round(stateOf, { schedule: DAILY });
  assert.deepEqual(stored, ["a 1"]);
});

test("a message that was put off before the clock went back is sent at once, whatever its schedule", async (t) => {
  const { at, add, round, stored } = await messagesOn(t);
  await add("a", 1);
  await round(() => Promise.reject(new Error("no")), { schedule: DAILY });
  at.now = START - 3_600_000;
  await round(stateOf, { schedule: DAILY });
  assert.deepEqual(stored, ["a 1"]);
});

test("a claim that lasts longer than any wait of the schedule is nobody else's", async (t) => {
  const { add, round, stored } = await messagesOn(t);
  await add("a", 1);
  const longestMs = 2 * BACK_OFF.furthestMs;
  await round(
    async (message) => {
      await round(() => assert.fail("it is on its way"), { longestMs });
      return stateOf(message);
    },
    { longestMs },
  );
  assert.deepEqual(stored, ["a 1"]);
});
