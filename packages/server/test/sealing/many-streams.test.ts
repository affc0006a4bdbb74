/** Many streams that are due together: their transactions share commits, as many as appends may wait for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Lease, LeaseLost } from "@svc/host/jobs";
import type { Database } from "@svc/host/store";
import { anyWindowDue, closeDueWindows } from "../../src/sealing/close-windows.ts";
import { anyCheckpointDue, makeDueCheckpoints } from "../../src/sealing/make-checkpoints.ts";
import { demandSealOf, findStream, insertStream, type StreamRow } from "../../src/streams/streams-store.ts";
import { append, contextUnderTest } from "../context-under-test.ts";
import { LOANS, streamOf } from "../store-under-test.ts";

const TOGETHER = 16;
const EVENTS_TOGETHER = 512;

/** Counts the transactions that wait at the same time, and those that do not give way. */
function counted(database: Database) {
  const waiting = { now: 0, most: 0, urgent: 0 };
  const around: Database = {
    maxWriters: 1,
    commits: 0,
    read: (work) => database.read(work),
    close: () => database.close(),
    write: async (work, options) => {
      waiting.urgent += options?.givesWay === true ? 0 : 1;
      waiting.now += 1;
      waiting.most = Math.max(waiting.most, waiting.now);
      try {
        return await database.write(work, options);
      } finally {
        waiting.now -= 1;
      }
    },
  };
  return { around, waiting };
}

async function dueStreams(t: Parameters<typeof contextUnderTest>[0], count: number, events: number) {
  let waiting = { now: 0, most: 0, urgent: 0 };
  const { context, now } = await contextUnderTest(t, (database) => {
    const { around, waiting: counts } = counted(database);
    waiting = counts;
    return around;
  });
  const ids = Array.from({ length: count }, (_, index) => `str_${String(index + 10).padStart(26, "0")}`);
  await context.database.write(async (writer) => {
    for (const id of ids) await insertStream(writer, streamOf(LOANS, id));
  });
  for (const id of ids) {
    await append(context, LOANS, id, events);
    await context.database.write((writer) => demandSealOf(writer, LOANS.tenantId, id, events));
  }
  waiting.most = 0;
  const lease = new Lease(context, "sealer");
  assert.ok(await lease.acquire());
  const errors: unknown[] = [];
  const stop = new AbortController();
  const round = { lease, stop: stop.signal, onError: (error: unknown) => errors.push(error) };
  const rows = () =>
    context.database.read(async (reader) => {
      const found: (StreamRow | null)[] = [];
      for (const id of ids) found.push(await findStream(reader, LOANS.tenantId, id));
      return found;
    });
  return { context, now, waiting, errors, stop, round, rows };
}

test("streams that are due are sealed together, sixteen at a time, each in a separate transaction that gives way", async (t) => {
  const { context, waiting, errors, round, rows } = await dueStreams(t, 2 * TOGETHER + 3, 1);
  waiting.urgent = 0;
  await closeDueWindows(context, round);
  assert.equal(waiting.most, TOGETHER);
  assert.ok((await rows()).every((row) => row?.window_count === 1 && row.checkpointed_window_count === 0));
  waiting.most = 0;
  await makeDueCheckpoints(context, round);
  assert.equal(waiting.most, TOGETHER);
  assert.ok((await rows()).every((row) => row?.checkpointed_window_count === 1));
  assert.deepEqual([errors, waiting.urgent], [[], 0]);
});

test("streams with many events go on in smaller groups", async (t) => {
  const { context, waiting, errors, round, rows } = await dueStreams(t, 4, EVENTS_TOGETHER / 2);
  await closeDueWindows(context, round);
  assert.equal(waiting.most, 2);
  assert.ok((await rows()).every((row) => row?.window_count === 1));
  assert.deepEqual(errors, []);
});

test("a stream that fails holds up none of its group", async (t) => {
  const { context, errors, round, rows } = await dueStreams(t, 4, 1);
  await context.database.write((writer) =>
    writer.run("UPDATE streams SET window_count = 5 WHERE stream_id = $1", `str_${"11".padStart(26, "0")}`),
  );
  await closeDueWindows(context, round);
  assert.deepEqual(
    (await rows()).map((row) => row?.windowed_to_seq_no),
    [1, 0, 1, 1],
  );
  assert.equal(errors.length, 1);
  assert.match(String(errors[0]), /window 5 of str_0*11 does not end at its event 0/);
});

test("a round that is stopped, or has lost its lease, seals nothing more", async (t) => {
  const { context, stop, errors, round, rows } = await dueStreams(t, 4, 1);
  const without = { ...round, lease: new Lease(context, "sealer") };
  await assert.rejects(closeDueWindows(context, without), LeaseLost);
  const first = closeDueWindows(context, round);
  stop.abort();
  await first;
  assert.ok((await rows()).every((row) => row?.window_count === 0));
  assert.deepEqual(errors, []);
});

test("processes seal each the streams of their shards, and the cosignatures of these", async (t) => {
  const { context, errors, round, rows } = await dueStreams(t, 24, 1);
  const leases = [new Lease(context, "shared", 16), new Lease(context, "shared", 16)];
  for (let look = 0; look < 2; look++) for (const lease of leases) assert.equal(await lease.acquire(), lease.isHeld);
  const [first, second] = leases;
  assert.ok(first !== undefined && second !== undefined);
  const sealed = async (lease: Lease) => {
    const of = { ...round, lease };
    await closeDueWindows(context, of);
    await makeDueCheckpoints(context, of);
    const counts = new Map<boolean, Set<string>>();
    for (const row of await rows()) {
      const key = first.holds(row?.stream_id ?? "");
      counts.set(key, (counts.get(key) ?? new Set()).add(`${row?.window_count} ${row?.checkpointed_window_count}`));
    }
    return [counts.get(true), counts.get(false)].map((some) => [...(some ?? [])]);
  };
  assert.equal(await anyWindowDue(context, (id) => first.holds(id)), true);
  assert.deepEqual(await sealed(first), [["1 1"], ["0 0"]]);
  assert.equal(await anyWindowDue(context, (id) => first.holds(id)), false);
  assert.equal(await anyWindowDue(context, (id) => second.holds(id)), true);
  assert.deepEqual(await sealed(second), [["1 1"], ["1 1"]]);
  assert.equal(await anyWindowDue(context), false);
  const messages = await context.database.read((reader) =>
    reader.all<{ stream_id: string | null; of: string }>(
      "SELECT o.stream_id, c.stream_id AS of FROM outbox o JOIN checkpoints c ON c.checkpoint_id = o.subject",
    ),
  );
  assert.ok(messages.length === 24 && messages.every(({ stream_id, of }) => stream_id === of));
  assert.deepEqual(errors, []);
});

test("a checkpoint that is due is seen behind those of other processes", async (t) => {
  const { context, round } = await dueStreams(t, 3, 1);
  await closeDueWindows(context, round);
  const asked: string[] = [];
  const isOwn = (id: string) => {
    asked.push(id);
    return asked.length === 3;
  };
  assert.equal(await anyCheckpointDue(context, isOwn), true);
  assert.equal(new Set(asked).size, 3);
  assert.equal(await anyCheckpointDue(context, () => false), false);
});
