/** Which kernel computes: the compiled one, or the reference where WebAssembly is not to be had. */
import { KernelDamaged, KernelUnavailable } from "@svc/wasm";
import type { Kernel } from "./kernel.ts";
import { referenceKernel } from "./reference/index.ts";
import { startWasmKernel } from "./wasm/index.ts";

/** The names of the kernels. */
export type KernelName = Kernel["name"];

let started: Kernel | KernelUnavailable | null = null;

/**
 * The kernel of that name; without a name the compiled one, or the reference where WebAssembly is missing or forbidden: a report says
 * which it was. Throws KernelUnavailable, with the reason, where `wasm` is asked for by name and cannot be had, and KernelDamaged where
 * the compiled kernel is not the one that was built: nothing takes its place then.
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
