/** The kernels that every test of this folder runs against: their answers must be equal. */

import type { Kernel } from "../../src/kernel/kernel.ts";
import { referenceKernel } from "../../src/kernel/reference/index.ts";
import { startWasmKernel } from "../../src/kernel/wasm/index.ts";

export const kernels: readonly Kernel[] = [referenceKernel, startWasmKernel()];
