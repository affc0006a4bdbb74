/**
 * From a value to a report, for callers that have already parsed the bytes: they are not parsed again. verifier.ts does
 * the rest.
 */

import type { Json } from "../kernel/kernel.ts";
import type { Report } from "../report/report.ts";
import { begin, examineValue, readTrust, refuseTooLarge, type VerifierOptions } from "./examine-bytes.ts";

/**
 * Verifies as `verify` does, with the same report, a value that a kernel's strict parser has made, or that was put
 * together from such values. Give it no value from elsewhere: faults that only the parser finds would pass.
 */
export function verifyParsed(value: Json, options: VerifierOptions): Report {
  const exam = begin(readTrust(options), new Uint8Array(), options);
  exam.looked("json");
  try {
    examineValue(exam, value, options);
  } catch (error) {
    refuseTooLarge(exam, error);
  }
  return exam.report();
}
