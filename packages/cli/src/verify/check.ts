/** The one place where a command hands the bytes of one file to core: with one kernel, by several threads if it is large, or with both. */
import { type CrossCheckedReport, crossCheck, type Kernel, type Report, type VerifyOptions } from "@svc/core";
import { verifyLarge } from "./many/large.ts";

/** The one kernel that computes, or both. */
export type Kernels = readonly [Kernel] | readonly [Kernel, Kernel];
/** A report, and how both kernels came to it where both were asked. */
export type Checked = CrossCheckedReport | { readonly report: Report };

/** Verifies bytes. `jobs` is how many threads may check at most, this one among them; the report does not depend on it. */
export async function check(
  bytes: Uint8Array,
  [kernel, other]: Kernels,
  settings: Omit<VerifyOptions, "kernel">,
  jobs?: number,
): Promise<Checked> {
  if (other === undefined) return { report: await verifyLarge(bytes, { ...settings, kernel }, jobs) };
  return crossCheck(bytes, { ...settings, kernels: [kernel, other] });
}
