/** The level of each event of an object, beside the report about the whole (protocol sections 33 and 34). */
import type { EventLevel } from "../objects/assurance/missing.ts";
import type { Report } from "../report/report.ts";
import { begin, examineBytes, readTrust, refuseTooLarge } from "./examine-bytes.ts";
import { type VerifyOptions, withAll } from "./verify.ts";

/** A report, and the levels of the events that it is about. */
export type DerivedAssurance = {
  readonly report: Report;
  /** In the order of the events; empty for an object without events of vaults, and for a rejected one. */
  readonly events: readonly EventLevel[];
};

/**
 * Verifies evidence as `verify` does, and returns the level of each event beside the same report (protocol section 33):
 * the level that its vault claims, the one that counts for this verifier, and the first condition for the next one that
 * is not met. `bytes`, `options`: as for `verify`. A rejected object has no levels: nothing in it counts. Throws as
 * `verify` does.
 *
 * @example
 * const { report, events } = deriveAssurance(pack, { trust });
 * console.log(report.verdict, events.length); // verified 0
 */
export function deriveAssurance(bytes: Uint8Array, options: VerifyOptions = {}): DerivedAssurance {
  const whole = withAll(options);
  const exam = begin(readTrust(whole), bytes, whole);
  try {
    // One by one, since only then each level has its event.
    examineBytes(exam, bytes, whole, null);
  } catch (error) {
    refuseTooLarge(exam, error);
  }
  const report = exam.report();
  return { report, events: report.verdict === "rejected" ? [] : exam.levels };
}
