/** Verification with a kernel chosen here, where the caller chooses none. All else is verifier.ts. */
import { selectKernel } from "./kernel/select.ts";
import type { Report } from "./report/report.ts";
import * as verifier from "./verifier.ts";

/** The options of `verify`. */
export interface VerifyOptions extends Omit<verifier.VerifierOptions, "kernel"> {
  /** The kernel to compute with; without one the compiled kernel, or the reference where WebAssembly is not to be had. */
  readonly kernel?: verifier.VerifierOptions["kernel"];
}

/** Verifies bytes under a trust policy. Every failure is in the report. */
export function verify(bytes: Uint8Array, options: VerifyOptions = {}): Report {
  return verifier.verify(bytes, { ...options, kernel: options.kernel ?? selectKernel() });
}

/** As `verify`, with the same report, and the receipts of a large bundle divided among threads: verifier.ts. */
export function verifyWithHelpers(
  bytes: Uint8Array,
  options: VerifyOptions,
  helpers: readonly verifier.Helper[],
): Promise<Report> {
  return verifier.verifyWithHelpers(bytes, { ...options, kernel: options.kernel ?? selectKernel() }, helpers);
}
