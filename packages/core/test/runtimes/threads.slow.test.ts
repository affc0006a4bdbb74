/** Threads of Node: the kernel is compiled once, and every thread makes its own instance of it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import process from "node:process";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { TIMEOUT_MS } from "@svc/testkit/runtimes";
import { compileKernelSync } from "@svc/wasm";
import { bundle } from "./bundle.ts";
import { assertCompiled, assertHandedOver, CASES, KERNEL_BYTES } from "./expected.ts";
import { type Runs, runAll, runHandedOver } from "./runs.ts";

const program = await bundle("thread");

test("main thread, from source", async () => {
  const runs = await runAll(CASES, KERNEL_BYTES);
  assert.equal(runs.runtime, `node ${process.versions.node}`);
  assertCompiled(runs);
});

test("two threads at once, with the module and the bytes of the main thread", { timeout: TIMEOUT_MS }, async (t) => {
  const compiled = compileKernelSync(KERNEL_BYTES);
  const threads = [1, 2].map(() => new Worker(program, { workerData: { compiled, cases: CASES } }));
  t.after(() => Promise.all(threads.map((thread) => thread.terminate())));
  for (const answer of await Promise.all(threads.map((thread) => once(thread, "message")))) {
    const [{ handedOver, runs }] = answer as [{ handedOver: unknown; runs: Runs }];
    assertHandedOver(handedOver);
    assertCompiled(runs);
  }
  assertHandedOver(await runHandedOver(compiled));
});
