/** The one place where a command hands bytes to core: with one kernel or with both. */
import { type CrossCheckedReport, crossCheck, type Kernel, type Report, type VerifyOptions, verify } from "@svc/core";

/** The one kernel that computes, or both. */
export type Kernels = readonly [Kernel] | readonly [Kernel, Kernel];
/** A report, and how both kernels came to it where both were asked. */
export type Checked = CrossCheckedReport | { readonly report: Report };

/**
 * Verifies bytes. `jobs` is how many threads may check at most, this one among them; the report does not depend on it, and one thread
 * checks all today.
 */
export async function check(
  bytes: Uint8Array,
  [kernel, other]: Kernels,
  settings: Omit<VerifyOptions, "kernel">,
  _jobs = 1,
): Promise<Checked> {
  if (other === undefined) return { report: verify(bytes, { ...settings, kernel }) };
  return crossCheck(bytes, { ...settings, kernels: [kernel, other] });
}
