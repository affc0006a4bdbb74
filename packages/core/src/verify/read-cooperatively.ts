/**
 * Verifies a large bundle or a truth package on a thread that does other things between its parts: cooperatively. The
 * report is that of verifier.ts.
 */

import type { Report } from "../report/report.ts";
import {
  begin,
  bundlesUnder,
  examineBytes,
  finalReport,
  readTrust,
  refuseTooLarge,
  type VerifierOptions,
} from "./examine-bytes.ts";
import type { ReadInBulk } from "./read-in-bulk.ts";
import { readInSteps, type Steps } from "./read-in-steps.ts";
import { packageSteps } from "./truth-package/examine.ts";

/** The way in which a thread does other things between the parts of a large bundle or of a package. */
export interface CooperativeOptions {
  /**
   * Called after each part, with about how much is done, and how much there is in all. If it rejects, the work ends.
   */
  readonly pause: (done: number, of: number) => Promise<void>;
  /** About so many bytes are checked in a row; by default as many as is fastest. */
  readonly partBytes?: number;
}

/**
 * Verifies as `verify` does, with the same report, for a thread that must not be busy for long. It pauses after each
 * part of a large bundle, also of a bundle in a package, and between the steps of a package. It does not pause while it
 * parses other objects and makes the table of events. Rejects as the pause does.
 */
export async function verifyCooperatively(
  bytes: Uint8Array,
  options: VerifierOptions,
  cooperation: CooperativeOptions,
): Promise<Report> {
  const exam = begin(readTrust(options), bytes, options);
  let read: ReadInBulk | null = null;
  try {
    if (exam.kind === "truth-package")
      await take(packageSteps(exam, bytes, bundlesUnder(options), cooperation.partBytes), cooperation);
    else {
      read = await take(readInSteps(exam, bytes, options.vaults, cooperation.partBytes), cooperation);
      examineBytes(exam, bytes, options, read);
    }
  } catch (error) {
    refuseTooLarge(exam, error);
  }
  return finalReport(exam, read, bytes, options);
}

/** Takes all steps, with a pause after each. */
async function take<T>(steps: Steps<T>, { pause }: CooperativeOptions): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await pause(...value);
  }
}
