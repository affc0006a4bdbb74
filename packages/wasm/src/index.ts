/** The compiled kernel: its bytes, and instances of it. */

export { KERNEL_SHA256 } from "./generated/kernel-base64.ts";
export { type KernelExport, KernelInstance, KernelStopped, REFUSED } from "./instance.ts";
export {
  type CompiledKernel,
  compileKernel,
  compileKernelSync,
  inlinedKernel,
  KernelDamaged,
  KernelUnavailable,
  type Unpack,
} from "./module.ts";
export { decodeBase64 } from "./web-assembly.ts";
