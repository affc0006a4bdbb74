/** Starts a kernel, without words about it. Node computes SHA-256 itself, so that a report's kernel is identified in no time. */
import { createHash } from "node:crypto";
import {
  type Kernel,
  KernelDamaged,
  type KernelName,
  KernelUnavailable,
  referenceKernel,
  startWasmKernel,
} from "@svc/core";

/**
 * The kernel of that name; without one the compiled kernel, or the reference where this runtime has no WebAssembly. Throws KernelUnavailable,
 * KernelDamaged.
 */
export function startKernel(name?: KernelName): Kernel {
  if (name === "reference") return referenceKernel;
  try {
    return startWasmKernel(undefined, (bytes) => createHash("sha256").update(bytes).digest());
  } catch (error) {
    if (name === undefined && error instanceof KernelUnavailable && !(error instanceof KernelDamaged))
      return referenceKernel;
    throw error;
  }
}
