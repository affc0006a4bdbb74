/** The store of streams: their owners, the filters of their lists, and the streams that wait to be sealed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { kernel } from "../../src/kernel.ts";
import { PURPOSES } from "../../src/streams/purposes.ts";
import {
  demandSealOf,
  findLifecycleStream,
  findStream,
  insertStream,
  lastRecordedAt,
  listedStream,
  metadataOf,
  moveCheckpoints,
  moveWindows,
  oldestStream,
  type StreamRow,
  type StreamsAsked,
  streamIdsOfSystem,
  streamsAwaitingCheckpoint,
  streamsAwaitingWindow,
  streamsOfSystem,
} from "../../src/streams/streams-store.ts";
import {
  at,
  BANK,
  CARDS,
  CLAIMS,
  eventOf,
  FRAUD,
  INSURER,
  LOANS,
  lifecycleOf,
  plain,
  record,
  STREAMS,
  type Store,
  storeUnderTest,
  storeWithStreams,
  storeWithTenants,
  streamOf,
} from "../store-under-test.ts";

/** Resolves to the row of an existing stream. */
async function rowOf({ read }: Store, tenantId: string, streamId: string): Promise<StreamRow> {
  const row = await read((reader) => findStream(reader, tenantId, streamId));
  assert.ok(row !== null);
  return { ...row };
}

async function allRows(store: Store): Promise<StreamRow[]> {
  return Promise.all(STREAMS.map(({ tenant_id, stream_id }) => rowOf(store, tenant_id, stream_id)));
}

const idsOf = (rows: readonly { readonly stream_id: string }[]) => rows.map(({ stream_id }) => stream_id);

test("a stream is found by its own tenant alone, with the time zone of its system or else of its tenant", async (t) => {
  const store = await storeWithStreams(t);
  const zones: Record<string, string | null> = {};
  for (const { tenant_id, stream_id } of STREAMS) {
    zones[stream_id] = (await rowOf(store, tenant_id, stream_id)).source_timezone;
    const other = tenant_id === BANK ? INSURER : BANK;
    const found = await store.read(async (reader) => [
      await findStream(reader, other, stream_id),
      await listedStream(reader, other, stream_id),
    ]);
    assert.deepEqual(found, [null, null], stream_id);
  }
  assert.deepEqual(zones, {
    str_bank_1: "Europe/Berlin",
    str_bank_2: "Asia/Tokyo",
    str_bank_3: "Europe/Berlin",
    str_bank_4: "Europe/Berlin",
    str_bank_5: "Europe/Berlin",
    str_bank_6: "Asia/Tokyo",
    str_insurer_1: "America/Lima",
    str_insurer_2: "UTC",
    str_insurer_3: "America/Lima",
    str_insurer_4: "America/Lima",
    str_insurer_5: "UTC",
  });
});

test("a new stream is as it was asked for, and empty", async (t) => {
  const store = await storeWithStreams(t);
  const { source_timezone: _zone, ...row } = await rowOf(store, BANK, "str_bank_4");
  const { head_event_hash, ...asked } = streamOf(LOANS, "str_bank_4", {
    use_case: "claims",
    policy_id: "strict",
    policy_explicit: true,
  });
  assert.deepEqual(row, {
    ...asked,
    policy_explicit: 1,
    head_seq_no: 0,
    head_event_hash,
    last_received_at: null,
    unwindowed_since: null,
    windowed_to_seq_no: 0,
    seal_demanded_to: 0,
    window_count: 0,
    checkpointed_window_count: 0,
    checkpointed_to_seq_no: 0,
    last_sealed_at: null,
    closed_at: null,
    event_log_no: null,
  });
  assert.equal((await rowOf(store, BANK, "str_bank_5")).event_log_no, 1);
});

test("a listed stream has its metadata as a value, and a text that is no JSON is not read", async (t) => {
  const { read } = await storeWithStreams(t);
  const listed = await read((reader) => listedStream(reader, BANK, "str_bank_2"));
  assert.ok(listed !== null);
  assert.deepEqual(
    { ...listed },
    {
      stream_id: "str_bank_2",
      class: "legacy",
      system_id: CARDS.systemId,
      use_case: "loans",
      policy_id: "default",
      metadata: '{"of":"str_bank_2"}',
      created_at: at(10),
      closed_at: null,
      head_seq_no: 0,
    },
  );
  assert.deepEqual({ ...metadataOf(kernel, listed) }, { of: "str_bank_2" });
  assert.throws(() => metadataOf(kernel, { ...listed, metadata: "{" }), /the metadata of str_bank_2 are not JSON/);
});

test("a tenant's lifecycle stream is its own open one", async (t) => {
  const store = await storeWithTenants(t);
  const find = async (tenantId: string) =>
    (await store.read((reader) => findLifecycleStream(reader, tenantId, PURPOSES.evidence)))?.stream_id ?? null;
  await store.write((writer) => insertStream(writer, streamOf(LOANS, "str_0")));
  await store.write((writer) => insertStream(writer, lifecycleOf(INSURER, "str_1")));
  assert.deepEqual([await find(BANK), await find(INSURER)], [null, "str_1"]);
  await store.write((writer) => insertStream(writer, lifecycleOf(BANK, "str_2")));
  assert.deepEqual([await find(BANK), await find(INSURER)], ["str_2", "str_1"]);
  await store.write((writer) => writer.run("UPDATE streams SET closed_at = $1 WHERE stream_id = 'str_2'", at(1)));
  assert.deepEqual([await find(BANK), await find(INSURER)], [null, "str_1"]);
  await store.write((writer) => insertStream(writer, lifecycleOf(BANK, "str_3")));
  assert.deepEqual([await find(BANK), await find(INSURER)], ["str_3", "str_1"]);
  await assert.rejects(store.write((writer) => insertStream(writer, lifecycleOf(BANK, "str_4"))));
  const ofPurpose = { ...lifecycleOf(BANK, "str_5"), use_case: PURPOSES.administration };
  await store.write((writer) => insertStream(writer, ofPurpose));
  assert.equal(await find(BANK), "str_3", "each purpose has one open stream");
  const zones = await store.read(async (reader) => [
    (await findLifecycleStream(reader, BANK, PURPOSES.evidence))?.source_timezone,
    (await findLifecycleStream(reader, INSURER, PURPOSES.evidence))?.source_timezone,
  ]);
  assert.deepEqual(zones, ["Europe/Berlin", "America/Lima"]);
});

test("a list of streams has a system's own and its tenant's lifecycle stream, narrowed, in order, in parts", async (t) => {
  const { read, write } = await storeWithStreams(t);
  await write((writer) => writer.run("UPDATE streams SET class = 'provenance' WHERE stream_id = 'str_bank_4'"));
  const all: StreamsAsked = { useCase: null, streamClass: null, hidden: [], only: null, afterId: "", most: 10 };
  const list = (system: { readonly tenantId: string; readonly systemId: string }, asked: Partial<StreamsAsked> = {}) =>
    read(async (reader) => {
      const { rows, end } = await streamsOfSystem(reader, system, { ...all, ...asked });
      return [...idsOf(rows), end];
    });
  assert.deepEqual(await list(LOANS), ["str_bank_1", "str_bank_3", "str_bank_4", "str_bank_5", null]);
  assert.deepEqual(await list(CARDS), ["str_bank_2", "str_bank_3", "str_bank_6", null]);
  const hidden = [PURPOSES.evidence];
  assert.deepEqual(await list(CARDS, { hidden }), ["str_bank_2", "str_bank_6", null]);
  assert.deepEqual(await list(CARDS, { hidden, only: ["str_bank_2", "str_bank_3"] }), ["str_bank_2", null]);
  assert.deepEqual(
    await list(CARDS, { hidden: ["loans"] }),
    await list(CARDS),
    "a use case of a system's own hides nothing",
  );
  assert.deepEqual(await list(CLAIMS), ["str_insurer_1", "str_insurer_3", "str_insurer_4", null]);
  assert.deepEqual(await list(FRAUD), ["str_insurer_2", "str_insurer_3", "str_insurer_5", null]);
  assert.deepEqual(await list({ tenantId: INSURER, systemId: LOANS.systemId }), ["str_insurer_3", null]);

  assert.deepEqual(await list(LOANS, { useCase: "loans" }), ["str_bank_1", "str_bank_5", null]);
  assert.deepEqual(await list(LOANS, { useCase: PURPOSES.evidence }), ["str_bank_3", null]);
  assert.deepEqual(await list(LOANS, { useCase: "cards" }), [null]);
  assert.deepEqual(await list(LOANS, { streamClass: "legacy" }), ["str_bank_1", "str_bank_5", null]);
  assert.deepEqual(await list(LOANS, { streamClass: "provenance" }), ["str_bank_4", null]);
  assert.deepEqual(await list(LOANS, { streamClass: "lifecycle" }), ["str_bank_3", null]);
  assert.deepEqual(await list(LOANS, { streamClass: "legacy", useCase: "claims" }), [null]);
  assert.deepEqual(await list(LOANS, { streamClass: "provenance", useCase: "claims" }), ["str_bank_4", null]);
  assert.deepEqual(await list(LOANS, { streamClass: "lifecycle", useCase: "loans" }), [null]);

  const parts = { most: 2 };
  assert.deepEqual(await list(LOANS, parts), ["str_bank_1", "str_bank_3", ["str_bank_3"]]);
  assert.deepEqual(await list(LOANS, { ...parts, afterId: "str_bank_3" }), [
    "str_bank_4",
    "str_bank_5",
    ["str_bank_5"],
  ]);
  assert.deepEqual(await list(LOANS, { ...parts, afterId: "str_bank_5" }), [null]);
  assert.deepEqual(await list(LOANS, { useCase: "loans", most: 1 }), ["str_bank_1", ["str_bank_1"]]);

  const only = ["str_bank_1", "str_bank_2", "str_bank_3", "str_bank_4", "str_insurer_1", "str_insurer_3", "str_none"];
  assert.deepEqual(await list(LOANS, { only: [] }), [null]);
  assert.deepEqual(await list(LOANS, { only }), ["str_bank_1", "str_bank_3", "str_bank_4", null]);
  assert.deepEqual(await list(CLAIMS, { only }), ["str_insurer_1", "str_insurer_3", null]);
  assert.deepEqual(await list(LOANS, { only, most: 2 }), ["str_bank_1", "str_bank_3", ["str_bank_3"]]);
  assert.deepEqual(await list(LOANS, { only, afterId: "str_bank_1" }), ["str_bank_3", "str_bank_4", null]);
  assert.deepEqual(await list(LOANS, { only, useCase: "loans" }), ["str_bank_1", null]);
  assert.deepEqual(await list(LOANS, { only, streamClass: "provenance" }), ["str_bank_4", null]);
});

test("the ids of a system's streams are its own, in order, at most so many, of the named ones where some are named", async (t) => {
  const { read } = await storeWithStreams(t);
  const ids = (system: typeof LOANS | typeof CLAIMS, only: readonly string[] | null, most = 10) =>
    read((reader) => streamIdsOfSystem(reader, system, only, most));
  assert.deepEqual(await ids(LOANS, null), ["str_bank_1", "str_bank_4", "str_bank_5"]);
  assert.deepEqual(await ids(LOANS, null, 2), ["str_bank_1", "str_bank_4"]);
  assert.deepEqual(await ids(CLAIMS, null), ["str_insurer_1", "str_insurer_4"]);
  assert.deepEqual(await ids(LOANS, []), []);
  assert.deepEqual(await ids(LOANS, ["str_insurer_1", "str_bank_5", "str_bank_2", "str_bank_1"]), [
    "str_bank_1",
    "str_bank_5",
  ]);
});

test("a seal is demanded of one stream, and only up to where no window is and nobody has demanded one", async (t) => {
  const store = await storeWithStreams(t);
  const demanded = async () =>
    Object.fromEntries(
      (await allRows(store)).flatMap(({ stream_id, seal_demanded_to: to }) => (to === 0 ? [] : [[stream_id, to]])),
    );
  const demand = (tenantId: string, streamId: string, toSeqNo: number) =>
    store.write((writer) => demandSealOf(writer, tenantId, streamId, toSeqNo));
  await demand(INSURER, "str_bank_1", 3);
  assert.deepEqual(await demanded(), {});
  await demand(BANK, "str_bank_1", 3);
  await demand(INSURER, "str_insurer_1", 1);
  assert.deepEqual(await demanded(), { str_bank_1: 3, str_insurer_1: 1 });
  await demand(BANK, "str_bank_1", 2);
  assert.deepEqual(await demanded(), { str_bank_1: 3, str_insurer_1: 1 });
  const old = await rowOf(store, BANK, "str_bank_1");
  await store.write((writer) => moveWindows(writer, old, { toSeqNo: 5, unwindowedSince: null, closedAt: at(1) }));
  for (const toSeqNo of [4, 5]) {
    await demand(BANK, "str_bank_1", toSeqNo);
    assert.deepEqual(await demanded(), { str_bank_1: 3, str_insurer_1: 1 }, "a window has it");
  }
  await demand(BANK, "str_bank_1", 6);
  assert.deepEqual(await demanded(), { str_bank_1: 6, str_insurer_1: 1 });
});

test("a demand that is met already changes no row", async (t) => {
  const store = await storeWithStreams(t);
  const counted = (toSeqNo: number) =>
    store.write(async (writer) => {
      let changed = 0;
      const run = async (...asked: Parameters<typeof writer.run>) => {
        const rows = await writer.run(...asked);
        changed += rows;
        return rows;
      };
      await demandSealOf({ ...writer, run }, BANK, "str_bank_1", toSeqNo);
      return changed;
    });
  assert.deepEqual([await counted(3), await counted(3), await counted(2), await counted(4)], [1, 0, 0, 1]);
});

test("the oldest stream and the last recorded time are the deployment's", async (t) => {
  const empty = await storeUnderTest(t);
  assert.deepEqual(await empty.read(async (reader) => [await oldestStream(reader), await lastRecordedAt(reader)]), [
    null,
    null,
  ]);
  const store = await storeWithStreams(t);
  assert.deepEqual({ ...(await store.read(oldestStream)) }, { stream_id: "str_bank_1", system_id: LOANS.systemId });
  assert.equal(await store.read(lastRecordedAt), null);
  await record(store, INSURER, [eventOf("str_insurer_1", 1, { received_at: at(7) })]);
  await record(store, BANK, [eventOf("str_bank_1", 1, { received_at: at(5) })]);
  assert.equal(await store.read(lastRecordedAt), at(7));
});

/** Makes a stream whose events wait for a window since a time. */
async function waitingSince(store: Store, tenantId: string, streamId: string, seconds: number): Promise<void> {
  await record(store, tenantId, [eventOf(streamId, 1, { received_at: at(seconds) })]);
}

test("streams wait for a window in the order of their first event without one, in parts, the closed ones not", async (t) => {
  const store = await storeWithStreams(t);
  const waiting = (after: StreamRow | null, most: number) =>
    store.read(async (reader) => plain(await streamsAwaitingWindow(reader, after, most)));
  assert.deepEqual(await waiting(null, 10), []);
  await waitingSince(store, BANK, "str_bank_1", 9);
  await waitingSince(store, INSURER, "str_insurer_2", 7);
  await waitingSince(store, INSURER, "str_insurer_1", 8);
  await waitingSince(store, BANK, "str_bank_4", 8);
  await waitingSince(store, BANK, "str_bank_6", 6);
  await store.write((writer) => writer.run("UPDATE streams SET closed_at = $1 WHERE stream_id = 'str_bank_6'", at(9)));
  const all = await waiting(null, 10);
  assert.deepEqual(idsOf(all), ["str_insurer_2", "str_bank_4", "str_insurer_1", "str_bank_1"]);
  assert.deepEqual(all[0], { ...(await rowOf(store, INSURER, "str_insurer_2")), source_timezone: null });
  assert.deepEqual(idsOf(await waiting(null, 2)), ["str_insurer_2", "str_bank_4"]);
  assert.deepEqual(idsOf(await waiting(all[1] ?? null, 2)), ["str_insurer_1", "str_bank_1"]);
  assert.deepEqual(await waiting(all[3] ?? null, 2), []);
});

test("streams wait for a checkpoint over windows that none covers, in parts, the closed ones not", async (t) => {
  const store = await storeWithStreams(t);
  const waiting = (after: StreamRow | null, most: number) =>
    store.read(async (reader) => plain(await streamsAwaitingCheckpoint(reader, after, most)));
  assert.deepEqual(await waiting(null, 10), []);
  const window = { toSeqNo: 1, unwindowedSince: null, closedAt: at(1) };
  for (const [tenantId, streamId] of [
    [BANK, "str_bank_4"],
    [BANK, "str_bank_1"],
    [INSURER, "str_insurer_1"],
    [INSURER, "str_insurer_2"],
    [BANK, "str_bank_6"],
  ] as const) {
    const old = await rowOf(store, tenantId, streamId);
    await store.write((writer) => moveWindows(writer, old, window));
  }
  const covered = await rowOf(store, INSURER, "str_insurer_2");
  await store.write((writer) => moveCheckpoints(writer, covered, { windowCount: 1, toSeqNo: 1, createdAt: at(2) }));
  await store.write((writer) => writer.run("UPDATE streams SET closed_at = $1 WHERE stream_id = 'str_bank_6'", at(9)));
  const all = await waiting(null, 10);
  assert.deepEqual(idsOf(all), ["str_bank_1", "str_bank_4", "str_insurer_1"]);
  assert.deepEqual(all[0], { ...(await rowOf(store, BANK, "str_bank_1")), source_timezone: null });
  assert.deepEqual(idsOf(await waiting(null, 2)), ["str_bank_1", "str_bank_4"]);
  assert.deepEqual(idsOf(await waiting(all[0] ?? null, 10)), ["str_bank_4", "str_insurer_1"]);
  assert.deepEqual(await waiting(all[2] ?? null, 10), []);
});
