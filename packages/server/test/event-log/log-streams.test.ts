/** The streams of logs: the first requests of a system come together, and make one stream in one transaction. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LogStreams } from "../../src/event-log/log-events.ts";
import { contextUnderTest, writtenStatements } from "../context-under-test.ts";
import { CARDS, FRAUD, principalOf } from "../store-under-test.ts";

test("first requests of a system that come together wait for one transaction, and those of others for their own", async (t) => {
  const { transactions, around } = writtenStatements();
  const { context } = await contextUnderTest(t, around);
  const streams = new LogStreams(context, { legacyStreamCreationEnabled: true, provenanceLaneEnabled: false });
  transactions.length = 0;
  const made = await Promise.all(
    Array.from({ length: 50 }, (_, index) => streams.make(principalOf(index % 2 === 0 ? FRAUD : CARDS))),
  );
  assert.equal(new Set(made.filter((_, index) => index % 2 === 0)).size, 1);
  assert.equal(new Set(made).size, 2);
  // Where transactions meet, one of them may be tried again.
  assert.ok(transactions.length < 10, `${transactions.length}`);
  assert.equal(await streams.make(principalOf(FRAUD)), made[0]);
});

test("a refusal is that of those who came with it alone", async (t) => {
  const { context } = await contextUnderTest(t);
  const settings = { legacyStreamCreationEnabled: false, provenanceLaneEnabled: false };
  const streams = new LogStreams(context, settings);
  const refusals = await Promise.allSettled([streams.make(principalOf(FRAUD)), streams.make(principalOf(FRAUD))]);
  assert.deepEqual(
    refusals.map((one) => (one.status === "rejected" ? one.reason.code : one.value)),
    ["legacy_stream_creation_disabled", "legacy_stream_creation_disabled"],
  );
  settings.legacyStreamCreationEnabled = true;
  assert.match(await streams.make(principalOf(FRAUD)), /^str_/);
});
