/**
 * The lists of the event log against a naive filter: every filter alone and with others, page by page, over a log of
 * two streams with erased events; while events are appended; and over the stretches of the index by time. SVC_LOG_RUNS
 * raises the number of runs, SVC_LOG_SEED repeats a run.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { KEY_ACTIONS } from "@svc/api";
import { normalizedUtc } from "@svc/host/clock";
import { runs } from "@svc/testkit/runs";
import { runSql } from "@svc/testkit/server/changed-rows";
import { Client } from "@svc/testkit/server/client";
import { startServer } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";
import fc from "fast-check";
import { type LogFilter, loggedAfter } from "../../src/event-log/list-store.ts";
import { systemKeysOf } from "../../src/tenancy/system-keys.ts";
import { entry, log, logBatch } from "./event-log.ts";

const RUNS = Number(process.env.SVC_LOG_RUNS ?? runs(80));
const SEED = Number(process.env.SVC_LOG_SEED ?? Date.now() % 2 ** 31);

const TYPES = ["loan.asked", "loan.decided", "Loan.decided"];
const STATUSES = ["granted", "refused", "open"];
const REFERENCES = ["loan-1", "loan-2", "loan-%", "loan-\u{1f600}", "LOAN-1"];
/** Some of them are one time in several forms; others exceed the four digits of a year. */
const TIMES = [
  "2026-03-01T10:15:30+01:00",
  "2026-03-01T09:15:30Z",
  "2026-03-01T09:15:30.000000001Z",
  "2026-03-01T09:15:30.5-00:30",
  "0000-01-01T00:00:00+14:00",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59-14:00",
  "9999-12-31T23:59:59.999999999Z",
];

interface Sent {
  readonly type: string;
  readonly status: string;
  readonly source_ref: string;
  readonly occurred_at: string;
}
type Query = Readonly<Record<string, string>>;
// biome-ignore lint/suspicious/noExplicitAny: items are read by the members that the test expects
type Item = any;

const sent = fc.record<Sent>({
  type: fc.constantFrom(...TYPES),
  status: fc.constantFrom(...STATUSES),
  source_ref: fc.constantFrom(...REFERENCES),
  occurred_at: fc.constantFrom(...TIMES),
});
const time = fc.constantFrom(...TIMES, "2026-03-01T09:15:30.000000002Z");
const query = fc.record<Query>(
  {
    type: fc.constantFrom(...TYPES, "none"),
    status: fc.constantFrom(...STATUSES, "none", ""),
    source_ref: fc.constantFrom(...REFERENCES, "loan-", "\u0000"),
    occurred_from: time,
    occurred_before: time,
  },
  { requiredKeys: [] },
);

/** Returns nanoseconds since 1970, by other means than the server's. */
function nanoseconds(text: string): bigint {
  const [, seconds, fraction = "", offset] = /^(.{19})(?:\.(\d+))?(.+)$/.exec(text) ?? [];
  return BigInt(Date.parse(`${seconds}${offset}`)) * 1_000_000n + BigInt(fraction.padEnd(9, "0"));
}

function isWanted(event: Sent, isErased: boolean, wanted: Query): boolean {
  const { occurred_from, occurred_before, status, ...equal } = wanted;
  const occurred = nanoseconds(event.occurred_at);
  return (
    Object.entries(equal).every(([name, value]) => event[name as keyof Sent] === value) &&
    (status === undefined || (!isErased && event.status === status)) &&
    (occurred_from === undefined || occurred >= nanoseconds(occurred_from)) &&
    (occurred_before === undefined || occurred < nanoseconds(occurred_before))
  );
}

async function all(client: Client, wanted: Query, limit: number, onPage?: () => Promise<unknown>): Promise<Item[]> {
  const items = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const given = new URLSearchParams({ ...wanted, limit: `${limit}`, ...(cursor === "" ? {} : { cursor }) });
    const { status, body, text } = await client.get(`/v1/events?${given}`);
    assert.equal(status, 200, text);
    assert.ok(body.items.length <= limit);
    items.push(...body.items);
    cursor = body.next_cursor;
    await onPage?.();
  }
  return items;
}

async function startErasing(t: TestContext) {
  const here = await startServer(t, { requestsPerSecondOfKey: 0 });
  const { made, server } = here;
  const { context } = server.service;
  const systemKeys = systemKeysOf(context);
  const { tenant_id: tenantId, system_id: systemId } = made;
  const actor = { tenantId, kind: "service", id: "test", roles: [] } as const;
  const limits = { actions: KEY_ACTIONS, streams: null };
  const key = await context.database.write((writer) =>
    systemKeys.create(writer, { tenantId, systemId, limits }, actor),
  );
  const client = new Client(server.url, key);
  const erase = ({ stream_id, stream_event_id }: Item) =>
    client.post(`/v2/streams/${stream_id}/events/${stream_event_id}/erase`, { reason: "request 17" });
  return { ...here, client, erase };
}

test("filters and pages are those of a naive filter", async (t) => {
  t.diagnostic(`SVC_LOG_SEED=${SEED} SVC_LOG_RUNS=${RUNS}`);
  const here = await startErasing(t);
  const { client, erase } = here;
  const events = fc.sample(sent, { numRuns: 150, seed: SEED });
  const record = async (some: readonly Sent[]) => {
    const bodies = some.map((event, number) => entry(number, event));
    return (await logBatch(client, bodies)).body.receipts as Item[];
  };
  const first = await record(events.slice(0, 100));
  await runSql(here, "UPDATE streams SET closed_at = created_at WHERE stream_id = $1", first[0].stream_id);
  const records = [...first, ...(await record(events.slice(100)))];
  const erased = new Set([...records.keys()].filter((index) => index % 9 === 4));
  for (const index of erased) assert.equal((await erase(records[index])).status, 200);

  const property = fc.asyncProperty(query, fc.constantFrom(1, 2, 7, 50, 500), async (wanted, limit) => {
    const expected = records.filter((_, index) => isWanted(events[index] as Sent, erased.has(index), wanted));
    // A long list takes long in pages of one item.
    const pages = expected.length / limit > 40 ? 50 : limit;
    const items = await all(client, wanted, pages);
    assert.deepEqual(
      items.map((item) => item.stream_event_id),
      expected.map((item) => item.stream_event_id),
    );
    for (const { stream_event_id, status } of items) {
      const index = records.findIndex((one) => one.stream_event_id === stream_event_id);
      assert.equal(status, erased.has(index) ? null : events[index]?.status);
    }
  });
  await fc.assert(property, { numRuns: RUNS, seed: SEED });
});

test("pages stay the same while others append: none twice, none left out, the same order again", async (t) => {
  const { client } = await startServer(t, { requestsPerSecondOfKey: 0 });
  await logBatch(
    client,
    Array.from({ length: 30 }, (_, number) => entry(number)),
  );
  let number = 30;
  let recorded = 0;
  let writing = true;
  const writers = Array.from({ length: 4 }, async () => {
    while (writing) {
      number += 1;
      // Events come later than the time in them: neither order is the other's.
      const occurred_at = new Date(Date.UTC(2026, 2, 1) - number * 60_000).toISOString();
      assert.equal((await log(client, entry(number, { occurred_at }))).status, 201);
      recorded += 1;
    }
  });
  const wanted = { status: "granted", occurred_before: "2026-03-02T00:00:00Z" };
  const reading = all(client, wanted, 3, async () => {
    const before = recorded;
    if (recorded > 60) writing = false;
    else await until("another event is recorded between two pages", async () => (recorded > before ? true : null));
  });
  const items = await reading.finally(() => {
    writing = false;
  });
  await Promise.all(writers);
  const ids = items.map(({ stream_event_id }) => stream_event_id);
  assert.equal(new Set(ids).size, ids.length);
  const again = await all(client, wanted, 500);
  assert.deepEqual(
    again.slice(0, ids.length).map(({ stream_event_id }) => stream_event_id),
    ids,
  );
  assert.ok(ids.length >= 20, "those that were there at first are all there");
});

test("what is no cursor, no time or no parameter of the list is refused", async (t) => {
  const { client } = await startServer(t);
  await log(client, entry(1));
  const cursor = (text: string) => `cursor=${Buffer.from(text).toString("base64url")}`;
  assert.equal((await client.get(`/v1/events?${cursor("1.1")}`)).status, 200);
  for (const text of ["1", "1.", ".1", "0.1", "1.0", "1.1.1", "1.-1", "1.1e3", "01.1", " 1.1", "1.99999999999999999"]) {
    const { status, body } = await client.get(`/v1/events?${cursor(text)}`);
    assert.deepEqual([status, body.detail?.problems?.[0].path], [422, "?cursor"], text);
  }
  const refused = ["occurred_from=2026-03-01", "occurred_from=2026-03-01T10:15:30+01:00", "occurred_before=x"];
  for (const given of [...refused, "limit=0", "limit=501", "state=granted", "type=a&type=b", "status[]=granted"]) {
    const { status, body } = await client.get(`/v1/events?${given}`);
    assert.deepEqual([status, body.detail.code], [422, "invalid_request"], given);
  }
});

test("times that are in no order, over stretches of the index, whichever index leads to them", async (t) => {
  const { client, made, server } = await startServer(t, { requestsPerSecondOfKey: 0 });
  const start = Date.UTC(2026, 2, 1);
  const minute = (number: number) => new Date(start + number * 60_000).toISOString();
  // A third each comes backwards, forwards and mixed.
  const minuteOf = [(n: number) => 9000 - n, (n: number) => n, (n: number) => (n * 7919) % 9000];
  const events = Array.from({ length: 9000 }, (_, index) =>
    entry(index, {
      type: index % 100 === 0 ? "rare" : "common",
      occurred_at: minute(minuteOf[Math.floor(index / 3000)]?.(index) ?? 0),
    }),
  );
  let streamId = "";
  for (let from = 0; from < events.length; from += 1000) {
    const { body } = await logBatch(client, events.slice(from, from + 1000));
    streamId = body.receipts[0].stream_id;
  }
  const { database } = server.service.context;
  const range = (from: number | null, before: number | null) => ({
    occurredFrom: from === null ? null : normalizedUtc(minute(from)),
    occurredBefore: before === null ? null : normalizedUtc(minute(before)),
  });
  const ranges = [
    range(0, null),
    range(null, 9001),
    range(10, 12),
    range(4000, 5100),
    range(8999, null),
    range(20, 10),
  ];
  const words = [{}, { type: "common" }, { type: "rare" }, { status: "granted" }, { type: "rare", status: "granted" }];
  // The ranges are within one stretch, over some of them, and over all.
  for (const some of ranges)
    for (const word of words)
      for (const bound of [50, 5000, 20_000]) {
        const filter: LogFilter = { type: null, status: null, sourceRef: null, ...some, ...word };
        const wanted = events.flatMap((event, index) => {
          const occurred = normalizedUtc(event.occurred_at);
          const is =
            occurred >= (some.occurredFrom ?? "") &&
            occurred < (some.occurredBefore ?? "~") &&
            Object.entries(word).every(([name, value]) => event[name as "type" | "status"] === value);
          return is ? [index + 1] : [];
        });
        const found: number[] = [];
        for (let afterSeqNo = 0; ; ) {
          const part = { tenantId: made.tenant_id, streamId, afterSeqNo, most: 700 };
          const { rows, end } = await database.read((reader) => loggedAfter(reader, filter, part, bound));
          found.push(...rows.map(({ seq_no }) => seq_no));
          if (end === null) break;
          assert.ok(Number(end[0]) > afterSeqNo, "each page looks further");
          afterSeqNo = Number(end[0]);
        }
        assert.deepEqual(found, wanted, `${JSON.stringify(filter)} ${bound}`);
      }
});
