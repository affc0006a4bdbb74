/** Verification with helpers in other threads: the same whole report, even if helpers misbehave. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, test } from "node:test";
import { Worker } from "node:worker_threads";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { type Helper, pinKeys, referenceKernel, selectKernel, verify, verifyWithHelpers } from "../src/index.ts";
import { takeParts } from "../src/objects/bundle/parts.ts";

const kernel = selectKernel("wasm");
const trust = pinKeys(referenceKernel, [SERVICE.publicKeyHex]);
// More than one part, since a part is a full batch of signatures.
const EVENTS = 9000;
const evidence = await issueStream(EVENTS, { perWindow: 1000, perCheckpoint: 4 });
const bundle = await bundleOf(evidence);
const good = kernel.canonicalize(bundle);

const worker = new Worker(new URL("./helper-thread.ts", import.meta.url));
after(() => worker.terminate());
let calls = 0;
const inThread: Helper = async (work) => {
  calls++;
  worker.postMessage(work);
  const [answer] = await once(worker, "message");
  return answer;
};
const here: Helper = async (work) => takeParts(selectKernel("wasm"), work);
const takesAndFails: Helper = async (work) => {
  Atomics.add(work.next, 0, 1);
  throw new Error("no thread");
};
const takesAllAndKeepsThem: Helper = async (work) => {
  Atomics.store(work.next, 0, work.parts.length);
  return [];
};

function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

interface Editable {
  readonly artifacts: Record<string, { source_ref: string }[]>;
  payloads?: Record<string, { payload: object }>;
}

function changed(edit: (bundle: Editable) => void): Uint8Array {
  const copy = structuredClone(bundle) as unknown as Editable;
  edit(copy);
  return new TextEncoder().encode(JSON.stringify(copy));
}

const texts: Readonly<Record<string, Uint8Array>> = {
  good,
  "in shared memory": shared(good),
  "in another order": changed(() => {}),
  redacted: changed((bundle) => delete bundle.payloads),
  "an event of the last part changed": changed((bundle) => {
    (bundle.artifacts["receipts.json"]?.[EVENTS - 2] ?? assert.fail("a receipt")).source_ref = "another";
  }),
  "a payload changed": changed((bundle) => {
    (Object.values(bundle.payloads ?? {})[7] ?? assert.fail("a payload")).payload = {};
  }),
  "cut off": good.subarray(0, -1),
  "shared, and cut off": shared(good.subarray(0, -1)),
  small: changed((bundle) => {
    bundle.artifacts["receipts.json"] = [];
  }),
};

for (const [what, bytes] of Object.entries(texts)) {
  test(`${what}: the report is that of one thread`, async () => {
    const expected = verify(new Uint8Array(bytes), { trust, kernel });
    const teams =
      what === "good" ? [[], [inThread, here], [takesAndFails, inThread], [takesAllAndKeepsThem]] : [[inThread]];
    for (const helpers of teams) assert.deepEqual(await verifyWithHelpers(bytes, { trust, kernel }, helpers), expected);
    assert.equal(
      expected.verdict,
      what.includes("changed") || what.includes("cut") || what === "small" ? "rejected" : "verified",
    );
  });
}

test("the thread was asked", () => {
  assert.ok(calls >= 6, `${calls} calls`);
});
