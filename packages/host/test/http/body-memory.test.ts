/** The memory for strangers' bodies: who waits, who gives way, and who is never touched. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "../../src/errors.ts";
import { BodyMemory } from "../../src/http/body-memory.ts";

const refusal = () => new ServiceError("verifier_busy", "busy");
const memoryOf = (changes = {}) =>
  new BodyMemory({ maxBytes: 1000, smallBytes: 100, permits: 2, waitMs: 50, refusal, ...changes });

test("a body without bytes takes nothing, and one that is released counts no longer", () => {
  const memory = memoryOf();
  const held = Array.from({ length: 100 }, () => memory.hold("a"));
  assert.equal(memory.bytes, 0);
  assert.equal(held[0]?.grow(100), undefined);
  assert.equal(held[1]?.grow(50), undefined);
  assert.equal(memory.bytes, 150);
  held[0]?.release();
  held[0]?.release();
  assert.equal(memory.bytes, 50);
  assert.equal(held[0]?.grow(10), undefined);
  assert.equal(memory.bytes, 50, "a body that is over takes nothing");
});

test("large bodies of one owner wait for each other, not for ever, and never for those of another", async () => {
  const memory = memoryOf();
  const [first, second, third, fourth, other] = ["a", "a", "a", "a", "b"].map((owner) => memory.hold(owner));
  await Promise.all([first?.grow(101), second?.grow(101)]);
  const waiting = third?.grow(101);
  await other?.grow(101);
  first?.release();
  first?.release();
  await waiting;
  await assert.rejects(async () => fourth?.grow(101), ServiceError);
  await assert.rejects(async () => memory.hold("a").grow(101), ServiceError, "a place given back twice is one place");
});

test("a body that was released while it waited leaves its place to the next", async () => {
  const memory = memoryOf({ permits: 1, waitMs: 20_000 });
  const [first, second, third] = ["a", "a", "a"].map((owner) => memory.hold(owner));
  await first?.grow(101);
  const waits = second?.grow(101);
  const next = third?.grow(101);
  second?.release();
  first?.release();
  await Promise.all([waits, next]);
});

/** By default all bodies together may have MAX_VERIFY_MEMORY_BYTES. */
test("where all is too much, the owner who has most loses the largest body, with the refusal", () => {
  const memory = memoryOf({ permits: 10 });
  const [small, large, whole] = [memory.hold("a"), memory.hold("b"), memory.hold("b")];
  small.grow(100);
  void large.grow(500);
  void whole.grow(390);
  assert.deepEqual(
    [small, large, whole].map(({ signal }) => signal.aborted),
    [false, false, false],
  );
  small.grow(100);
  assert.deepEqual(
    [small, large, whole].map(({ signal }) => signal.aborted),
    [false, true, false],
  );
  assert.ok(large.signal.reason instanceof ServiceError);
  assert.equal(memory.bytes, 590);
  void small.grow(800);
  assert.equal(small.signal.aborted, true, "who has most is who asks");
  assert.equal(memory.bytes, 390);
});

test("a body that gives way itself waits for no place", () => {
  const memory = memoryOf({ permits: 1 });
  const body = memory.hold("a");
  assert.equal(body.grow(1001), undefined);
  assert.equal(body.signal.aborted, true);
});
