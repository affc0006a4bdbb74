/** Threads with one task at a time, and the fate of waiting tasks when the system gives no thread. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { TaskRefused, ThreadPool } from "../../src/threads/thread-pool.ts";

const TASK_MODULE = new URL("../../src/threads/task.ts", import.meta.url).href;
const RULES = { threads: 1, heapMib: 64, taskMs: 20_000, waitMs: 20_000, maxWaiting: 10, lasting: true };

/** Returns a thread whose program is `body`, which may use `tasks`. */
function program(body: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(`import * as tasks from "${TASK_MODULE}";\n${body}`)}`);
}

test("each task is rejected where no thread can be made", async () => {
  // The pool is refused before it has a thread: no program comes from there.
  const pool = new ThreadPool<number, number>({ ...RULES, program: new URL("http://127.0.0.1/none.mjs") });
  const all = await Promise.allSettled([1, 2, 3].map((question) => pool.run({ owner: "a", question })));
  assert.deepEqual([...new Set(all.map(({ status }) => status))], ["rejected"]);
  await pool.close();
});

test("a thread whose program fails at its start ends the task with the reason, and the next gets another thread", async () => {
  const pool = new ThreadPool<number, number>({ ...RULES, program: program(`throw new RangeError("no start");`) });
  for (const question of [1, 2])
    await assert.rejects(pool.run({ owner: "a", question }), { name: "RangeError", message: "no start" });
  await pool.close();
});

test("a task that takes too long ends with its thread, and those that wait go on", async () => {
  const pool = new ThreadPool<number, number>({
    ...RULES,
    taskMs: 300,
    program: program(`tasks.serveTasks(async (question) => { while (question === 1); return question; });`),
  });
  const first = pool.run({ owner: "a", question: 1 });
  const second = pool.run({ owner: "a", question: 2 });
  await assert.rejects(first, (error) => error instanceof TaskRefused && error.why === "time");
  assert.equal((await second).answer, 2);
  await pool.close();
});

test("a thread has the heap that the pool gives it, and a task that exceeds the heap ends with its thread alone", async () => {
  const pool = new ThreadPool<string, unknown>({
    ...RULES,
    heapMib: 32,
    youngHeapMib: 4,
    program: program(`import { resourceLimits } from "node:worker_threads";
      tasks.serveTasks((question) => {
        if (question === "limits") return resourceLimits;
        for (const held = []; ; ) held.push(Array.from({ length: 1000 }, () => ({})));
      });`),
  });
  const { answer } = await pool.run({ owner: "a", question: "limits" });
  const { maxOldGenerationSizeMb, maxYoungGenerationSizeMb } = answer as Record<string, number>;
  assert.deepEqual([maxOldGenerationSizeMb, maxYoungGenerationSizeMb], [32, 4]);
  const over = pool.run({ owner: "a", question: "all" });
  await assert.rejects(over, (error) => error instanceof TaskRefused && error.why === "memory");
  assert.ok((await pool.run({ owner: "a", question: "limits" })).answer);
  await pool.close();
});

test("a task without a limit of time has its answer", async () => {
  const rules = { ...RULES, taskMs: null, program: program("tasks.serveTasks((question) => 2 * question);") };
  const pool = new ThreadPool<number, number>(rules);
  assert.equal((await pool.run({ owner: "a", question: 4 })).answer, 8);
  await pool.close();
});
