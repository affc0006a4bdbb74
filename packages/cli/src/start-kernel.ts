/**
 * Starts a kernel, without words about it. Node inflates and computes SHA-256 itself, so that a kernel starts at once.
 */
import { createHash } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import {
  type Kernel,
  KernelDamaged,
  type KernelName,
  KernelUnavailable,
  referenceKernel,
  startWasmKernel,
} from "@svc/core";

/**
 * Returns the kernel of that name; without one the compiled kernel, or the reference kernel if this runtime has no
 * WebAssembly. Throws KernelUnavailable, KernelDamaged.
 */
export function startKernel(name?: KernelName): Kernel {
  if (name === "reference") return referenceKernel;
  try {
    return startWasmKernel(undefined, {
      sha256: (bytes) => createHash("sha256").update(bytes).digest(),
      unpack: (base64, sizeBytes) => inflateRawSync(Buffer.from(base64, "base64"), { maxOutputLength: sizeBytes }),
    });
  } catch (error) {
    if (name === undefined && error instanceof KernelUnavailable && !(error instanceof KernelDamaged))
      return referenceKernel;
    throw error;
  }
}
