/** Inflating by the compiled kernel, in pieces of input and of output. */
import { type CompiledKernel, KernelInstance, REFUSED } from "@svc/wasm";
import type { Kernel } from "../kernel.ts";

/** The bytes of a stream that are passed in one call. */
const INPUT_BYTES = 65_536;

/**
 * Returns a function that does what Kernel.inflate says. Streams have a separate instance: other calls do not drop it.
 */
export function inflater(compiled: CompiledKernel): Kernel["inflate"] {
  let idle: KernelInstance | null = null;
  return (packed, sizeBytes, take) => {
    // The instance is nobody else's meanwhile: `take` may inflate too.
    const kernel = idle ?? new KernelInstance(compiled);
    idle = null;
    for (let at = 0, size = sizeBytes; ; size = -1) {
      const input = packed.subarray(at, at + INPUT_BYTES);
      const read = kernel.call("inflate", input.length, (to) => to.set(input), size, packed.length - at);
      const piece = kernel.borrowOutput();
      if (piece.length > 0) take(piece);
      at += read;
      if (read !== REFUSED && at < packed.length) continue;
      idle = kernel;
      return read !== REFUSED;
    }
  };
}
