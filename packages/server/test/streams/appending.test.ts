/** Appending as the routes call it: what is prepared, the form of the answer, and when it is busy. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loan } from "@svc/testkit/server/loan";
import { MAX_GROUP_EVENTS } from "../../src/streams/append.ts";
import { appendingOf, prepareRequest } from "../../src/streams/appending.ts";
import { eventsOfRange } from "../../src/streams/events-store.ts";
import { recordText, redactedRecordText } from "../../src/streams/receipt-records.ts";
import { contextUnderTest } from "../context-under-test.ts";
import { BANK, LOANS, principalOf } from "../store-under-test.ts";

const request = (key: string, streamId: string, count = 1) => ({
  principal: principalOf(LOANS),
  streamId,
  events: Array.from({ length: count }, (_, index) => loan(index)),
  isBatch: count > 1,
  idempotencyKey: key,
  headMatch: null,
  afterKey: null,
  bytes: new Uint8Array(),
});

test("it is busy for as long as a request waits, however that ends", async (t) => {
  const { context } = await contextUnderTest(t);
  const appending = appendingOf(context);
  assert.equal(appending.isBusy, false);
  const first = appending.records(request("a", "str_bank_1"), "whole");
  const refused = appending.records(request("b", "str_none"), "whole");
  assert.equal(appending.isBusy, true);
  await first;
  await assert.rejects(refused, { code: "stream_not_found" });
  assert.equal(appending.isBusy, false);
});

test("the records of a request come in the form that is asked for, with commas between them", async (t) => {
  const { context, store } = await contextUnderTest(t);
  const appending = appendingOf(context);
  const whole = await appending.records(request("a", "str_bank_1", 3), "whole");
  const minimal = await appending.records(request("a", "str_bank_1", 3), "minimal");
  const rows = await store.read((reader) => eventsOfRange(reader, BANK, "str_bank_1", 1, 9));
  assert.deepEqual([whole, minimal], [rows.map(recordText).join(), rows.map(redactedRecordText).join()]);
});

test("a prepared request is data alone", async (t) => {
  const { context } = await contextUnderTest(t);
  const prepared = prepareRequest(context, request("a", "str_bank_1", 2));
  assert.deepEqual(structuredClone(prepared), prepared);
});

test("there is room until two whole groups are under way, and again when one of their requests has its answer", async (t) => {
  const started = Promise.withResolvers<void>();
  const { context } = await contextUnderTest(t, (database) => ({
    ...database,
    read: (work) => database.read(work),
    write: (work) => started.promise.then(() => database.write(work)),
    close: () => database.close(),
  }));
  const appending = appendingOf(context);
  const large = (key: string) => appending.records(request(key, "str_bank_1", MAX_GROUP_EVENTS), "minimal");
  await appending.room();
  const first = large("a");
  await appending.room();
  const second = large("b");
  let entered = 0;
  const waiting = [1, 2].map(() =>
    appending.room().then(() => {
      entered += 1;
    }),
  );
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(entered, 0);
  started.resolve();
  await Promise.all([first, second, ...waiting]);
  assert.equal(entered, 2);
});
