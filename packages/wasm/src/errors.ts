/**
 * The failures of a kernel. They have their own module, so that code that only catches them does not load a kernel's
 * bytes.
 */

/** This runtime cannot run the compiled kernel: it has no WebAssembly, or one that is too old, or forbids it. */
export class KernelUnavailable extends Error {
  readonly code: "kernel_unavailable" | "kernel_damaged" = "kernel_unavailable";
  override readonly name: string = "KernelUnavailable";
}

/** The bytes are not those of a kernel, or not those that were built. Nothing may replace it: this copy is damaged. */
export class KernelDamaged extends KernelUnavailable {
  override readonly code = "kernel_damaged";
  override readonly name = "KernelDamaged";
}

/** The compiled kernel stopped in the middle of a call. The instance is gone; the next call gets a fresh one. */
export class KernelStopped extends Error {
  readonly code = "kernel_stopped";
  override readonly name = "KernelStopped";
}
