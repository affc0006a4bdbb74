/**
 * The one way from bytes to a report (protocol section 16): strict parse, shape, the object's own checks in a fixed
 * order, then the expectations of the verifier. The CLI, the SDK, the page and the server's verify route use it. It
 * reads no clock, opens no connection, and never throws because of its input bytes. The caller passes the kernel, so
 * that a page carries only the one it uses; verify.ts chooses one.
 */

import { isShared } from "../encoding/bytes.ts";
import type { SharedBundle, TakenPart } from "../objects/bundle/parts.ts";
import type { Report } from "../report/report.ts";
import {
  begin,
  examineBytes,
  finalReport,
  readTrust,
  refuseTooLarge,
  type VerifierOptions,
  verifyUnder,
} from "./examine-bytes.ts";
import { type ReadInBulk, readInBulk, readWithHelpers } from "./read-in-bulk.ts";

export { type SharedBundle, type TakenPart, takeParts } from "../objects/bundle/parts.ts";
export type { PackageExaminer, VerifierOptions } from "./examine-bytes.ts";
export type { VaultEvidence } from "./kinds.ts";

/**
 * Checks parts of a bundle's receipts in another thread: sends the work to `takeParts` there, with a kernel of that
 * thread, and resolves to its answer.
 */
export type Helper = (work: SharedBundle) => Promise<readonly TakenPart[]>;

/** Verifies bytes under a trust policy. Every fault is in the report. */
export function verify(bytes: Uint8Array, options: VerifierOptions): Report {
  return verifyUnder(readTrust(options), bytes, options);
}

/**
 * Verifies as `verify` does, with the same report. This thread and the helpers' threads check the receipts of a large
 * bundle together, which needs SharedArrayBuffer; bytes in one save a copy. If a helper fails, this thread does its
 * work.
 */
export async function verifyWithHelpers(
  bytes: Uint8Array,
  options: VerifierOptions,
  helpers: readonly Helper[],
): Promise<Report> {
  const exam = begin(readTrust(options), bytes, options);
  let read: ReadInBulk | null = null;
  try {
    read =
      typeof SharedArrayBuffer === "function"
        ? await readWithHelpers(exam, bytes, helpers, options.vaults)
        : readInBulk(exam, bytes, options.vaults);
    // Not every runtime decodes text in shared memory.
    examineBytes(exam, read === null && isShared(bytes) ? bytes.slice() : bytes, options, read);
  } catch (error) {
    refuseTooLarge(exam, error);
  }
  return finalReport(exam, read, bytes, options);
}
