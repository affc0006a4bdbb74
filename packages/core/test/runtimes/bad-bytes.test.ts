/** Bytes that are no kernel give KernelDamaged, with their fault, and never another error. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KernelDamaged, KernelUnavailable } from "@svc/wasm";
import { loadWasmKernel, startWasmKernel } from "../../src/kernel/wasm/index.ts";
import { badBytes } from "./bad-bytes.ts";
import { assertBadBytes, KERNEL_BYTES } from "./expected.ts";

for (const [what, wrong] of Object.entries(badBytes(KERNEL_BYTES))) {
  test(`${what}: no kernel, started at once or later`, async () => {
    const isClear = (error: unknown) => {
      assert.ok(error instanceof KernelDamaged && error instanceof KernelUnavailable, String(error));
      assert.equal(error.code, "kernel_damaged");
      assertBadBytes(what, error.message);
      return true;
    };
    assert.throws(() => startWasmKernel(wrong), isClear);
    await assert.rejects(() => loadWasmKernel(wrong), isClear);
  });
}
