/** A running kernel: writes the input, calls an export, reads the output. It does not know the layout of any call. */
import { KernelDamaged, KernelStopped, KernelUnavailable } from "./errors.ts";
import type { CompiledKernel } from "./module.ts";
import { type WasmExports, webAssembly } from "./web-assembly.ts";

const KERNEL_EXPORTS = [
  "json_check",
  "json_canonicalize",
  "document_open",
  "document_locate",
  "document_members",
  "document_hash",
  "document_records",
  "inflate",
  "hashes",
  "sha256_blocks",
  "ed25519_verify",
  "root_from_leaf_hashes",
  "root_from_frontier",
  "append_to_frontier",
  "prove_inclusion",
  "prove_consistency",
  "verify_inclusion",
  "verify_consistency",
] as const;
const OWN_EXPORTS = [
  "reserve",
  "output",
  "output_length",
  "error_offset",
  "document",
  "document_length",
  "document_close",
] as const;

/** The names of the exports; crates/glue/src describes their inputs and outputs. */
export type KernelExport = (typeof KERNEL_EXPORTS)[number];
type OwnExports = (typeof OWN_EXPORTS)[number];

/**
 * The exports that read the open document. Their input is small, and the instance must be kept whatever the document's
 * size.
 */
const READING: ReadonlySet<KernelExport> = new Set([
  "document_locate",
  "document_members",
  "document_hash",
  "document_records",
]);

/** The result of an export that refuses its input. */
export const REFUSED = 0xffffffff;
/** No instance can have more memory than this. */
const MAX_BYTES = 2 ** 32 - 2 ** 16;
/** A call that stopped with more memory than this most likely asked for more than there is. */
const SUSPECT_BYTES = 2 ** 30;
/** A larger instance is not kept for small inputs: its memory never shrinks. */
const KEPT_BYTES = 48 * 2 ** 20;

/**
 * One kernel whose instance is replaced when it has stopped or grown large. Do not share it between threads; each
 * thread makes its own from the same compiled module.
 */
export class KernelInstance {
  readonly #compiled: CompiledKernel;
  #exports: WasmExports | null = null;
  /** Counts the dropped instances, so that a caller with state in an instance notices its loss. */
  generation = 0;

  constructor(compiled: CompiledKernel) {
    this.#compiled = compiled;
  }

  /**
   * Calls an export with an input that `write` fills in: it gets exactly `length` bytes, and must write all of them.
   * Returns the export's result as an unsigned number. Throws RangeError if the memory of WebAssembly does not suffice,
   * KernelStopped if the kernel failed.
   */
  call(name: KernelExport, length: number, write: (input: Uint8Array) => void, ...numbers: number[]): number {
    if (length > MAX_BYTES) throw tooLarge(length);
    this.#renew(READING.has(name) ? MAX_BYTES : length);
    const address = this.#run("reserve", length);
    write(new Uint8Array(this.#memory(), address, length));
    return this.#run(name, ...numbers);
  }

  /** Returns a copy of the last call's output. */
  output(): Uint8Array {
    return this.borrowOutput().slice();
  }

  /** Returns the last call's output where it stands, until the next call. */
  borrowOutput(): Uint8Array {
    const address = this.#run("output");
    return new Uint8Array(this.#memory(), address, this.#run("output_length"));
  }

  /** Copies the last call's output into an array of exactly that length. */
  readOutput(to: Uint8Array): void {
    const address = this.#run("output");
    const length = this.#run("output_length");
    if (length !== to.length)
      throw new KernelStopped(`The compiled kernel answered ${length} bytes instead of ${to.length}.`);
    to.set(new Uint8Array(this.#memory(), address, length));
  }

  /** Returns a copy of the open document. */
  document(): Uint8Array {
    const address = this.#run("document");
    return new Uint8Array(this.#memory(), address, this.#run("document_length")).slice();
  }

  /** Returns the number of bytes in the open document. */
  documentLength(): number {
    return this.#run("document_length");
  }

  /** Forgets the open document. Its memory serves the next input, or is released if it is large. */
  closeDocument(): void {
    if (this.#exports === null) return;
    this.#run("document_close");
    this.release();
  }

  /** Returns the offset of the error of the last JSON call. */
  errorOffset(): number {
    return this.#run("error_offset");
  }

  /** The memory of the instance, in bytes; 0 without an instance. */
  get memoryBytes(): number {
    return this.#exports?.memory.buffer.byteLength ?? 0;
  }

  /** Makes sure that there is an instance. Throws KernelUnavailable. */
  start(): void {
    this.#renew(0);
  }

  /** Releases the memory if it is large. */
  release(): void {
    if (this.memoryBytes > KEPT_BYTES) this.#drop();
  }

  /** Makes an instance if it is missing, or far too large for an input of this length. */
  #renew(length: number): void {
    if (this.memoryBytes > KEPT_BYTES && this.memoryBytes > 16 * length) this.#drop();
    this.#exports ??= instantiate(this.#compiled);
  }

  #drop(): void {
    this.#exports = null;
    this.generation++;
  }

  #memory(): ArrayBuffer {
    if (this.#exports === null) throw new KernelStopped("The compiled kernel has been stopped.");
    return this.#exports.memory.buffer;
  }

  #run(name: KernelExport | OwnExports, ...numbers: number[]): number {
    const run = this.#exports?.[name];
    if (run === undefined) throw new KernelStopped(`The compiled kernel has no ${name}.`);
    try {
      return run(...numbers) >>> 0;
    } catch (error) {
      const memoryBytes = this.memoryBytes;
      // The call stopped halfway: nothing of this instance may be used again.
      this.#drop();
      if (name === "reserve" || memoryBytes > SUSPECT_BYTES) throw tooLarge(memoryBytes, error);
      throw new KernelStopped(`The compiled kernel stopped in ${name}: ${String(error)}.`, { cause: error });
    }
  }
}

function instantiate({ module, bytes }: CompiledKernel): WasmExports {
  const namespace = webAssembly();
  if (namespace === undefined) throw new KernelUnavailable("This runtime has no WebAssembly.");
  let exports: WasmExports;
  try {
    exports = new namespace.Instance(module, {}).exports;
  } catch (error) {
    throw new KernelDamaged(`The compiled kernel cannot be started: ${String(error)}.`, { cause: error });
  }
  // Another module would fail in the middle of a call, as if the kernel itself were broken.
  const missing = [...KERNEL_EXPORTS, ...OWN_EXPORTS].find((name) => typeof exports[name] !== "function");
  if (missing === undefined && exports.memory?.buffer !== undefined) return exports;
  const what = missing === undefined ? "its own memory" : `function ${missing}`;
  throw new KernelDamaged(`These ${bytes.length} bytes are no kernel of this version: they have no ${what}.`);
}

function tooLarge(bytes: number, cause?: unknown): RangeError {
  return new RangeError(`the input needs more memory than WebAssembly has (${bytes} bytes are in use)`, { cause });
}
