/** Token buckets on a clock held still. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "../../src/errors.ts";
import { RateLimit } from "../../src/http/rate-limit.ts";

test("a key may send twice a second's requests at once, then so many a second", () => {
  let now = 0;
  const limit = new RateLimit(2, () => now);
  const isServed = (key: string) => {
    try {
      limit.count(key);
      return true;
    } catch (error) {
      assert.ok(error instanceof ServiceError && error.code === "rate_limited");
      assert.equal(error.details.retry_after_s, 1);
      return false;
    }
  };
  const served = (times: number, key = "a") =>
    Array.from({ length: times }, () => isServed(key)).filter(Boolean).length;
  assert.equal(served(10), 4);
  assert.equal(served(10, "b"), 4, "another key has its own bucket");
  now = 500;
  assert.equal(served(10), 1);
  now = 400;
  assert.equal(served(1), 0, "a refusal costs nothing, and gives nothing");
  now = 60_000;
  assert.equal(served(10), 4, "no more than a full bucket, however long nothing came");
});

test("what costs more than a key holds is served once, and owed: the next waits until it is paid", () => {
  let now = 0;
  const limit = new RateLimit(10, () => now);
  const refusedFor = () => {
    try {
      limit.count("a");
      return 0;
    } catch (error) {
      assert.ok(error instanceof ServiceError && error.code === "rate_limited");
      return error.details.retry_after_s;
    }
  };
  limit.count("a", 120);
  assert.equal(refusedFor(), 11, "100 are owed, and one is needed");
  now = 9_000;
  assert.equal(refusedFor(), 2);
  now = 10_100;
  assert.equal(refusedFor(), 0);
  limit.charge("a", 50);
  assert.equal(refusedFor(), 6);
  limit.charge("b", 19);
  limit.count("b");
  limit.charge("a", 1e9);
  now = 310_150;
  assert.equal(refusedFor(), 1, "nobody waits longer than five minutes");
  now = 311_000;
  assert.equal(refusedFor(), 0);
});

test("no limit is no limit", () => {
  const open = new RateLimit(0, () => 0);
  for (let time = 0; time < 10_000; time++) open.count("a", 100);
  open.charge("a", 1e6);
  open.count("a");
});

test("past ten thousand keys the one that has waited longest starts anew", () => {
  const limit = new RateLimit(1, () => 0);
  limit.count("a");
  limit.count("a");
  for (let other = 1; other < 10_000; other++) limit.count(`${other}`);
  assert.throws(() => limit.count("a"), ServiceError);
  for (let other = 10_000; other < 20_000; other++) limit.count(`${other}`);
  limit.count("a");
});
