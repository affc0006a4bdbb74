/** The shares of a thread's time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { TimeShares } from "../../src/threads/time-shares.ts";

/** An item of an owner that takes so many milliseconds. */
interface Work {
  readonly owner: string;
  readonly ms: number;
}

const shares = () => new TimeShares<Work>((owner) => (owner.startsWith("key_") ? owner : "all others"));

/** Serves items one after another until `isEnough`; each comes back at once. Returns the milliseconds by owner. */
function served(waiting: TimeShares<Work>, isEnough: (all: number) => boolean): Map<string, number> {
  const used = new Map<string, number>();
  for (let all = 0; !isEnough(all); ) {
    const next = waiting.shift();
    assert.ok(next !== undefined);
    waiting.push(next.owner, next);
    waiting.charge(next.owner, next.ms);
    used.set(next.owner, (used.get(next.owner) ?? 0) + next.ms);
    all += next.ms;
  }
  return used;
}

test("a share gets as much time as another, however long its items and however many its owners", () => {
  const waiting = shares();
  waiting.push("key_a", { owner: "key_a", ms: 1 });
  for (let number = 0; number < 20; number += 1) waiting.push(`${number}`, { owner: `${number}`, ms: 50 });
  assert.deepEqual([waiting.size, waiting.sizeOf("key_a"), waiting.sizeOf("7"), waiting.sizeOf("none")], [21, 1, 1, 0]);
  const used = served(waiting, (all) => all >= 2000);
  assert.equal(used.get("key_a"), 1000);
  // The owners of the other share took turns.
  assert.deepEqual(
    [...used].filter(([owner]) => owner !== "key_a").map(([, ms]) => ms),
    Array(20).fill(50),
  );
});

test("an owner that asks for one item after another pays for the last one before its next", () => {
  const waiting = shares();
  const order: string[] = [];
  const next = () => {
    const { owner, ms } = waiting.shift() ?? assert.fail("nothing waits");
    order.push(owner);
    waiting.charge(owner, ms);
  };
  for (let round = 0; round < 4; round += 1) waiting.push("key_a", { owner: "key_a", ms: 10 });
  waiting.push("1", { owner: "1", ms: 30 });
  next();
  next();
  waiting.push("2", { owner: "2", ms: 30 });
  for (let left = 0; left < 4; left += 1) next();
  assert.deepEqual(order, ["key_a", "1", "key_a", "key_a", "2", "key_a"]);
  assert.equal(waiting.shift(), undefined);
});

test("time that a share left to others is not saved up", () => {
  const waiting = shares();
  waiting.push("key_a", { owner: "key_a", ms: 1 });
  served(waiting, (all) => all >= 1000);
  waiting.push("key_b", { owner: "key_b", ms: 1 });
  const used = served(waiting, (all) => all >= 100);
  assert.deepEqual(
    used,
    new Map([
      ["key_a", 50],
      ["key_b", 50],
    ]),
  );
});
