/** litewitness for tests: killed and started again, it has its address and its key, and knows what it has cosigned. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openNote, parseVerificationKey, referenceKernel } from "@svc/core";
import { NO_COUNTERPARTS } from "../src/counterparts.ts";
import { TestLog } from "../src/evidence/log.ts";
import { type Litewitness, startLitewitness } from "../src/litewitness.ts";

async function add({ url }: Litewitness, body: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/add-checkpoint`, { method: "POST", body });
  return { status: response.status, text: await response.text() };
}

test("it cosigns, is killed, and goes on", { skip: NO_COUNTERPARTS }, async (t) => {
  const [log, later] = [new TestLog("log.example/one").growTo(3), new TestLog("log.example/later").growTo(1)];
  const witness = await startLitewitness(t, "litewitness.example/test");
  const { url, vkey, pid } = witness;
  assert.match(vkey, /^litewitness\.example\/test\+[0-9a-f]{8}\+B/);
  assert.equal((await add(witness, await log.body(0))).status, 404);
  await witness.addOrigin(log.vkey);
  assert.equal((await add(witness, await log.body(0))).status, 200);
  await witness.kill();
  await assert.rejects(fetch(url));
  await witness.addOrigin(later.vkey);
  await witness.start();
  assert.notEqual(witness.pid, pid);
  assert.deepEqual(await add(witness, await log.body(0)), { status: 409, text: "3\n" });
  const { status, text } = await add(witness, await log.growTo(5).body(3));
  assert.equal(status, 200);
  const key = parseVerificationKey(referenceKernel, vkey);
  assert.ok(key.ok && openNote(referenceKernel, `${await log.note()}${text}`, [key.key]).ok);
  assert.equal((await add(witness, await later.body(0))).status, 200);
});
