/**
 * Puts a portable receipt together from evidence that somebody already holds (protocol section 13). It signs nothing:
 * each part brings its own seal, so anybody may do it.
 */
import { validatorOf } from "../../schema/check.ts";
import { shapeProblems } from "../../schema/validate.ts";
import { portableReceiptFaults } from "./faults.ts";
import { PORTABLE_RECEIPT_FORMAT, PORTABLE_RECEIPT_VERSION, PortableReceipt } from "./schema.ts";

const validator = validatorOf(PortableReceipt);

/** The parts of a portable receipt. Each later one needs the ones before it. */
export type PortableReceiptParts = Omit<PortableReceipt, "format" | "version">;

/**
 * Puts a portable receipt together (protocol section 13). `parts`: the receipt, and as much of its evidence as there
 * is; each part needs the ones before it. Throws TypeError if a part lacks one that it needs, if a last window is
 * missing or superfluous, or if a part does not have its form. It does not check that the parts hold and fit each
 * other: `verify` does.
 *
 * @example
 * console.log(issuePortableReceipt({ receipt }).format); // svc-portable-receipt
 */
export function issuePortableReceipt(parts: PortableReceiptParts): PortableReceipt {
  const portable: PortableReceipt = { format: PORTABLE_RECEIPT_FORMAT, version: PORTABLE_RECEIPT_VERSION, ...parts };
  const ofForm = shapeProblems(validator, portable);
  const [problem] = ofForm.length > 0 ? ofForm : portableReceiptFaults(portable);
  if (problem !== undefined)
    throw new TypeError(`these parts make no portable receipt: ${problem.path}: ${problem.message}`);
  return portable;
}
