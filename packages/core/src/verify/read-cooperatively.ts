/**
 * Verifying a large bundle, or a truth package, on a thread that does other things between its parts. The report is that of verifier.ts.
 */

import type { Report } from "../report/report.ts";
import { begin, examineBytes, examineValue, readTrust, refuseTooLarge, type VerifierOptions } from "./examine-bytes.ts";
import { readInSteps, type Steps } from "./read-in-steps.ts";
import { packageSteps } from "./truth-package/examine.ts";

/** What a thread does between the parts of a large bundle or of a package, so that it can do other things too. */
export interface CooperativeOptions {
  /** Called after each part, with about how much is done, and of how much. What it rejects with ends the work. */
  readonly pause: (done: number, of: number) => Promise<void>;
  /** About how many bytes are checked in a row; as many as is fastest where it is not given. */
  readonly partBytes?: number;
}

/**
 * As `verify`, with the same report, for a thread that must not be busy for long: there is a pause after each part of a large bundle, also
 * of one in a package, and between the steps of a package. Everything else is done in one go: parsing, and the table of events. Rejects with
 * what the pause rejects with.
 */
export async function verifyCooperatively(
  bytes: Uint8Array,
  options: VerifierOptions,
  cooperation: CooperativeOptions,
): Promise<Report> {
  const exam = begin(readTrust(options), bytes, options);
  const { links = [] } = options;
  try {
    if (exam.kind === "truth-package")
      await take(
        packageSteps(exam, bytes, (part, value, bulk) => examineValue(part, value, links, bulk), cooperation.partBytes),
        cooperation,
      );
    else examineBytes(exam, bytes, options, await take(readInSteps(exam, bytes, cooperation.partBytes), cooperation));
  } catch (error) {
    refuseTooLarge(exam, error);
  }
  return exam.report();
}

/** Takes all steps, with a pause after each. */
async function take<T>(steps: Steps<T>, { pause }: CooperativeOptions): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await pause(...value);
  }
}
