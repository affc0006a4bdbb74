/**
 * How checkpoints get into the service log: each once, in order of creation, also those of earlier releases, after a
 * cut at any step, and whichever process holds the lease.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { verify } from "@svc/core";
import { Lease, LeaseLost } from "@svc/host/jobs";
import type { Reader } from "@svc/host/store";
import { until } from "@svc/testkit/until";
import type { Context } from "../../src/context.ts";
import { appendQueued, queueEarlier } from "../../src/service-log/append-checkpoints.ts";
import { epochsAfter, newestEpoch } from "../../src/service-log/epochs-store.ts";
import { logState } from "../../src/service-log/log-store.ts";
import { makeEpoch } from "../../src/service-log/make-epoch.ts";
import { firstUnlogged, queueCheckpoints, unlogged } from "../../src/service-log/queue-store.ts";
import { ServiceLogJob } from "../../src/service-log/service-log.ts";
import { ownTrust } from "../../src/signing/service-store.ts";
import { append, contextUnderTest, ONE_STREAM, OTHER_STREAM, seal } from "../context-under-test.ts";
import { BANK, LOANS } from "../store-under-test.ts";

const NEVER = new AbortController().signal;

/** Records one event of a stream, and has a checkpoint made over it. */
async function checkpoint(context: Context, streamId: string): Promise<void> {
  await append(context, LOANS, streamId, 1);
  await seal(context, BANK, streamId);
}

async function held(context: Context): Promise<Lease> {
  const lease = new Lease(context, "service-log");
  assert.ok(await lease.acquire());
  return lease;
}

/** Resolves to the log as "stream number", in order. */
async function logged(reader: Reader): Promise<string[]> {
  const rows = await reader.all<{ leaf_index: number; stream_id: string; checkpoint_no: number }>(
    `SELECT l.leaf_index, c.stream_id, c.checkpoint_no FROM service_log_leaves l
     JOIN checkpoints c ON c.checkpoint_id = l.checkpoint_id ORDER BY l.leaf_index`,
  );
  assert.deepEqual(
    rows.map(({ leaf_index }) => leaf_index),
    rows.map((_, index) => index),
  );
  return rows.map(({ stream_id, checkpoint_no }) => `${stream_id.slice(-1)} ${checkpoint_no}`);
}

/** Makes the database what an earlier release has left: checkpoints, and no log. */
async function forgetLog({ database }: Context): Promise<void> {
  await database.write(async (writer) => {
    for (const table of ["service_log", "service_log_leaves", "unlogged_checkpoints", "epochs"])
      await writer.run(`DELETE FROM ${table}`);
  });
}

/** Makes seven checkpoints of two streams, in this order. */
async function sevenCheckpoints(context: Context, now: { seconds: number }): Promise<string[]> {
  for (const streamId of [ONE_STREAM, OTHER_STREAM, OTHER_STREAM, ONE_STREAM, OTHER_STREAM, ONE_STREAM, ONE_STREAM]) {
    await checkpoint(context, streamId);
    now.seconds += 10;
  }
  return ["1 1", "2 1", "2 2", "1 2", "2 3", "1 3", "1 4"];
}

test("checkpoints of earlier releases are taken up in order of creation, also after any number of cuts", async (t) => {
  const { context, now } = await contextUnderTest(t);
  const expected = await sevenCheckpoints(context, now);
  for (const steps of [0, 1, 2, 3, 100]) {
    await forgetLog(context);
    const lease = await held(context);
    for (let isCut = true; isCut; ) {
      let looks = 0;
      const stop = {
        get aborted() {
          looks += 1;
          return looks > steps + 1;
        },
      } as AbortSignal;
      await queueEarlier(context, lease, stop);
      assert.deepEqual(await context.database.read(logged), [], "nothing is appended before all are queued");
      isCut = (await context.database.read(logState)).queuedTo !== null;
    }
    // One that was made meanwhile is in the queue once.
    const [first] = await context.database.read((reader) => firstUnlogged(reader, 1));
    assert.ok(first !== undefined);
    await context.database.write((writer) => queueCheckpoints(writer, [first]));
    while (await appendQueued(context, lease));
    assert.deepEqual(await context.database.read(logged), expected, `${steps} steps`);
    await lease.release();
  }
});

test("a checkpoint that is in the log already leaves the queue, and comes no second time", async (t) => {
  const { context, now } = await contextUnderTest(t);
  const expected = await sevenCheckpoints(context, now);
  const job = new ServiceLogJob(context, 0);
  const lease = await held(context);
  await job.work(lease, NEVER);
  assert.deepEqual(await context.database.read(logged), expected);
  const row = await context.database.read((reader) =>
    reader.first<{ document: string; checkpoint_hash: never }>(
      "SELECT document, checkpoint_hash FROM checkpoints ORDER BY checkpoint_id LIMIT 1",
    ),
  );
  assert.ok(row !== null);
  // As if the process had ended between the two steps.
  const again = unlogged(JSON.parse(row.document), row.checkpoint_hash);
  await context.database.write((writer) => queueCheckpoints(writer, [again]));
  assert.equal(await job.hasWork(), true);
  await job.work(lease, NEVER);
  assert.equal(await job.hasWork(), false);
  assert.deepEqual(await context.database.read(logged), expected);
});

test("a process that has lost the lease appends nothing, and makes no epoch", async (t) => {
  const { context, now } = await contextUnderTest(t);
  await checkpoint(context, ONE_STREAM);
  const late = await held(context);
  await queueEarlier(context, late, NEVER);
  now.seconds += 4;
  const lease = await held(context);
  await assert.rejects(appendQueued(context, late), LeaseLost);
  assert.deepEqual(await context.database.read(logged), []);
  assert.equal(await appendQueued(context, lease), true);
  await assert.rejects(makeEpoch(context, late), LeaseLost);
  assert.equal(await context.database.read(newestEpoch), null);
  await makeEpoch(context, lease);
  await makeEpoch(context, lease);
  assert.equal((await context.database.read(newestEpoch))?.epoch_no, 1);
});

test("the times of epochs never decrease, and a clock that was set back stops none", async (t) => {
  const { context, now } = await contextUnderTest(t);
  const job = new ServiceLogJob(context, 20);
  const lease = await held(context);
  const work = async (epochNo: number) => {
    await until(`epoch ${epochNo}`, async () => {
      await job.work(lease, NEVER);
      const newest = await context.database.read(newestEpoch);
      return newest?.epoch_no === epochNo ? newest : null;
    });
  };
  for (const [index, seconds] of [1000, 400, 400, 2000].entries()) {
    now.seconds = seconds;
    await checkpoint(context, ONE_STREAM);
    await work(index + 1);
  }
  const { kernel, origin } = context;
  const epochs = await context.database.read((reader) => epochsAfter(reader, 0, 10));
  const times = epochs.map(({ anchored_at }) => anchored_at);
  assert.deepEqual(times, times.toSorted());
  const trust = await context.database.read((reader) => ownTrust(reader, origin));
  for (const epoch of epochs) assert.equal(verify(kernel.canonicalize(epoch), { trust, kernel }).verdict, "verified");
});

test("a database that lacks an epoch which was published makes no other, under the same process and after it", async (t) => {
  const { context } = await contextUnderTest(t);
  const lease = await held(context);
  const job = new ServiceLogJob(context, 0);
  await checkpoint(context, ONE_STREAM);
  await job.work(lease, NEVER);
  await checkpoint(context, ONE_STREAM);
  await job.work(lease, NEVER);
  assert.equal((await context.witnessMemory.of(context.origin))?.treeSize, 2);
  await job.hasWork();
  await context.database.write((writer) => writer.run("DELETE FROM epochs WHERE epoch_no = 2"));
  await assert.rejects(job.work(lease, NEVER), /has lost epoch 2 of the service log/);
  await assert.rejects(new ServiceLogJob(context, 0).work(lease, NEVER), /over 2 checkpoints was published/);
});

test("a log whose leaves were changed is not published on", async (t) => {
  const { context } = await contextUnderTest(t);
  const lease = await held(context);
  const job = new ServiceLogJob(context, 0);
  await checkpoint(context, ONE_STREAM);
  await job.work(lease, NEVER);
  await context.database.write((writer) =>
    writer.run("UPDATE service_log_leaves SET checkpoint_hash = $1", "ab".repeat(32)),
  );
  await checkpoint(context, ONE_STREAM);
  await assert.rejects(job.work(lease, NEVER), /does not have the root of epoch 1/);
});
