/** Turns of large bodies at the threads, on a clock that only its users move. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ServiceError } from "../../src/errors.ts";
import { LargeBodies } from "../../src/http/large-bodies.ts";

const RULE = { overBytes: 10, atOnce: 8, waitMs: 30_000 };
const LARGE = 11;

/** Returns bodies over a clock held still. `send` resolves when the body has its answer, `ms` after its turn began. */
function bodiesWith(rule = RULE) {
  const state = { now: 0, restedMs: 0, order: [] as string[] };
  const bodies = new LargeBodies({
    now: () => state.now,
    pause: async (milliseconds) => {
      // The end of a turn comes before the longest one is over.
      for (let turn = 0; turn < 5; turn++) await nextTurn();
      if (milliseconds === 2000) return new Promise(() => undefined);
      state.now += milliseconds;
      state.restedMs += milliseconds;
    },
  });
  const send = async (asker: string, ms: number) => {
    const body = await bodies.admit(rule, LARGE, asker);
    assert.ok(body !== null);
    await body.turn(LARGE);
    state.order.push(asker);
    await nextTurn();
    await nextTurn();
    state.now += ms;
    body.release();
  };
  const sendSmall = async (asker = "small") => assert.equal(await bodies.admit(rule, 10, asker), null);
  return { state, bodies, send, sendSmall };
}

test("large bodies alone rest at no time", async () => {
  const { state, send } = bodiesWith();
  await Promise.all(Array.from({ length: 8 }, () => send("a", 100)));
  assert.deepEqual([state.now, state.restedMs], [800, 0]);
});

test("while others send small bodies, all large ones together have half of the time", async () => {
  const { state, send, sendSmall } = bodiesWith();
  const all = Array.from({ length: 6 }, async (_, number) => {
    await sendSmall();
    await send(`a${number % 3}`, 100);
  });
  await Promise.all(all);
  assert.ok(state.restedMs >= 500, `${state.restedMs} ms of rest after 600 ms of work`);
});

test("the small bodies of an asker are no reason for its large ones to rest", async () => {
  const { state, send, sendSmall } = bodiesWith();
  for (let count = 0; count < 4; count++) {
    await sendSmall("a");
    await send("a", 100);
  }
  assert.equal(state.restedMs, 0);
  await sendSmall("b");
  await sendSmall("a");
  await send("a", 100);
  await send("a", 100);
  assert.equal(state.restedMs, 100);
});

test("askers take turns by the time that they have used", async () => {
  const { state, send, sendSmall } = bodiesWith();
  await sendSmall();
  await Promise.all([
    ...Array.from({ length: 4 }, () => send("slow", 300)),
    ...Array.from({ length: 4 }, () => send("b", 100)),
  ]);
  // Without shares, "slow" would have half of the first six turns.
  assert.ok(state.order.slice(0, 6).filter((asker) => asker === "slow").length <= 2, state.order.join(" "));
});

test("a body of unknown size that turns out to be small waits for no turn", async () => {
  const { bodies, send, sendSmall } = bodiesWith();
  await sendSmall();
  const [first, second] = [await bodies.admit(RULE, LARGE, "a"), await bodies.admit(RULE, null, "a")];
  await first?.turn(LARGE);
  await second?.turn(10);
  first?.release();
  await send("b", 1);
});

test("a body that waits for its turn too long is refused, and keeps nobody from theirs", async () => {
  const rule = { ...RULE, waitMs: 50 };
  const { bodies, send, sendSmall } = bodiesWith(rule);
  await sendSmall();
  const [first, second] = [await bodies.admit(rule, LARGE, "a"), await bodies.admit(rule, LARGE, "a")];
  await first?.turn(LARGE);
  await assert.rejects(
    second?.turn(LARGE) ?? Promise.resolve(),
    (error) => error instanceof ServiceError && error.code === "key_busy" && error.details.retry_after_s === 5,
  );
  second?.release();
  first?.release();
  await send("b", 1);
});
