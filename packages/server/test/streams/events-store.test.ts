/**
 * The store of events: a range belongs to its tenant and its stream, both ends included; a list is narrowed and comes
 * in parts.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { WriteConflict } from "@svc/host/store";
import {
  type EventFilter,
  erasePayload,
  eventIdsOfRange,
  eventsAfter,
  eventsOfRange,
  findEvent,
  hashesOfRange,
  payloadsOf,
  receivedAtOf,
} from "../../src/streams/events-store.ts";
import { findStream } from "../../src/streams/streams-store.ts";
import {
  BANK,
  CARDS,
  eventOf,
  INSURER,
  LOANS,
  plain,
  record,
  STREAMS as STORED,
  type Store,
  storeWithStreams,
} from "../store-under-test.ts";

/** Six events in one stream, and some with the same numbers in others: of the system, of its tenant, and of another. */
const STREAMS = [
  [BANK, "str_bank_1", 6],
  [BANK, "str_bank_2", 3],
  [BANK, "str_bank_5", 6],
  [INSURER, "str_insurer_1", 6],
] as const;

const EVENTS = STREAMS.flatMap(([tenantId, streamId, count]) =>
  Array.from({ length: count }, (_, index) => ({ tenantId, event: eventOf(streamId, index + 1) })),
);

async function recorded(t: Parameters<typeof storeWithStreams>[0]): Promise<Store> {
  const store = await storeWithStreams(t);
  for (const { tenantId, event } of EVENTS) await record(store, tenantId, [event]);
  return store;
}

const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index);

test("an event is found by its own tenant alone, with system, class and use case of its stream", async (t) => {
  const { read } = await recorded(t);
  const find = (tenantId: string, eventId: string) => read((reader) => findEvent(reader, tenantId, eventId));
  const systems: Record<string, string> = {
    str_bank_1: LOANS.systemId,
    str_bank_2: CARDS.systemId,
    str_bank_5: LOANS.systemId,
    str_insurer_1: "sys_insurer_claims",
  };
  for (const { tenantId, event } of EVENTS) {
    const { use_case } = STORED.find(({ stream_id }) => stream_id === event.stream_id) ?? assert.fail();
    const expected = { ...event, system_id: systems[event.stream_id], class: "legacy", use_case };
    assert.deepEqual({ ...(await find(tenantId, event.stream_event_id)) }, expected);
    assert.equal(await find(tenantId === BANK ? INSURER : BANK, event.stream_event_id), null);
  }
  assert.equal(await find(BANK, "sev_none"), null);
});

test("a range of events is its tenant's and its stream's, in order, both ends included", async (t) => {
  const { read } = await recorded(t);
  const [own, others] = [eventOf("str_bank_1", 1).stream_id, "str_insurer_1"];
  for (const [from, to] of [
    [2, 4],
    [3, 3],
    [5, 9],
    [4, 3],
  ] as const) {
    const expected = numbers(Math.max(0, Math.min(to, 6) - from + 1), from).map((seqNo) => eventOf(own, seqNo));
    const ids = expected.map(({ stream_event_id }) => stream_event_id);
    const payloads = expected.map(({ stream_event_id, stream_id, seq_no, payload, payload_salt, payload_hash }) => ({
      stream_event_id,
      stream_id,
      seq_no,
      payload,
      payload_salt,
      payload_hash,
    }));
    const hashes = expected.map(({ stream_event_id, seq_no, previous_event_hash, event_hash, received_at }) => ({
      stream_event_id,
      seq_no,
      previous_event_hash,
      event_hash,
      received_at,
    }));
    await read(async (reader) => {
      assert.deepEqual(plain(await eventsOfRange(reader, BANK, own, from, to)), expected);
      assert.deepEqual(await eventIdsOfRange(reader, BANK, own, from, to), ids);
      assert.deepEqual(plain(await payloadsOf(reader, BANK, own, from, to)), payloads);
      assert.deepEqual(plain(await hashesOfRange(reader, own, from, to)), hashes);
      for (const [tenantId, streamId] of [
        [INSURER, own],
        [BANK, others],
      ] as const) {
        assert.deepEqual(await eventsOfRange(reader, tenantId, streamId, from, to), []);
        assert.deepEqual(await eventIdsOfRange(reader, tenantId, streamId, from, to), []);
        assert.deepEqual(await payloadsOf(reader, tenantId, streamId, from, to), []);
      }
    });
  }
});

test("the time at which an event was received is that of its stream's number; null for a missing event", async (t) => {
  const store = await recorded(t);
  const late = eventOf("str_bank_4", 1, { received_at: eventOf("str_bank_4", 50).received_at });
  await record(store, BANK, [late]);
  await store.read(async (reader) => {
    assert.equal(await receivedAtOf(reader, "str_bank_4", 1), late.received_at);
    assert.equal(await receivedAtOf(reader, "str_bank_1", 3), eventOf("str_bank_1", 3).received_at);
    assert.equal(await receivedAtOf(reader, "str_bank_4", 2), null);
    assert.equal(await receivedAtOf(reader, "str_none", 1), null);
  });
});

test("a payload is erased in one event of its tenant, and in no other", async (t) => {
  const { read, write } = await recorded(t);
  const { stream_event_id } = eventOf("str_bank_1", 3);
  await assert.rejects(
    write((writer) => erasePayload(writer, INSURER, stream_event_id)),
    WriteConflict,
  );
  await assert.rejects(
    write((writer) => erasePayload(writer, BANK, "sev_none")),
    WriteConflict,
  );
  await write((writer) => erasePayload(writer, BANK, stream_event_id));
  for (const [tenantId, streamId, count] of STREAMS) {
    const expected = numbers(count).map((seqNo) => {
      const event = eventOf(streamId, seqNo);
      return event.stream_event_id === stream_event_id ? { ...event, payload: null, payload_salt: null } : event;
    });
    const found = await read((reader) => eventsOfRange(reader, tenantId, streamId, 1, 9));
    assert.deepEqual(plain(found), expected);
  }
  const left = await read((reader) => payloadsOf(reader, BANK, "str_bank_1", 2, 4));
  assert.deepEqual(
    left.map((row) => row.stream_event_id),
    [eventOf("str_bank_1", 2).stream_event_id, eventOf("str_bank_1", 4).stream_event_id],
  );
});

test("events behind a number are narrowed by type and by source, in parts, in a log and in any other stream", async (t) => {
  const { read } = await recorded(t);
  const any: EventFilter = { eventType: null, sourceRef: null };
  for (const streamId of ["str_bank_1", "str_bank_5"]) {
    const after = (filter: Partial<EventFilter>, afterSeqNo = 0, most = 10, tenant_id = BANK) =>
      read(async (reader) => {
        const stream = await findStream(reader, BANK, streamId);
        assert.ok(stream !== null);
        const { rows, end } = await eventsAfter(
          reader,
          { ...stream, tenant_id },
          { ...any, ...filter },
          { afterSeqNo, most },
        );
        assert.deepEqual(
          plain(rows),
          rows.map(({ seq_no }) => eventOf(streamId, seq_no)),
        );
        return [...rows.map(({ seq_no }) => seq_no), end];
      });
    assert.deepEqual(await after({}), [1, 2, 3, 4, 5, 6, null]);
    assert.deepEqual(await after({}, 2, 2), [3, 4, [4]]);
    assert.deepEqual(await after({}, 6), [null]);
    assert.deepEqual(await after({ eventType: "type-1" }), [1, 4, null]);
    assert.deepEqual(await after({ eventType: "type-0" }, 3), [6, null]);
    assert.deepEqual(await after({ eventType: "type-2" }, 0, 1), [2, [2]]);
    assert.deepEqual(await after({ sourceRef: "ref-1" }), [1, 3, 5, null]);
    assert.deepEqual(await after({ sourceRef: "ref-0" }, 2, 1), [4, [4]]);
    assert.deepEqual(await after({ eventType: "type-1", sourceRef: "ref-0" }), [4, null]);
    assert.deepEqual(await after({ eventType: "type-1", sourceRef: "ref-2" }), [null]);
    assert.deepEqual(await after({}, 0, 10, INSURER), [null], "another tenant's");
  }
});
