/** Threads that verify objects of senders: who waits for whom, the limits of one object, and the answers. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { MAX_VERIFY_VALUES, MAX_VERIFY_WAIT_MS, MAX_VERIFY_WAITING } from "@svc/api/limits";
import { ServiceError } from "@svc/host/errors";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import {
  MAX_LARGE_VERIFY_HEAP_MIB,
  MAX_LARGE_VERIFY_MS,
  MAX_SMALL_VERIFY_BYTES,
  MAX_VERIFY_HEAP_MIB,
  MAX_VERIFY_MS,
  MAX_VERIFY_THREADS,
} from "../../src/limits.ts";
import { ownTrust } from "../../src/signing/service-store.ts";
import { threadsOn, type VerifyingRules, VerifyingThreads } from "../../src/verify/verifying-threads.ts";

const TRUST = { signers: [] };
const SMALL = { taskMs: MAX_VERIFY_MS, heapMib: MAX_VERIFY_HEAP_MIB };
const LARGE = { taskMs: MAX_LARGE_VERIFY_MS, heapMib: MAX_LARGE_VERIFY_HEAP_MIB };

/** Returns a stream segment of invalid records: each is read and refused. */
function segment(records: number): Uint8Array {
  const record = JSON.stringify({ stream_event_id: "sev_x", payload: { text: "x".repeat(200) } });
  return new Uint8Array(
    Buffer.from(`{"stream_id":"str_x","records":[${Array.from({ length: records }, () => record).join()}]}`),
  );
}

function threadsOf(t: TestContext, changes: Partial<VerifyingRules> = {}): VerifyingThreads {
  const threads = new VerifyingThreads({ small: SMALL, large: LARGE, waitMs: MAX_VERIFY_WAIT_MS, ...changes });
  t.after(() => threads.close());
  return threads;
}

function asked(
  bytes: Uint8Array,
  { owner = "a", signal = new AbortController().signal, used = (_milliseconds: number) => {} } = {},
) {
  return { question: { bytes, trust: TRUST, kind: null }, owner, signal, used, headOf: async () => null };
}

function coded(code: string, words: RegExp) {
  return (error: unknown) => error instanceof ServiceError && error.code === code && words.test(error.message);
}

test("one processor is left to what records, and however many there are, MAX_VERIFY_THREADS verify", () => {
  assert.deepEqual([1, 2, 3, 64].map(threadsOn), [1, 1, 2, MAX_VERIFY_THREADS]);
});

for (const [size, records] of [
  ["small", 1_000],
  ["large", 20_000],
] as const)
  test(`a ${size} object that takes too long or too much memory is refused, and the next one is verified`, async (t) => {
    const bytes = () => segment(records);
    assert.equal(bytes().length > MAX_SMALL_VERIFY_BYTES, size === "large");
    const bounds = size === "small" ? SMALL : LARGE;
    const slow = threadsOf(t, { [size]: { ...bounds, taskMs: 1 } });
    const paid: number[] = [];
    const used = (ms: number) => paid.push(ms);
    await assert.rejects(slow.examine(asked(bytes(), { used })), coded("object_too_complex", /too long/));
    const narrow = threadsOf(t, { [size]: { ...bounds, heapMib: 8 } });
    await assert.rejects(narrow.examine(asked(bytes(), { used })), coded("object_too_complex", /too much memory/));
    const threads = threadsOf(t);
    for (const _ of ["first", "next"]) {
      const answer = await threads.examine(asked(bytes(), { used }));
      assert.ok("report" in answer && JSON.parse(answer.report).verdict === "rejected");
    }
    assert.ok(paid.length === 4 && paid.every((ms) => ms > 0), "what comes to nothing is paid for too");
  });

test("MAX_VERIFY_WAITING objects of one address wait; the next is refused, and those of others are not", async (t) => {
  const threads = threadsOf(t);
  const ended = Promise.allSettled(
    Array.from({ length: MAX_VERIFY_WAITING + 10 }, () => threads.examine(asked(segment(1)))),
  );
  const other = threads.examine(asked(segment(1), { owner: "b" }));
  await assert.rejects(threads.examine(asked(segment(1))), coded("verifier_busy", /svc verify/));
  assert.ok("report" in (await other));
  const refused = (await ended).filter(({ status }) => status === "rejected");
  assert.ok(refused.length > 0 && refused.length <= 10, `${refused.length} were refused`);
  assert.ok("report" in (await threads.examine(asked(segment(1)))));
});

test("an object waits for a thread, and not for ever: verifier_busy", async (t) => {
  const threads = threadsOf(t, { waitMs: 30 });
  const first = threads.examine(asked(segment(40_000)));
  await assert.rejects(threads.examine(asked(segment(40_000))), coded("verifier_busy", /svc verify/));
  assert.ok("report" in (await first));
  assert.ok(MAX_VERIFY_WAIT_MS >= 1000);
});

test("an object that nobody waits for any more is not verified; small ones do not wait for a large one", async (t) => {
  const threads = threadsOf(t);
  const first = threads.examine(asked(segment(40_000)));
  let isDone = false;
  void first.then(() => {
    isDone = true;
  });
  const controller = new AbortController();
  const given = threads.examine(asked(segment(20_000), { signal: controller.signal }));
  controller.abort(new Error("gone"));
  await assert.rejects(given, /gone/);
  const aborted = AbortSignal.abort(new Error("gone before"));
  await assert.rejects(threads.examine(asked(segment(1), { signal: aborted })), /gone before/);
  assert.ok("report" in (await threads.examine(asked(segment(1)))));
  assert.equal(isDone, false);
  await first;
});

test("where what a task asks cannot be answered the task fails, in time or after it, and the next is verified", async (t) => {
  const { server, client, made } = await startServer(t);
  const { text } = await client.append(made.stream_id, loan(1));
  const { database, origin } = server.service.context;
  const trust = await database.read((reader) => ownTrust(reader, origin));
  const asking = (headOf: () => Promise<number | null>) => ({
    ...asked(new Uint8Array(Buffer.from(text))),
    question: { bytes: new Uint8Array(Buffer.from(text)), trust, kind: null },
    headOf,
  });
  const threads = threadsOf(t);
  await assert.rejects(threads.examine(asking(() => Promise.reject(new Error("no database")))), /no database/);
  const answer = await threads.examine(asking(async () => 1));
  assert.ok("report" in answer && answer.latest?.record?.seq_no === 1);

  const hasty = threadsOf(t, { small: { ...SMALL, taskMs: 1000 } });
  let refuse: (error: Error) => void = () => undefined;
  const late = hasty.examine(asking(() => new Promise((_, reject) => (refuse = reject))));
  await assert.rejects(late, coded("object_too_complex", /too long/));
  refuse(new Error("too late for anybody to care"));
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok("report" in (await hasty.examine(asking(async () => null))));
});

test("an object with more than MAX_VERIFY_VALUES values is not parsed", async (t) => {
  const threads = threadsOf(t);
  const values = (count: number) => asked(new Uint8Array(Buffer.from(`[0${",0".repeat(count - 1)}]`)));
  assert.deepEqual(await threads.examine(values(MAX_VERIFY_VALUES + 1)), { tooManyValues: true });
  assert.deepEqual(await threads.examine(values(MAX_VERIFY_VALUES)), { unknown: true });
});

test("threads yield the processor to those that record", { skip: process.platform !== "linux" }, async (t) => {
  const { readdirSync, readFileSync } = await import("node:fs");
  const isYielding = (task: string) => {
    try {
      const stat = readFileSync(`/proc/self/task/${task}/stat`, "utf8");
      return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16] === "10";
    } catch {
      // The thread belongs to an earlier test, and has just ended.
      return false;
    }
  };
  const yielding = () => readdirSync("/proc/self/task").filter(isYielding);
  const before = new Set(yielding());
  const threads = threadsOf(t);
  await threads.examine(asked(segment(1)));
  assert.equal(yielding().filter((task) => !before.has(task)).length, 1);
});
