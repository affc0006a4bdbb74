/**
 * Verifying what comes from a file, a stream or memory, offline: the verifier of core, which takes the whole of an object. The kernel, and what
 * reads truth packages, are loaded when they are needed.
 */
import type { Kernel, Report } from "@svc/core";
import { type VerifierOptions, verify } from "@svc/core/verifier";
import { type EvidenceSource, readAll } from "./read-all.ts";

/** The options of core's `verify`, and how much is read. */
export interface VerifyFromOptions extends Omit<VerifierOptions, "kernel" | "packages"> {
  /** The kernel to compute with; without one the compiled kernel, or the reference where WebAssembly is not to be had. */
  readonly kernel?: Kernel;
  /** How many bytes are read at most; 2 GiB where it is not given. */
  readonly maxBytes?: number;
  /** Ends the reading. */
  readonly signal?: AbortSignal;
}

const DEFAULT_MAX_BYTES = 2 ** 31;
/** An archive begins so, and no JSON text does. */
const [LETTER_P, LETTER_K] = [0x50, 0x4b];

/**
 * Reads evidence of any kind to its end and verifies it under a trust policy: every failure of the evidence is in the report. The whole of it is in
 * memory meanwhile. Rejects with RangeError for more than `maxBytes`, with the signal's reason, and with what the source fails with.
 *
 * @example
 * const { verdict } = await verifyFrom(new Blob([pack]), { trust });
 * console.log(verdict); // verified
 */
export async function verifyFrom(source: EvidenceSource, options: VerifyFromOptions = {}): Promise<Report> {
  const { kernel, maxBytes = DEFAULT_MAX_BYTES, signal, ...rest } = options;
  const bytes = await readAll(source, maxBytes, signal);
  const isPackage = rest.kind === "truth-package" || (bytes[0] === LETTER_P && bytes[1] === LETTER_K);
  const packages = isPackage && { packages: (await import("@svc/core/truth-package")).examineTruthPackage };
  return verify(bytes, { ...rest, kernel: kernel ?? (await loadKernel()), ...packages });
}

/**
 * The kernel of this runtime: the compiled one, or the reference where WebAssembly is missing or forbidden. `pinKeys` takes it. Rejects with
 * KernelDamaged where the compiled kernel is not the one that was built.
 *
 * @example
 * const kernel = await loadKernel();
 * console.log(kernel.name); // wasm
 */
export async function loadKernel(): Promise<Kernel> {
  const { selectKernel } = await import("./kernel.ts");
  return selectKernel();
}
