/**
 * The statements of a group of appends: as many for a large group as for a small one, because each is a round trip to a
 * remote database.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { loan } from "@svc/testkit/server/loan";
import { Idempotency } from "../../src/idempotency/idempotency.ts";
import { kernel } from "../../src/kernel.ts";
import { declarePolicy } from "../../src/policies/declare-policy.ts";
import { Append } from "../../src/streams/append.ts";
import { type AppendRequest, prepareRequest } from "../../src/streams/appending.ts";
import { insertStream } from "../../src/streams/streams-store.ts";
import { contextUnderTest, writtenStatements } from "../context-under-test.ts";
import { at, LOANS, principalOf, streamOf } from "../store-under-test.ts";

const STREAMS = Array.from({ length: 50 }, (_, index) => `str_many_${index}`);

/** Resolves to a way to append groups, each of which resolves to the statements of its one transaction. */
async function appending(t: TestContext) {
  const { transactions, around } = writtenStatements();
  const { store, context } = await contextUnderTest(t, around);
  await store.write(async (writer) => {
    for (const [index, id] of STREAMS.entries()) {
      const policy_id = `policy-${index % 7}`;
      if (index < 7) await declarePolicy(writer, kernel, principalOf(LOANS), { policy_id }, at(20));
      await insertStream(writer, streamOf(LOANS, id, { policy_id }));
    }
  });
  const append = new Append(context, new Idempotency(context));
  let number = 0;
  return async (
    requests: number,
    streams: number,
    { events = 1, ...changes }: Partial<Omit<AppendRequest, "events">> & { readonly events?: number } = {},
  ) => {
    transactions.length = 0;
    const asked = Array.from({ length: requests }, (_, index) => {
      number += 1;
      const request: AppendRequest = {
        principal: principalOf(LOANS),
        streamId: STREAMS[index % streams] ?? assert.fail(),
        events: Array.from({ length: events }, (_, at) => loan(at)),
        isBatch: true,
        idempotencyKey: `key-${number}`,
        headMatch: null,
        afterKey: null,
        bytes: new Uint8Array(),
        ...changes,
      };
      return append.append(prepareRequest(context, request));
    });
    const outcomes = await Promise.allSettled(asked);
    assert.equal(transactions.length, 1, "one group");
    const statements = (transactions[0] ?? []).map((sql) => sql.trimStart().split(/\s/, 1)[0]);
    return { statements, codes: outcomes.map((one) => (one.status === "fulfilled" ? "" : one.reason.code)) };
  };
}

test("a group of any number of requests, streams and events has the same eight statements", async (t) => {
  const group = await appending(t);
  // Streams without events have no head to be looked at.
  assert.equal((await group(50, 50)).statements.length, 7);
  const reads = ["SELECT", "SELECT", "SELECT", "SELECT", "SELECT"];
  const expected = [...reads, "INSERT", "INSERT", "UPDATE"];
  for (const [requests, streams] of [
    [1, 1],
    [10, 1],
    [10, 10],
    [200, 1],
    [200, 10],
    [200, 50],
  ] as const) {
    const { statements, codes } = await group(requests, streams);
    assert.deepEqual([statements, new Set(codes)], [expected, new Set([""])], `${requests} to ${streams}`);
  }
  for (const [requests, events] of [
    [1, 3],
    [1, 1000],
    [2, 1000],
    [1, 3000],
  ] as const)
    assert.deepEqual((await group(requests, requests, { events })).statements, expected, `${requests} of ${events}`);
});

test("refusals cost no more, and requests behind others neither", async (t) => {
  const group = await appending(t);
  await group(1, 1, { idempotencyKey: "before" });
  for (const requests of [1, 10, 200]) {
    const conflicts = await group(requests, 1, { headMatch: "0".repeat(64) });
    assert.deepEqual([conflicts.statements.length, new Set(conflicts.codes)], [5, new Set(["sequence_conflict"])]);
    const missing = await group(requests, 1, { afterKey: "never used" });
    assert.deepEqual([missing.statements.length, new Set(missing.codes)], [5, new Set(["predecessor_missing"])]);
    const unknown = await group(requests, 1, { streamId: "str_none" });
    assert.ok(unknown.statements.length <= 5);
    assert.deepEqual(new Set(unknown.codes), new Set(["stream_not_found"]));
    const unspeakable = await group(requests, 1, { streamId: "str\0" });
    assert.deepEqual(new Set(unspeakable.codes), new Set(["stream_not_found"]));
    const behind = await group(requests, 1, { afterKey: "before" });
    assert.deepEqual([behind.statements.length, new Set(behind.codes)], [8, new Set([""])]);
  }
});
