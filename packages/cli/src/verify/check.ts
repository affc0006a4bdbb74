/**
 * The one place where a command passes the bytes of one file to core: with one kernel, by several threads if the file
 * is large, or with both kernels.
 */
import { type CrossCheckedReport, crossCheck, type Report, type VerifyOptions } from "@svc/core";
import type { Kernels } from "./kernels.ts";
import { verifyLarge } from "./many/large.ts";

/** A report, and the runs of both kernels if both were asked. */
export type Checked = CrossCheckedReport | { readonly report: Report };

/** Verifies bytes. At most `jobs` threads check, this one among them; the report does not depend on it. */
export async function check(
  bytes: Uint8Array,
  [kernel, other]: Kernels,
  settings: Omit<VerifyOptions, "kernel">,
  jobs?: number,
): Promise<Checked> {
  if (other === undefined) return { report: await verifyLarge(bytes, { ...settings, kernel }, jobs) };
  return crossCheck(bytes, { ...settings, kernels: [kernel, other] });
}
