/** The compiled kernel: its bytes, and instances of it. */
export { type KernelExport, KernelInstance, KernelStopped, REFUSED } from "./instance.ts";
export { type CompiledKernel, compileKernel, compileKernelSync, KernelUnavailable } from "./module.ts";
