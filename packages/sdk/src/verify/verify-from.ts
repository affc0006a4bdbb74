/**
 * Verifies a file, a stream or bytes in memory, offline: core's verifier takes the whole object. The kernel, and the
 * reader of truth packages, are loaded when they are needed.
 */
import type { Kernel, Report } from "@svc/core";
import { type VerifierOptions, verify } from "@svc/core/verifier";
import { type EvidenceSource, readAll } from "./read-all.ts";

/** The options of core's `verify`, and a limit. */
export interface VerifyFromOptions extends Omit<VerifierOptions, "kernel" | "packages"> {
  /** The kernel to compute with; by default the compiled kernel, or the reference kernel without WebAssembly. */
  readonly kernel?: Kernel;
  /** The most bytes to read; by default 2 GiB. */
  readonly maxBytes?: number;
  /** Ends the reading. */
  readonly signal?: AbortSignal;
}

const DEFAULT_MAX_BYTES = 2 ** 31;
/** An archive begins with these, and no JSON text does. */
const [LETTER_P, LETTER_K] = [0x50, 0x4b];

/**
 * Reads evidence of any kind to its end and verifies it under a trust policy. Resolves to the report: every fault of
 * the evidence is in it. All bytes are in memory meanwhile. `source`: bytes, a Blob or File, or a stream. `options`:
 * the trust policy, and limits. Rejects with RangeError for more than `maxBytes`, with the signal's reason, and with
 * the errors of the source.
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
 * Resolves to the kernel of this runtime: the compiled one, or the reference kernel if WebAssembly is missing or
 * forbidden. `pinKeys` takes it. Rejects with KernelDamaged if the compiled kernel is not the one that was built.
 *
 * @example
 * const kernel = await loadKernel();
 * console.log(kernel.name); // wasm
 */
export async function loadKernel(): Promise<Kernel> {
  const { selectKernel } = await import("./kernel.ts");
  return selectKernel();
}
