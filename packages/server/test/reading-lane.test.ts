/** How much of the thread reading has while events are recorded: on a clock that only its users move. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ReadingLane } from "../src/http/reading-lane.ts";

/** A lane over a clock held still; `read` takes so many milliseconds of it. */
function laneWith({ isRecording = true, utilization = 1 }) {
  const state = { now: 0, isRecording, utilization, pausedMs: 0 };
  const lane = new ReadingLane({
    isRecording: () => state.isRecording,
    now: () => state.now,
    utilization: () => state.utilization,
    pause: async (milliseconds) => {
      state.now += milliseconds;
      state.pausedMs += milliseconds;
    },
  });
  const read = (asker: string, milliseconds = 1) =>
    lane.run(asker, () => {
      state.now += milliseconds;
      return state.now;
    });
  return { state, lane, read };
}

test("while nothing is recorded, reading has the whole thread", async () => {
  const { state, read } = laneWith({ isRecording: false });
  for (let number = 0; number < 200; number++) await read("a");
  await Promise.all(Array.from({ length: 200 }, () => read("a")));
  assert.deepEqual([state.now, state.pausedMs], [400, 0]);
});

test("while recording takes the whole thread, reading has a tenth of it", async () => {
  const { state, read } = laneWith({});
  await Promise.all(Array.from({ length: 200 }, () => read("a")));
  assert.ok(state.now > 1200 && state.now < 2600, `200 ms of reading in ${state.now} ms`);
});

test("reading has what recording leaves idle, but for a reserve", async () => {
  const { state, read } = laneWith({ utilization: 0.3 });
  await Promise.all(Array.from({ length: 500 }, () => read("a")));
  assert.ok(state.now < 900, `500 ms of reading in ${state.now} ms`);
  state.utilization = 1;
  const before = state.now;
  await Promise.all(Array.from({ length: 500 }, () => read("a")));
  assert.ok(
    state.now - before > 3000,
    `500 ms of reading in ${state.now - before} ms, of a thread that is busy by now`,
  );
});

test("askers take turns; one read that fails fails alone", async () => {
  const { lane, read } = laneWith({});
  const ended: string[] = [];
  const all = Array.from({ length: 100 }, (_, number) => read("a").then(() => ended.push(`a${number}`)));
  const failing = lane.run("b", () => Promise.reject(new Error("of its own")));
  const other = read("b").then(() => ended.push("b"));
  await assert.rejects(failing, /of its own/);
  await Promise.all([...all, other]);
  assert.ok(ended.indexOf("b") < 30, `after ${ended.indexOf("b")} others`);
  assert.equal(ended.length, 101);
});

test("what another thread does for a read takes nothing of this one", async () => {
  const { state, lane, read } = laneWith({});
  let finish: (value: number) => void = () => undefined;
  const elsewhere = lane.run(
    "a",
    () =>
      new Promise<number>((resolve) => {
        finish = resolve;
      }),
  );
  for (let number = 0; number < 5; number++) await read("b");
  assert.ok(state.pausedMs < 50, `${state.pausedMs} ms`);
  finish(7);
  assert.equal(await elsewhere, 7);
});
