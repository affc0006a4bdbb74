/**
 * When a report says that the holder of a key issued something wrong (protocol section 16). Anybody can edit a file, or
 * put honest parts of several together, and that must accuse nobody. So the faults that can convict are between things
 * that are sealed, and they convict only where nothing else is wrong and one key, which trust reaches, sealed it all.
 */
import { KEEP_AGAINST_SIGNER } from "../own-actions.ts";
import { MAX_PROBLEMS } from "./bounds.ts";
import { type CodeEntry, PLAIN_CODES } from "./plain-codes.ts";
import type { Problem, ReportedSigner } from "./report.ts";

const CODES: Readonly<Record<string, CodeEntry>> = PLAIN_CODES;
/** They seal nothing of the service's history. */
const OTHERS: readonly string[] = ["vault", "witness"];

/**
 * Returns the problems of a report with the advice to keep the file as evidence against the holder of the key that
 * sealed it, if they convict that key; otherwise as they are.
 */
export function withConviction(problems: readonly Problem[], signers: readonly ReportedSigner[]): readonly Problem[] {
  return convicts(problems, signers)
    ? problems.map((problem) => ({ ...problem, action: KEEP_AGAINST_SIGNER }))
    : problems;
}

function convicts(problems: readonly Problem[], signers: readonly ReportedSigner[]): boolean {
  // A full list may lack problems that spoil the evidence.
  if (problems.length === 0 || problems.length >= MAX_PROBLEMS || signers.length >= MAX_PROBLEMS) return false;
  const own = signers.filter(({ role }) => !OTHERS.includes(role));
  const [first] = own;
  return (
    first !== undefined &&
    own.every(({ kid, reached }) => kid === first.kid && reached !== "none") &&
    problems.every(({ code }) => CODES[code]?.convicts === true)
  );
}
