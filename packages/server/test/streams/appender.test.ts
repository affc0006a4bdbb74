/** The end of a stream in a transaction: the time of its events, its refusals, and the stored rows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ZERO_HASH } from "@svc/core";
import { loan } from "@svc/testkit/server/loan";
import { kernel } from "../../src/kernel.ts";
import { declarePolicy } from "../../src/policies/declare-policy.ts";
import { Appenders } from "../../src/streams/appender.ts";
import { prepareEvents } from "../../src/streams/prepare-events.ts";
import { findStream, insertStream, moveWindows, type StreamRow } from "../../src/streams/streams-store.ts";
import { type ContextUnderTest, contextUnderTest } from "../context-under-test.ts";
import { at, BANK, INSURER, LOANS, plain, principalOf, streamOf } from "../store-under-test.ts";

const SOURCE = { isBatch: false, bytes: new Uint8Array() };

/** Appends an event to each of these streams in one transaction, and resolves to their times. */
function times({ store, context }: ContextUnderTest, streams: readonly (readonly [string, string])[]) {
  return store.write(async (writer) => {
    const rows: StreamRow[] = [];
    for (const [tenantId, streamId] of streams)
      rows.push((await findStream(writer, tenantId, streamId)) ?? assert.fail());
    const appenders = await Appenders.of(writer, context, rows);
    for (const row of rows)
      appenders.open(row).place(prepareEvents(context.issuing, [loan(1)], SOURCE), principalOf(LOANS));
    const stored = [...(await appenders.store()).values()].flat();
    return Object.fromEntries(stored.map(({ stream_id, received_at }) => [stream_id, received_at]));
  });
}

test("no event says a time before what its stream and its receipt stand on, also where the clock has been set back", async (t) => {
  const made = await contextUnderTest(t);
  const { store, now } = made;
  const actor = principalOf(LOANS);
  await store.write(async (writer) => {
    await declarePolicy(writer, kernel, actor, { policy_id: "late" }, at(900));
    await declarePolicy(writer, kernel, actor, { policy_id: "early" }, at(20));
    await insertStream(writer, streamOf(LOANS, "str_late", { policy_id: "late" }));
    await insertStream(writer, streamOf(LOANS, "str_early", { policy_id: "early" }));
    await insertStream(writer, streamOf(LOANS, "str_undeclared", { policy_id: "none" }));
    await insertStream(writer, streamOf(LOANS, "str_new", { created_at: at(700) }));
    const sealed = await findStream(writer, BANK, "str_bank_1");
    assert.ok(sealed !== null);
    await moveWindows(writer, sealed, { toSeqNo: 0, unwindowedSince: null, closedAt: at(800) });
  });
  now.seconds = 30;
  const streams = [
    [BANK, "str_early"],
    [BANK, "str_late"],
    [BANK, "str_undeclared"],
    [BANK, "str_new"],
    [BANK, "str_bank_1"],
    [INSURER, "str_insurer_1"],
  ] as const;
  const first = {
    str_early: at(30),
    str_late: at(900),
    str_undeclared: at(30),
    str_new: at(700),
    str_bank_1: at(800),
    str_insurer_1: at(30),
  };
  assert.deepEqual(await times(made, streams), first);
  now.seconds = 25;
  assert.deepEqual(await times(made, streams), first, "not before the events that are there");
});

test("no event says a time before its key began to seal", async (t) => {
  const made = await contextUnderTest(t);
  await made.store.write((writer) => writer.run("UPDATE signing_keys SET valid_from = $1", at(1500)));
  assert.deepEqual(await times(made, [[BANK, "str_bank_1"]]), { str_bank_1: at(1500) });
});

test("policies are looked for by their tenants", async (t) => {
  const made = await contextUnderTest(t);
  const { store, now } = made;
  await store.write(async (writer) => {
    await declarePolicy(writer, kernel, principalOf(LOANS), { policy_id: "own" }, at(900));
    await insertStream(writer, streamOf(LOANS, "str_1", { policy_id: "own" }));
    await insertStream(writer, streamOf(LOANS, "str_2", { policy_id: "own" }));
    await insertStream(
      writer,
      streamOf({ tenantId: INSURER, systemId: "sys_insurer_claims" }, "str_3", { policy_id: "own" }),
    );
  });
  now.seconds = 30;
  assert.deepEqual(
    await times(made, [
      [INSURER, "str_3"],
      [BANK, "str_1"],
      [BANK, "str_2"],
    ]),
    { str_3: at(30), str_1: at(900), str_2: at(900) },
  );
});

test("a closed stream takes nothing, and says since when", async (t) => {
  const { store, context } = await contextUnderTest(t);
  await store.write((writer) =>
    writer.run("UPDATE streams SET closed_at = $1 WHERE stream_id = 'str_bank_1'", at(500)),
  );
  const opening = store.write(async (writer) => {
    const stream = await findStream(writer, BANK, "str_bank_1");
    assert.ok(stream !== null);
    return (await Appenders.of(writer, context, [stream])).open(stream);
  });
  await assert.rejects(opening, { code: "stream_closed", details: { stream_id: "str_bank_1", closed_at: at(500) } });
  await store.write(async (writer) => {
    const [known, other] = [await findStream(writer, BANK, "str_bank_4"), await findStream(writer, BANK, "str_bank_2")];
    assert.ok(known !== null && other !== null);
    const appenders = await Appenders.of(writer, context, [known]);
    assert.throws(() => appenders.open(other), TypeError, "a stream that was not read for it");
  });
});

test("a stream that was opened and got no event stays as it is", async (t) => {
  const { store, context } = await contextUnderTest(t);
  const found = () => store.read((reader) => findStream(reader, BANK, "str_bank_1"));
  const before = await found();
  const stored = await store.write(async (writer) => {
    assert.ok(before !== null);
    const appenders = await Appenders.of(writer, context, [before]);
    const appender = appenders.open(before);
    assert.deepEqual([appender.seqNo, appender.headHash], [0, ZERO_HASH]);
    return [...(await appenders.store()).values()];
  });
  assert.deepEqual([stored, await found()], [[[]], before]);
});

test("events are numbered and chained from the head on, which moves to the last", async (t) => {
  const { store, context } = await contextUnderTest(t);
  const append = (count: number) =>
    store.write(async (writer) => {
      const stream = await findStream(writer, BANK, "str_bank_1");
      assert.ok(stream !== null);
      const appenders = await Appenders.of(writer, context, [stream]);
      const appender = appenders.open(stream);
      const inputs = Array.from({ length: count }, (_, index) => loan(index));
      appender.place(prepareEvents(context.issuing, inputs, SOURCE), principalOf(LOANS));
      const [last] = (await appenders.store()).get(appender)?.slice(-1) ?? [];
      assert.deepEqual([appender.seqNo, appender.headHash], [last?.seq_no, last?.stream_head_hash]);
    });
  await append(2);
  await append(1);
  const { rows, stream } = await store.read(async (reader) => ({
    rows: plain(await reader.all<Record<string, string | number>>("SELECT * FROM events ORDER BY seq_no")),
    stream: await findStream(reader, BANK, "str_bank_1"),
  }));
  const hashes = rows.map(({ event_hash }) => event_hash);
  assert.deepEqual(
    rows.map(({ seq_no, previous_event_hash, received_at, occurred_at_utc, source_timezone, actor_id, status }) => [
      seq_no,
      previous_event_hash,
      received_at,
      occurred_at_utc,
      source_timezone,
      actor_id,
      status,
    ]),
    [1, 2, 3].map((seqNo) => [
      seqNo,
      seqNo === 1 ? ZERO_HASH : hashes[seqNo - 2],
      at(1000),
      "2026-03-01T09:15:30.500000000Z",
      "Europe/Berlin",
      LOANS.systemId,
      null,
    ]),
  );
  assert.deepEqual(
    [stream?.head_seq_no, stream?.head_event_hash, stream?.last_received_at, stream?.unwindowed_since],
    [3, hashes[2], at(1000), at(1000)],
  );
});
