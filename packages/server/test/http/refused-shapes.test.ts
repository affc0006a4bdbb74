/** Requests that break the contract of their route: the named event of a batch, and the words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";

test("a batch that is refused for its shape names the event, where only one is wrong", async (t) => {
  const { client, made } = await startServer(t);
  const local = { occurred_at: "2026-03-01T10:15:30" };
  const refused = async (events: unknown[]) => {
    const { status, body } = await client.appendBatch(made.stream_id, events);
    assert.equal(status, 422);
    return body.detail;
  };
  const several = await refused([loan(1), loan(2, { source_ref: "", event_type: "" })]);
  assert.deepEqual([several.code, several.index], ["invalid_request", 1]);
  assert.deepEqual(several.problems.map(({ path, index }: { path: string; index: number }) => [path, index]).sort(), [
    ["/events/1/event_type", 1],
    ["/events/1/source_ref", 1],
  ]);
  const zone = await refused([loan(1), loan(2), loan(3, local)]);
  assert.deepEqual([zone.code, zone.index, zone.problems[0].index], ["timezone_required", 2, 2]);
  const two = await refused([loan(1, local), loan(2, local)]);
  assert.deepEqual([two.code, "index" in two], ["invalid_request", false]);
  assert.deepEqual(
    two.problems.map(({ index }: { index: number }) => index),
    [0, 1],
  );
  // The same holds for more problems than are listed.
  const wrong = Object.fromEntries(Array.from({ length: 101 }, (_, number) => [`more_${number}`, number]));
  const many = await refused([loan(1, wrong), loan(2, local)]);
  assert.deepEqual([many.problems.length, "index" in many], [100, false]);
  assert.equal("index" in (await refused([])), false);
  const single = await client.append(made.stream_id, loan(1, local));
  assert.deepEqual([single.status, "index" in single.body.detail], [422, false]);
});

test("a leap second and lower-case letters in a time are refused, in words that say so", async (t) => {
  const { client, made } = await startServer(t);
  const cases = [
    ["2016-12-31T23:59:60Z", /leap second.*second before or after/],
    ["2017-01-01T00:59:60.5+01:00", /leap second/],
    ["2026-03-01t10:15:30Z", /upper-case T and Z/],
    ["2026-03-01T10:15:30z", /upper-case T and Z/],
    ["2026-03-01 10:15:30Z", /RFC 3339/],
    ["2026-03-01T10:15:61Z", /RFC 3339/],
  ] as const;
  for (const [occurred_at, words] of cases) {
    const { status, body } = await client.append(made.stream_id, loan(1, { occurred_at }));
    assert.deepEqual(
      [status, body.detail.code, body.detail.problems[0].path],
      [422, "invalid_request", "/occurred_at"],
    );
    assert.match(body.detail.message, words, occurred_at);
  }
});
