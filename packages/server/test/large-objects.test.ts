/** Objects too large for the thread that answers requests: how many bodies are let in, and what one of them may take. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "../src/errors.ts";
import { MAX_LARGE_BODIES, MAX_LARGE_BODY_WAIT_MS, MAX_VERIFY_HEAP_MIB, MAX_VERIFY_MS } from "../src/limits.ts";
import { LargeObjects } from "../src/verify/large-objects.ts";

const BOUNDS = { waitMs: MAX_LARGE_BODY_WAIT_MS, verifyMs: MAX_VERIFY_MS, heapMib: MAX_VERIFY_HEAP_MIB };
const TRUST = { signers: [] };

/** A stream segment with so many records that are none: read, and refused one by one. */
function segment(records: number): Uint8Array {
  const record = JSON.stringify({ stream_event_id: "sev_x", payload: { text: "x".repeat(200) } });
  return Buffer.from(`{"stream_id":"str_x","records":[${Array.from({ length: records }, () => record).join()}]}`);
}

function coded(code: string, words: RegExp) {
  return (error: unknown) => error instanceof ServiceError && error.code === code && words.test(error.message);
}

test("MAX_LARGE_BODIES are let in; the next waits for a place, and not for ever: verifier_busy", async () => {
  const objects = new LargeObjects({ ...BOUNDS, waitMs: 50 });
  const leave = await Promise.all(Array.from({ length: MAX_LARGE_BODIES }, () => objects.admit()));
  await assert.rejects(objects.admit(), coded("verifier_busy", /svc verify/));
  const next = objects.admit();
  leave[0]?.();
  const leaveNext = await next;
  await assert.rejects(objects.admit(), coded("verifier_busy", /svc verify/));
  leaveNext();
  await objects.admit();
  assert.ok(MAX_LARGE_BODY_WAIT_MS >= 1000);
});

test("an object that takes longer than MAX_VERIFY_MS or more than MAX_VERIFY_HEAP_MIB is refused, and the next one is verified", async () => {
  const question = { bytes: segment(20_000), trust: TRUST, kind: null };
  const slow = new LargeObjects({ ...BOUNDS, verifyMs: 1 });
  await assert.rejects(slow.examine(question), coded("object_too_complex", /too long/));
  const small = new LargeObjects({ ...BOUNDS, heapMib: 16 });
  await assert.rejects(small.examine(question), coded("object_too_complex", /too much memory/));
  const examined = await new LargeObjects().examine(question);
  assert.ok("report" in examined && examined.report.verdict === "rejected");
});
