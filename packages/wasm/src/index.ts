/** The compiled kernel: its bytes, and instances of it. */

export { KernelDamaged, KernelStopped, KernelUnavailable } from "./errors.ts";
export { KERNEL_SHA256 } from "./generated/kernel-base64.ts";
export { type KernelExport, KernelInstance, REFUSED } from "./instance.ts";
export {
  type CompiledKernel,
  compileKernel,
  compileKernelSync,
  inlinedKernel,
  type Unpack,
} from "./module.ts";
export { decodeBase64 } from "./web-assembly.ts";
