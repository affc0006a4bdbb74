/**
 * Compiles the kernel: the inlined bytes, or those of a file that the caller has read. It does NOT fetch or read anything itself.
 */
import { KERNEL_BASE64 } from "./generated/kernel-base64.ts";
import { decodeBase64, type WasmModule, webAssembly } from "./web-assembly.ts";

/** A compiled kernel and the very bytes that it was compiled from. */
export interface CompiledKernel {
  readonly module: WasmModule;
  readonly bytes: Uint8Array;
}

/** This runtime cannot run the compiled kernel: it has no WebAssembly, or forbids it, or the bytes are not a kernel. */
export class KernelUnavailable extends Error {
  readonly code = "kernel_unavailable";
  override readonly name = "KernelUnavailable";
}

/** Compiles kernel bytes at once, by default the inlined ones. Throws KernelUnavailable. */
export function compileKernelSync(bytes: Uint8Array = decodeBase64(KERNEL_BASE64)): CompiledKernel {
  const { Module } = available();
  try {
    return { module: new Module(bytes), bytes };
  } catch (error) {
    throw refused(error, bytes);
  }
}

/** Compiles kernel bytes in the background, by default the inlined ones. Rejects with KernelUnavailable. */
export async function compileKernel(bytes: Uint8Array = decodeBase64(KERNEL_BASE64)): Promise<CompiledKernel> {
  const namespace = available();
  try {
    return { module: await namespace.compile(bytes), bytes };
  } catch (error) {
    throw refused(error, bytes);
  }
}

function available() {
  const namespace = webAssembly();
  if (namespace === undefined)
    throw new KernelUnavailable("This runtime has no WebAssembly, so the compiled kernel cannot run in it.");
  return namespace;
}

/** Tells a runtime that compiles nothing from bytes that are at fault: the smallest module of all compiles wherever any does. */
function refused(error: unknown, bytes: Uint8Array): KernelUnavailable {
  const reason = error instanceof Error ? error.message : String(error);
  const message = compilesAnything()
    ? `These ${bytes.length} bytes are no kernel that this runtime can compile: ${reason}.`
    : `The compiled kernel cannot run here: ${reason}. A page needs 'wasm-unsafe-eval' in the script-src of its content security policy.`;
  return new KernelUnavailable(message, { cause: error });
}

function compilesAnything(): boolean {
  try {
    const { Module } = available();
    return new Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)) !== undefined;
  } catch {
    return false;
  }
}
