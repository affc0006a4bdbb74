/** From a value to a report, for callers that have parsed the bytes already: they are not parsed again. All else is verifier.ts. */

import type { Json } from "../kernel/kernel.ts";
import type { Report } from "../report/report.ts";
import { begin, examineValue, readTrust, refuseTooLarge, type VerifierOptions } from "./examine-bytes.ts";

/**
 * As `verify`, with the same report, of a value that a kernel's strict parser has made, or that was put together from such values. Not of one from
 * elsewhere: what only the parser refuses would pass.
 */
export function verifyParsed(value: Json, options: VerifierOptions): Report {
  const exam = begin(readTrust(options), new Uint8Array(), options);
  exam.looked("json");
  try {
    examineValue(exam, value, options.links ?? []);
  } catch (error) {
    refuseTooLarge(exam, error);
  }
  return exam.report();
}
