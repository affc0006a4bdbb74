/** Seals are made while appends to the same stream go on, and what came meanwhile is left to the next window. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Lease } from "@svc/host/jobs";
import type { Writer } from "@svc/host/store";
import type { Context } from "../../src/context.ts";
import { closeDueWindows } from "../../src/sealing/close-windows.ts";
import { makeDueCheckpoints } from "../../src/sealing/make-checkpoints.ts";
import { demandSealOf, findStream } from "../../src/streams/streams-store.ts";
import { append, changed, contextUnderTest, ONE_STREAM } from "../context-under-test.ts";
import { LOANS } from "../store-under-test.ts";

/** Resolves to a round of the sealer in which a window of three events is due, and to the errors that it will tell. */
async function dueRound(context: Context) {
  await append(context, LOANS, ONE_STREAM, 3);
  await context.database.write((writer) => demandSealOf(writer, LOANS.tenantId, ONE_STREAM, 3));
  const lease = new Lease(context, "sealer");
  assert.ok(await lease.acquire());
  const errors: unknown[] = [];
  const round = { lease, stop: new AbortController().signal, onError: (error: unknown) => errors.push(error) };
  return { round, errors };
}

test("an event that is recorded while a window or a checkpoint is made waits for the next window", async (t) => {
  const { context, now } = await contextUnderTest(t);
  const { tenantId } = LOANS;
  // Where one transaction goes on at a time, the events come after it.
  const isParallel = context.database.maxWriters > 1;
  const arriving: Promise<readonly { readonly received_at: string }[]>[] = [];
  const sealing = {
    ...context,
    signingKey: changed(context.signingKey, {
      held: async (writer: Writer) => {
        const key = await context.signingKey.held(writer);
        now.seconds += 1;
        arriving.push(append(context, LOANS, ONE_STREAM, 2));
        if (isParallel) await arriving.at(-1);
        return key;
      },
    }),
  };
  const { round, errors } = await dueRound(context);
  await closeDueWindows(sealing, round);
  await makeDueCheckpoints(sealing, round);
  const [first] = (await Promise.all(arriving)).flat();
  const row = await context.database.read((reader) => findStream(reader, tenantId, ONE_STREAM));
  assert.deepEqual(
    [row?.window_count, row?.windowed_to_seq_no, row?.checkpointed_to_seq_no, row?.head_seq_no],
    [1, 3, 3, 3 + 2 * arriving.length],
  );
  assert.deepEqual([row?.unwindowed_since, arriving.length > 1, errors], [first?.received_at, true, []]);

  await context.database.write((writer) => demandSealOf(writer, tenantId, ONE_STREAM, row?.head_seq_no ?? 0));
  await closeDueWindows(context, round);
  const next = await context.database.read((reader) => findStream(reader, tenantId, ONE_STREAM));
  assert.deepEqual([next?.windowed_to_seq_no, next?.unwindowed_since, errors], [row?.head_seq_no, null, []]);
});

test("a checkpoint leaves out no overdue event whose append was under way while it was made", async (t) => {
  const { context, now } = await contextUnderTest(t);
  const isParallel = context.database.maxWriters > 1;
  const { round, errors } = await dueRound(context);
  await closeDueWindows(context, round);
  now.seconds += 100;
  let looks = 0;
  const arriving: Promise<unknown>[] = [];
  const sealing = {
    ...context,
    signingKey: changed(context.signingKey, {
      held: async (writer: Writer) => {
        const key = await context.signingKey.held(writer);
        looks += 1;
        // The second look comes when the time of the checkpoint is known.
        if (looks !== 2) return key;
        const behind = { ...context, clock: () => context.clock() - 99_000 };
        arriving.push(append(behind, LOANS, ONE_STREAM, 1));
        if (isParallel) await arriving[0];
        return key;
      },
    }),
  };
  await makeDueCheckpoints(sealing, round);
  await Promise.all(arriving);
  const [{ left } = { left: -1 }] = await context.database.read((reader) =>
    reader.all<{ left: number }>(
      `SELECT COUNT(*) AS left FROM events e JOIN streams s ON s.stream_id = e.stream_id
       WHERE e.stream_id = $1 AND e.seq_no > s.checkpointed_to_seq_no AND e.received_at < s.last_sealed_at`,
      ONE_STREAM,
    ),
  );
  assert.deepEqual([left, arriving.length, errors], [0, 1, []]);
});

test("a row whose windows have moved since it was read gets no window beside them", async (t) => {
  const { context } = await contextUnderTest(t);
  const { tenantId } = LOANS;
  const { round, errors } = await dueRound(context);
  let looks = 0;
  const signingKey = changed(context.signingKey, {
    held: async (writer: Writer) => {
      looks += 1;
      if (looks === 1) await writer.run("UPDATE streams SET window_count = 7 WHERE stream_id = $1", ONE_STREAM);
      return context.signingKey.held(writer);
    },
  });
  await closeDueWindows({ ...context, signingKey }, round);
  const row = await context.database.read((reader) => findStream(reader, tenantId, ONE_STREAM));
  assert.deepEqual([row?.window_count, row?.windowed_to_seq_no, looks, errors], [1, 3, 2, []]);
});
