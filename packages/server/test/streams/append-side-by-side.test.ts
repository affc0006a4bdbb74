/**
 * Groups of appends on a database that writes several transactions at a time. The real one writes one at a time, so
 * here a transaction goes on, as far as anyone can see, until a test ends it.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { type Database, StoreUnavailable, WriteConflict, type Writer } from "@svc/host/store";
import { loan } from "@svc/testkit/server/loan";
import type { Context } from "../../src/context.ts";
import { Idempotency } from "../../src/idempotency/idempotency.ts";
import { Append } from "../../src/streams/append.ts";
import type { PreparedRequest } from "../../src/streams/append-request.ts";
import { prepareRequest } from "../../src/streams/appending.ts";
import { eventsOfRange } from "../../src/streams/events-store.ts";
import { insertStream } from "../../src/streams/streams-store.ts";
import { changed, contextUnderTest } from "../context-under-test.ts";
import { BANK, LOANS, plain, principalOf, streamOf } from "../store-under-test.ts";

const STREAMS = Array.from({ length: 10 }, (_, index) => `str_side_${index}`);

/** A transaction that a test ends. */
interface UnderWay {
  /** The streams that it has locked. */
  readonly streams: Set<string>;
  end(failure?: Error): void;
}

async function appending(t: TestContext, maxWriters = 4, groupStreams?: number) {
  const underWay = new Set<UnderWay>();
  let fails: Error | null = null;
  let beginning = 0;
  const around = (database: Database) =>
    changed<Database>(database, {
      maxWriters,
      write: async (work, options) => {
        if (fails !== null) throw fails;
        beginning += 1;
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const streams = new Set<string>();
        const one = { streams, end: (failure?: Error) => (failure === undefined ? resolve() : reject(failure)) };
        const working = database.write((writer) => {
          const all: Writer["all"] = (sql, ...values) => {
            if (sql.includes("FROM streams s"))
              for (const id of values) if (STREAMS.includes(`${id}`)) streams.add(`${id}`);
            return writer.all(sql, ...values);
          };
          return work(changed(writer, { all }));
        }, options);
        const result = await working.finally(() => {
          beginning -= 1;
        });
        underWay.add(one);
        await promise.finally(() => underWay.delete(one));
        return result;
      },
    });
  const { store, context } = await contextUnderTest(t, around);
  await store.write(async (writer) => {
    for (const id of STREAMS) await insertStream(writer, streamOf(LOANS, id));
  });
  const append = new Append(context, new Idempotency(context), groupStreams === undefined ? {} : { groupStreams });
  const asked = (streamId: string, key: string, afterKey: string | null = null, count = 1) =>
    append
      .append(
        prepareRequest(context, {
          principal: principalOf(LOANS),
          streamId,
          events: Array.from({ length: count }, (_, index) => loan(index)),
          isBatch: true,
          idempotencyKey: key,
          headMatch: null,
          afterKey,
          bytes: new Uint8Array(),
        }),
      )
      .then((rows) => rows.map(({ seq_no }) => seq_no));
  /** Resolves when no transaction begins any more until one of those under way ends. */
  const still = async () => {
    for (let turns = 0; turns < 20; turns++) {
      await turn();
      if (beginning > 0) turns = 0;
    }
  };
  const streams = () => [...underWay].map((one) => [...one.streams].sort());
  const endAll = async () => {
    for (await still(); underWay.size > 0; await still()) for (const one of underWay) one.end();
  };
  const fail = (failure: Error | null) => {
    fails = failure;
  };
  return { store, underWay, asked, still, streams, endAll, fail };
}

test("groups of different streams go on side by side, and no two with one stream", async (t) => {
  const { underWay, asked, still, streams, endAll } = await appending(t);
  const first = [asked("str_side_0", "a"), asked("str_side_1", "b"), asked("str_side_0", "c")];
  await still();
  assert.deepEqual(streams(), [["str_side_0", "str_side_1"]], "the requests of one turn are one group");
  const second = [asked("str_side_0", "d", "c"), asked("str_side_2", "e"), asked("str_side_1", "f")];
  await still();
  const third = [asked("str_side_2", "g"), asked("str_side_0", "h", "d")];
  await still();
  assert.deepEqual(streams(), [["str_side_0", "str_side_1"], ["str_side_2"]]);
  for (const one of underWay) if (one.streams.has("str_side_0")) one.end();
  await still();
  assert.deepEqual(streams(), [["str_side_2"], ["str_side_0", "str_side_1"]], "those that waited are one group");
  await endAll();
  assert.deepEqual(await Promise.all([...first, ...second, ...third]), [[1], [1], [2], [3], [1], [2], [2], [4]]);
});

test("a group has no more streams than it may, and those of other streams go on beside it", async (t) => {
  for (const maxWriters of [4, 1]) {
    const { asked, still, streams, endAll } = await appending(t, maxWriters, 1);
    const answers = [0, 1, 0, 2, 1, 0].map((place, index) => asked(`str_side_${place}`, `${index}`));
    await still();
    if (maxWriters > 1) assert.deepEqual(streams().toSorted(), [["str_side_0"], ["str_side_1"], ["str_side_2"]]);
    else for (const one of streams()) assert.equal(one.length, 1);
    await endAll();
    assert.deepEqual(await Promise.all(answers), [[1], [1], [2], [1], [2], [3]]);
  }
  const { asked, still, streams, endAll } = await appending(t, 4, 2);
  const answers = [0, 1, 2, 0, 2, 3, 4].map((place, index) => asked(`str_side_${place}`, `${index}`));
  await still();
  assert.deepEqual(streams().toSorted(), [["str_side_0", "str_side_1"], ["str_side_2", "str_side_3"], ["str_side_4"]]);
  await endAll();
  assert.deepEqual((await Promise.all(answers)).flat(), [1, 1, 1, 2, 2, 1, 1]);
});

test("no more groups go on than the database writes transactions, and the others are taken together", async (t) => {
  const { underWay, asked, still, streams, endAll } = await appending(t);
  const answers: Promise<number[]>[] = [];
  for (const id of STREAMS) {
    answers.push(asked(id, id));
    await still();
  }
  assert.deepEqual(streams().flat(), STREAMS.slice(0, 4));
  for (const one of underWay) if (one.streams.has("str_side_1")) one.end();
  await still();
  assert.deepEqual(streams().slice(3), [STREAMS.slice(4)]);
  await endAll();
  assert.deepEqual(
    await Promise.all(answers),
    STREAMS.map(() => [1]),
  );
});

test("a group that fails frees its streams, and what is left waits for nothing", async (t) => {
  const { store, underWay, asked, still, streams, endAll, fail } = await appending(t);
  const failed = asked("str_side_0", "a");
  await still();
  const next = asked("str_side_0", "b");
  for (const one of underWay) one.end(new StoreUnavailable("the server is gone"));
  await assert.rejects(failed, StoreUnavailable);
  await still();
  assert.deepEqual(streams(), [["str_side_0"]]);
  await endAll();
  await next;
  fail(new StoreUnavailable("no connection"));
  for (const outcome of await Promise.allSettled([asked("str_side_0", "c"), asked("str_side_1", "d")]))
    assert.equal(outcome.status === "rejected" && outcome.reason.message, "no connection");
  fail(null);
  const last = asked("str_side_0", "e");
  await endAll();
  assert.deepEqual(await last, [3]);
  assert.equal((await store.read((reader) => eventsOfRange(reader, BANK, "str_side_1", 1, 9))).length, 0);
});

test("a large request waits behind its own stream only, and a full group leaves the order as it is", async (t) => {
  const { asked, still, streams, endAll } = await appending(t);
  const first = asked("str_side_0", "a");
  await still();
  const answers = [
    asked("str_side_0", "b", null, 1999),
    asked("str_side_1", "c", null, 1999),
    asked("str_side_2", "d", null, 2),
    asked("str_side_1", "e"),
    asked("str_side_2", "f"),
  ];
  await still();
  assert.deepEqual(streams().sort(), [["str_side_0"], ["str_side_1"], ["str_side_2"]]);
  await endAll();
  const ends = (await Promise.all(answers)).map((numbers) => [numbers[0], numbers.at(-1)]);
  assert.deepEqual(ends, [
    [2, 2000],
    [1, 1999],
    [1, 2],
    [2000, 2000],
    [3, 3],
  ]);
  await first;
});

test("requests in any order to any streams end up in theirs, once each, and no two groups share a stream", async (t) => {
  const { store, underWay, asked, still, streams } = await appending(t);
  let shared = 0;
  let most = 0;
  const pending: Promise<unknown>[] = [];
  const endOne = () => {
    const all = streams().flat();
    shared += all.length - new Set(all).size;
    most = Math.max(most, underWay.size);
    const chosen = [...underWay][Math.floor(Math.random() * underWay.size)];
    chosen?.end();
  };
  for (let number = 0; number < 300; number++) {
    const stream = STREAMS[Math.floor(Math.random() * STREAMS.length)] ?? assert.fail();
    pending.push(asked(stream, `key-${number}`));
    if (number % 7 === 0) pending.push(asked(stream, `key-${number}`));
    if (number % 3 === 0) await still();
    if (number % 7 === 0) endOne();
  }
  let isOver = false;
  const all = Promise.all(pending).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    endOne();
    await turn();
  }
  await all;
  assert.equal(shared, 0);
  assert.ok(most > 1 && most <= 4, `${most} at a time`);
  const events = await store.read((reader) =>
    reader.all<{ stream_id: string; seq_no: number }>(
      "SELECT stream_id, seq_no FROM events WHERE stream_id LIKE 'str_side_%' ORDER BY stream_id, seq_no",
    ),
  );
  assert.equal(events.length, 300);
  const numbers = new Map<string, number>();
  for (const { stream_id, seq_no } of plain(events)) {
    assert.equal(seq_no, (numbers.get(stream_id) ?? 0) + 1);
    numbers.set(stream_id, seq_no);
  }
});

test("two servers on one database record each key once, in one chain for each stream", async (t) => {
  const { store, context } = await contextUnderTest(t);
  await store.write(async (writer) => {
    for (const id of STREAMS) await insertStream(writer, streamOf(LOANS, id));
  });
  const servers = [1, 2].map(() => new Append(context, new Idempotency(context)));
  const answers = new Map<string, Set<string>>();
  const ask = async (append: Append, key: string, streamId: string) => {
    const [outcome] = await Promise.allSettled([append.append(oneEvent(context, key, streamId))]);
    if (outcome.status === "rejected") assert.equal(outcome.reason.code, "idempotency_conflict");
    else {
      const ids = outcome.value.map((row) => `${row.stream_id} ${row.stream_event_id} ${row.event_hash}`).join();
      answers.set(key, (answers.get(key) ?? new Set()).add(ids));
    }
  };
  for (let round = 0; round < 20; round++)
    await Promise.all(
      servers.flatMap((append) =>
        Array.from({ length: 20 }, (_, index) =>
          // Both servers get every key, some for the same stream and some for another.
          ask(append, `key-${round}-${index}`, STREAMS[Math.floor(Math.random() * 3)] ?? assert.fail()),
        ),
      ),
    );
  assert.deepEqual(
    [...answers.values()].map(({ size }) => size),
    Array(400).fill(1),
  );
  const rows = await store.read(async (reader) => {
    const all = STREAMS.map((id) => eventsOfRange(reader, BANK, id, 1, 1000));
    return (await Promise.all(all)).map((events) => events.map(({ seq_no }) => seq_no));
  });
  assert.equal(rows.flat().length, 400);
  for (const numbers of rows)
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
    );
});

test("one key in two groups side by side is recorded once, and the other group finds it", async (t) => {
  // The second group looks for the key before the first one is committed, as it can at READ COMMITTED.
  const store = { isBlind: true };
  const around = (database: Database) =>
    changed<Database>(database, {
      maxWriters: 4,
      write: (work, options) =>
        database.write((writer) => {
          const all: Writer["all"] = async (sql, ...values) => {
            const rows = await writer.all(sql, ...values);
            if (!store.isBlind || !sql.includes("FROM idempotency_records") || rows.length === 0) return rows as never;
            store.isBlind = false;
            return [];
          };
          return work(changed(writer, { all }));
        }, options),
    });
  const { context } = await contextUnderTest(t, around);
  const append = new Append(context, new Idempotency(context));
  const asked = (streamId: string) => append.append(oneEvent(context, "one", streamId));
  const rows = await asked("str_bank_1");
  const [again, other] = await Promise.allSettled([asked("str_bank_1"), asked("str_bank_4")]);
  assert.equal(store.isBlind, false);
  assert.ok(again.status === "fulfilled");
  assert.deepEqual(plain(again.value), plain(rows));
  assert.ok(other.status === "rejected" && !(other.reason instanceof WriteConflict));
  assert.equal(other.reason.code, "idempotency_conflict");
});

function oneEvent(context: Context, idempotencyKey: string, streamId: string): PreparedRequest {
  return prepareRequest(context, {
    principal: principalOf(LOANS),
    streamId,
    events: [loan(1)],
    isBatch: false,
    idempotencyKey,
    headMatch: null,
    afterKey: null,
    bytes: new Uint8Array(),
  });
}
