/** Verification with a kernel chosen here, where the caller chooses none, and of truth packages too. All else is verifier.ts. */
import { selectKernel } from "../kernel/select.ts";
import type { Report } from "../report/report.ts";
import { type CooperativeOptions, verifyCooperatively as cooperatively } from "./read-cooperatively.ts";
import { examineTruthPackage } from "./truth-package/examine.ts";
import * as verifier from "./verifier.ts";

/** The options of `verify`. */
export interface VerifyOptions extends Omit<verifier.VerifierOptions, "kernel" | "packages"> {
  /** The kernel to compute with; without one the compiled kernel, or the reference where WebAssembly is not to be had. */
  readonly kernel?: verifier.VerifierOptions["kernel"];
}

/**
 * Verifies bytes under a trust policy. Every failure is in the report.
 *
 * @example
 * const { verdict, problems } = verify(pack, { trust });
 * console.log(verdict, problems.length); // verified 0
 */
export function verify(bytes: Uint8Array, options: VerifyOptions = {}): Report {
  return verifier.verify(bytes, withAll(options));
}

/**
 * As `verify`, with the same report, and the receipts of a large bundle divided among threads: verifier.ts.
 *
 * @example
 * // Each helper runs `takeParts` in a thread of its own.
 * const { verdict } = await verifyWithHelpers(pack, { trust }, []);
 * console.log(verdict); // verified
 */
export function verifyWithHelpers(
  bytes: Uint8Array,
  options: VerifyOptions,
  helpers: readonly verifier.Helper[],
): Promise<Report> {
  return verifier.verifyWithHelpers(bytes, withAll(options), helpers);
}

/**
 * As `verify`, with the same report, and with pauses between the parts of a large bundle: read-cooperatively.ts.
 *
 * @example
 * const pause = () => new Promise<void>((resolve) => setTimeout(resolve));
 * const { verdict } = await verifyCooperatively(pack, { trust }, { pause });
 * console.log(verdict); // verified
 */
export function verifyCooperatively(
  bytes: Uint8Array,
  options: VerifyOptions,
  cooperation: CooperativeOptions,
): Promise<Report> {
  return cooperatively(bytes, withAll(options), cooperation);
}

/** The options with a kernel, and with what reads truth packages. */
export function withAll(options: VerifyOptions): verifier.VerifierOptions {
  return { ...options, kernel: options.kernel ?? selectKernel(), packages: examineTruthPackage };
}
