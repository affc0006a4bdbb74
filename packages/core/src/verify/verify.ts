/**
 * Verification of every kind of object, truth packages included, with a kernel that is chosen here unless the caller
 * gives one. verifier.ts does the rest.
 */
import { selectKernel } from "../kernel/select.ts";
import { examineEvidence } from "../objects/anchor/evidence.ts";
import type { Report } from "../report/report.ts";
import { type CooperativeOptions, verifyCooperatively as cooperatively } from "./read-cooperatively.ts";
import { examineTruthPackage } from "./truth-package/examine.ts";
import { vaultEvidence } from "./vaults.ts";
import * as verifier from "./verifier.ts";

/** The options of `verify`. */
export interface VerifyOptions extends Omit<verifier.VerifierOptions, "kernel" | "packages" | "vaults" | "chain"> {
  /** The kernel to compute with; by default the compiled kernel, or the reference kernel without WebAssembly. */
  readonly kernel?: verifier.VerifierOptions["kernel"];
}

/**
 * Verifies evidence of any kind under a trust policy (protocol section 16). `bytes`: the whole object, a JSON text or a
 * truth package. `options`: the trust policy, and perhaps the kind and consistency evidence; without a trust policy
 * nobody is trusted, so the best verdict is `untrusted`. Returns the report: every fault is in it, with a code of the
 * table in docs/verdicts.md. Never throws because of the bytes; throws TypeError for an unknown kind, and
 * KernelDamaged if the compiled kernel is not the one that was built. It does not check that what the events say
 * is true, nor anything that the report lists under `does_not_prove`.
 *
 * @example
 * const { verdict, problems } = verify(pack, { trust });
 * console.log(verdict, problems.length); // verified 0
 */
export function verify(bytes: Uint8Array, options: VerifyOptions = {}): Report {
  return verifier.verify(bytes, withAll(options));
}

/**
 * Verifies as `verify` does, with the same report, and divides the receipts of a large bundle among threads. `bytes`,
 * `options`: as for `verify`; bytes in a SharedArrayBuffer save a copy. `helpers`: one for each further thread; if one
 * fails, this thread does its work. Without SharedArrayBuffer this thread does everything. Rejects as `verify` throws.
 * It starts no thread.
 *
 * @example
 * // Each helper runs `takeParts` in a separate thread.
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
 * Verifies as `verify` does, with the same report, and pauses between the parts of a large bundle or of a truth
 * package, so that its thread can do other things. `bytes`, `options`: as for `verify`. `cooperation`: the pause, and
 * about how many bytes to check in a row. Rejects as `verify` throws, and as the pause rejects. It does not pause while
 * it parses other objects.
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

/** Returns the options with a kernel, the examiners of truth packages and of a chain, and the evidence of vaults. */
export function withAll(options: VerifyOptions): verifier.VerifierOptions {
  const kernel = options.kernel ?? selectKernel();
  return { ...options, kernel, packages: examineTruthPackage, vaults: vaultEvidence, chain: examineEvidence };
}
