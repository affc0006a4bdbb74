/**
 * The kernel of a page: the compiled one, or the reference kernel if the page may not compile it; never in place of one
 * that was changed.
 */
import { type Kernel, KernelDamaged, KernelUnavailable, loadWasmKernel, referenceKernel } from "@svc/core";

export interface LoadedKernel {
  readonly kernel: Kernel;
  /** Why the reference kernel computes; null if the compiled one does. */
  readonly why: string | null;
}

let loading: Promise<LoadedKernel> | null = null;

/** Loads the kernel once. Rejects with KernelDamaged. */
export function loadKernel(): Promise<LoadedKernel> {
  loading ??= load();
  return loading;
}

async function load(): Promise<LoadedKernel> {
  try {
    return { kernel: await loadWasmKernel(), why: null };
  } catch (error) {
    if (!(error instanceof KernelUnavailable) || error instanceof KernelDamaged) throw error;
    return { kernel: referenceKernel, why: error.message };
  }
}
