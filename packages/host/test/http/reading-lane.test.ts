/** The share of the thread that reading gets while events are recorded, on a clock that only its users move. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_READS_WAITING } from "@svc/api/limits";
import { ServiceError } from "../../src/errors.ts";
import { ReadingLane } from "../../src/http/reading-lane.ts";
import { MAX_ALL_READS_WAITING } from "../../src/limits.ts";

/** Returns a lane over a clock held still; `read` takes a number of milliseconds on it. */
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
  await Promise.all(Array.from({ length: 200 }, (_, number) => read(`a${number % 10}`)));
  assert.deepEqual([state.now, state.pausedMs], [400, 0]);
});

test("while recording takes the whole thread, reading has a tenth of it", async () => {
  const { state, read } = laneWith({});
  await Promise.all(Array.from({ length: 200 }, (_, number) => read(`a${number % 10}`)));
  assert.ok(state.now > 1200 && state.now < 2600, `200 ms of reading in ${state.now} ms`);
});

test("reading has what recording leaves idle, but for a reserve", async () => {
  const { state, read } = laneWith({ utilization: 0.3 });
  await Promise.all(Array.from({ length: 500 }, (_, number) => read(`a${number % 10}`)));
  assert.ok(state.now < 900, `500 ms of reading in ${state.now} ms`);
  state.utilization = 1;
  const before = state.now;
  await Promise.all(Array.from({ length: 500 }, (_, number) => read(`a${number % 10}`)));
  assert.ok(
    state.now - before > 3000,
    `500 ms of reading in ${state.now - before} ms, of a thread that is busy by now`,
  );
});

test("askers take turns; one read that fails fails alone", async () => {
  const { lane, read } = laneWith({});
  const ended: string[] = [];
  const all = Array.from({ length: MAX_READS_WAITING }, (_, number) => read("a").then(() => ended.push(`a${number}`)));
  const failing = lane.run("b", () => Promise.reject(new Error("its own fault")));
  const other = read("b").then(() => ended.push("b"));
  await assert.rejects(failing, /its own fault/);
  await Promise.all([...all, other]);
  assert.ok(ended.indexOf("b") < 30, `after ${ended.indexOf("b")} others`);
  assert.equal(ended.length, MAX_READS_WAITING + 1);
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

const isRefused = (error: unknown) => error instanceof ServiceError && error.code === "rate_limited";

test("an asker has MAX_READS_WAITING reads waiting at most; where all are too many, each has one", async () => {
  const { read } = laneWith({});
  // One read is running.
  const begun = read("first");
  const full = Array.from({ length: MAX_READS_WAITING }, () => read("a"));
  await assert.rejects(read("a"), isRefused);
  const rest = Array.from({ length: MAX_ALL_READS_WAITING - MAX_READS_WAITING }, (_, number) => read(`of ${number}`));
  const late = read("late");
  await assert.rejects(read("late"), isRefused);
  await Promise.all([begun, ...full, ...rest, late]);
  await read("a");
});

test("what nobody wants any more at its turn is not read", async () => {
  const { lane, read } = laneWith({});
  let isWanted = true;
  let reads = 0;
  const work = () => ++reads;
  const begun = read("a");
  const kept = lane.run("b", work, () => isWanted);
  await Promise.all([begun, kept]);
  const dropped = lane.run("b", work, () => isWanted);
  isWanted = false;
  await assert.rejects(dropped, /nobody waits/);
  assert.equal(reads, 1);
});
