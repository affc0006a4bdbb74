/** Semaphores of owners, and those of bodies by the rules of contracts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "../src/errors.ts";
import { LargeBodies } from "../src/http/large-bodies.ts";
import { Semaphore } from "../src/semaphore.ts";

const refusal = () => new ServiceError("key_busy", "busy");
const isBusy = (error: unknown) => error instanceof ServiceError && error.code === "key_busy";

test("an owner has so many permits; the next of its requests waits for one, others do not", async () => {
  const semaphore = new Semaphore({ permits: 2, waitMs: 50, refusal });
  const first = await semaphore.acquire("a");
  await semaphore.acquire("a");
  await assert.rejects(semaphore.acquire("a"), isBusy);
  await semaphore.acquire("b");
  const next = semaphore.acquire("a");
  first();
  first();
  const release = await next;
  await assert.rejects(semaphore.acquire("a"), isBusy, "a permit that was released twice is one permit");
  release();
  await semaphore.acquire("a");
});

test("routes of one rule share its permits, each asker's own; what is small or of another rule waits for none", async () => {
  const bodies = new LargeBodies();
  const [rule, other] = [
    { overBytes: 10, atOnce: 1, waitMs: 50 },
    { overBytes: 10, atOnce: 1, waitMs: 50 },
  ];
  const admitted = await bodies.admit(rule, 11, "a");
  await assert.rejects(bodies.admit(rule, 11, "a"), isBusy);
  await assert.rejects(bodies.admit(rule, null, "a"), isBusy);
  await bodies.admit(rule, 10, "a");
  await bodies.admit(rule, 11, "b");
  await bodies.admit(other, 11, "a");
  admitted?.release();
  await bodies.admit(rule, null, "a");
});
