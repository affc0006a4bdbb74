/**
 * Compiles the kernel: the inlined bytes, or the bytes of a file that the caller has read. It does NOT fetch, read or
 * inflate anything itself.
 */
import { KernelDamaged, KernelUnavailable } from "./errors.ts";
import { KERNEL_BASE64, KERNEL_LENGTH } from "./generated/kernel-base64.ts";
import { type WasmModule, webAssembly } from "./web-assembly.ts";

/** A compiled kernel and the very bytes that it was compiled from. */
export interface CompiledKernel {
  readonly module: WasmModule;
  readonly bytes: Uint8Array;
}

/**
 * Returns the content of a raw deflate stream (RFC 1951) in standard base64, of the given size. Throws for any other
 * text.
 */
export type Unpack = (base64: string, sizeBytes: number) => Uint8Array;

/**
 * Returns the inlined kernel, unpacked. Throws KernelDamaged if that fails; the caller checks whether the bytes are the
 * right ones.
 */
export function inlinedKernel(unpack: Unpack): Uint8Array {
  try {
    return unpack(KERNEL_BASE64, KERNEL_LENGTH);
  } catch (error) {
    throw new KernelDamaged("The kernel inlined here was changed: it can no longer be unpacked.", { cause: error });
  }
}

/** Compiles kernel bytes at once. Throws KernelUnavailable, KernelDamaged. */
export function compileKernelSync(source: Uint8Array): CompiledKernel {
  const { Module } = available();
  // A copy, so that nobody changes the bytes that a report will name.
  const bytes = source.slice();
  try {
    return { module: new Module(bytes), bytes };
  } catch (error) {
    throw refused(error, bytes);
  }
}

/** Compiles kernel bytes in the background. Rejects with KernelUnavailable, KernelDamaged. */
export async function compileKernel(source: Uint8Array): Promise<CompiledKernel> {
  const namespace = available();
  const bytes = source.slice();
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

/**
 * Tells a runtime that cannot compile a kernel from damaged bytes: such a runtime does not compile the smallest module
 * with a vector in it either.
 */
function refused(error: unknown, bytes: Uint8Array): KernelUnavailable {
  const reason = error instanceof Error ? error.message : String(error);
  if (compiles(VECTOR_MODULE))
    return new KernelDamaged(`These ${bytes.length} bytes are no kernel that this runtime can compile: ${reason}.`, {
      cause: error,
    });
  const message = compiles(EMPTY_MODULE)
    ? `The compiled kernel cannot run here: this runtime's WebAssembly has no vectors (SIMD). ${reason}.`
    : `The compiled kernel cannot run here: ${reason}. A page needs 'wasm-unsafe-eval' in the script-src of its ` +
      `content security policy.`;
  return new KernelUnavailable(message, { cause: error });
}

const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
/** `(module (func (result v128) (v128.const i64x2 0 0)))` */
const VECTOR_MODULE = Uint8Array.of(
  ...EMPTY_MODULE,
  ...[1, 5, 1, 0x60, 0, 1, 0x7b],
  ...[3, 2, 1, 0],
  ...[10, 22, 1, 20, 0, 0xfd, 12, ...new Uint8Array(16), 0x0b],
);

function compiles(bytes: Uint8Array): boolean {
  try {
    const { Module } = available();
    return new Module(bytes) !== undefined;
  } catch {
    return false;
  }
}
