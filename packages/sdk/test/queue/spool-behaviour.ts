/** The behaviour that every spool must have, on any medium. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { KEPT_KEYS, type ReadLimits, type Spool, type SpooledEvent } from "../../src/index.ts";

export const STREAM = "str_00000000000000000000000001";
const ALL: ReadLimits = { events: 1000, bytes: Number.POSITIVE_INFINITY };

/** Returns an event with a number in it. */
export function spooled(number: number, at = 1000 + number): SpooledEvent {
  const text = JSON.stringify({ source_ref: `reading-${number} ü\u2028`, payload: { number } });
  return { text, bytes: Buffer.byteLength(text), at };
}

export function numbersOf(events: readonly SpooledEvent[]): number[] {
  return events.map(({ text }) => JSON.parse(text).payload.number);
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** `reopen` closes a spool and opens its medium again; `outlives` says whether the medium kept anything. */
export function behavesAsSpool(name: string, fresh: () => Spool, reopen: (spool: Spool) => Promise<Spool>): void {
  describe(name, () => {
    test("gives back what was added, in order, from any position behind those that were settled", async () => {
      const spool = fresh();
      const empty = { last: 0, done: 0, doneSeqNo: 0, batches: [], bytes: 0, keys: [], cutBytes: 0 };
      assert.deepEqual(await spool.open(STREAM), empty);
      await spool.add(range(1, 3).map((number) => spooled(number)));
      await spool.add([spooled(4)]);
      await spool.add(range(5, 9).map((number) => spooled(number)));
      assert.deepEqual(numbersOf(await spool.read(1, ALL)), range(1, 9));
      assert.deepEqual(numbersOf(await spool.read(6, ALL)), range(6, 9));
      assert.deepEqual(numbersOf(await spool.read(2, { ...ALL, events: 4 })), range(2, 5));
      const [first, second] = await spool.read(1, ALL);
      assert.deepEqual(first, { ...spooled(1), at: 1001 });
      const two = (first?.bytes ?? 0) + (second?.bytes ?? 0);
      assert.deepEqual(numbersOf(await spool.read(1, { ...ALL, bytes: two })), [1, 2]);
      assert.deepEqual(numbersOf(await spool.read(1, { ...ALL, bytes: two - 1 })), [1]);
      assert.deepEqual(numbersOf(await spool.read(1, { ...ALL, bytes: 1 })), [1], "one, whatever its size");
      await spool.settle(4, 40);
      assert.deepEqual(numbersOf(await spool.read(5, ALL)), range(5, 9));
      await spool.close();
    });

    test("what waits, the batches and how far all has come are there when it is opened again", async () => {
      const spool = fresh();
      await spool.open(STREAM);
      await spool.add(range(1, 9).map((number) => spooled(number)));
      const first = { key: "first", first: 1, last: 4, madeAt: 17 };
      await spool.keepBatch({ ...first, key: "in place of which come two others", last: 6 });
      const second = { key: "second", first: 5, last: 7, madeAt: 18 };
      await spool.keepBatch(second);
      await spool.keepBatch(first);
      const waiting = (from: number) => range(from, 9).reduce((sum, number) => sum + spooled(number).bytes, 0);
      const again = await reopen(spool);
      const state = { last: 9, done: 0, doneSeqNo: 0, keys: [], cutBytes: 0 };
      assert.deepEqual(await again.open(STREAM), { ...state, batches: [first, second], bytes: waiting(1) });
      await again.settle(4, 70);
      const third = await reopen(again);
      const behind = { ...state, done: 4, doneSeqNo: 70, batches: [second], bytes: waiting(5) };
      assert.deepEqual(await third.open(STREAM), behind);
      await third.add([spooled(10)]);
      assert.deepEqual(numbersOf(await third.read(5, ALL)), range(5, 10));
      await third.settle(10, 76);
      const empty = await reopen(third);
      assert.deepEqual(await empty.open(STREAM), {
        ...state,
        last: 10,
        done: 10,
        doneSeqNo: 76,
        batches: [],
        bytes: 0,
      });
      await empty.close();
    });

    test("remembers the newest keys when it is opened again, also of events that have left", async () => {
      const spool = fresh();
      await spool.open(STREAM);
      const keyed = (number: number) =>
        number % 2 === 0 ? { ...spooled(number), key: `k${number}` } : spooled(number);
      await spool.add(range(1, 3).map(keyed));
      await spool.add(range(4, 6).map(keyed));
      await spool.settle(5, 5);
      const again = await reopen(spool);
      assert.deepEqual((await again.open(STREAM)).keys, ["k2", "k4", "k6"]);
      await again.add(range(7, 2 * KEPT_KEYS).map(keyed));
      await again.add(range(2 * KEPT_KEYS + 1, 2 * KEPT_KEYS + 4).map(keyed));
      await again.settle(2 * KEPT_KEYS, 2 * KEPT_KEYS);
      await again.add([spooled(1)]);
      const third = await reopen(again);
      const { keys } = await third.open(STREAM);
      assert.deepEqual([keys.length, keys[0], keys.at(-1)], [KEPT_KEYS, "k6", `k${2 * KEPT_KEYS + 4}`]);
      await third.close();
    });

    test("is of one stream, and of one queue at a time", async () => {
      const spool = fresh();
      await spool.open(STREAM);
      await assert.rejects(spool.open(STREAM), { name: "QueueError", code: "spool_in_use" });
      await spool.add([spooled(1)]);
      const again = await reopen(spool);
      await assert.rejects(again.open("str_00000000000000000000000002"), { code: "spool_foreign" });
      assert.equal((await again.open(STREAM)).last, 1);
      await again.close();
    });
  });
}
