/**
 * The kernels for tests that run with both, by name. Without the compiled kernel its tests are left out with a loud
 * message; under CI that fails.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Kernel, type KernelName, selectKernel } from "@svc/core";

/** Returns the named kernel, or null if this build or this runtime has none. */
export function kernelOrNull(name: KernelName): Kernel | null {
  try {
    return selectKernel(name);
  } catch (error) {
    assert.equal((error as { code?: unknown }).code, "kernel_unavailable");
    return null;
  }
}

const NAMES: readonly KernelName[] = ["wasm", "reference"];
const missing = NAMES.filter((name) => kernelOrNull(name) === null);

/** The names of the available kernels. */
export const KERNEL_NAMES: readonly KernelName[] = NAMES.filter((name) => !missing.includes(name));

if (missing.length > 0) {
  const message = `kernels are missing: ${missing}`;
  if (process.env.CI) test(message, () => assert.fail(message));
  else console.error(`\n!!! ${message}\n!!! NOT TESTED with them\n`);
}
