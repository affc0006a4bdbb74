/** Chooses the kernel: the compiled one, or the reference kernel where WebAssembly is missing. */
import { KernelDamaged, KernelUnavailable } from "@svc/wasm";
import type { Kernel } from "./kernel.ts";
import { referenceKernel } from "./reference/index.ts";
import { startWasmKernel } from "./wasm/index.ts";

/** The names of the kernels. */
export type KernelName = Kernel["name"];

let started: Kernel | KernelUnavailable | null = null;

/**
 * Returns a kernel. `name`: which one; by default the compiled kernel, or the reference kernel if WebAssembly is
 * missing or forbidden. A report says which kernel computed it. Throws KernelUnavailable, with the reason, if `wasm` is
 * named and cannot start. Throws KernelDamaged if the compiled kernel is not the one that was built: no other kernel
 * then takes its place.
 *
 * @example
 * console.log(selectKernel().name, selectKernel("reference").name); // wasm reference
 */
export function selectKernel(name?: KernelName): Kernel {
  if (name === "reference") return referenceKernel;
  started ??= tryToStart();
  if (!(started instanceof KernelUnavailable)) return started;
  if (name === "wasm" || started instanceof KernelDamaged) throw started;
  return referenceKernel;
}

function tryToStart(): Kernel | KernelUnavailable {
  try {
    return startWasmKernel();
  } catch (error) {
    if (error instanceof KernelUnavailable) return error;
    throw error;
  }
}
