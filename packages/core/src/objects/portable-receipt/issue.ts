/**
 * How a portable receipt is put together from evidence that somebody already holds (protocol section 13). Nothing is signed here: each
 * part brings its own seal, so anybody may do it.
 */
import { validatorOf } from "../../schema/check.ts";
import { shapeProblems } from "../../schema/validate.ts";
import { portableReceiptFaults } from "./faults.ts";
import { PORTABLE_RECEIPT_FORMAT, PORTABLE_RECEIPT_VERSION, PortableReceipt } from "./schema.ts";

const validator = validatorOf(PortableReceipt);

/** The parts of a portable receipt. Each later one needs the ones before it. */
export type PortableReceiptParts = Omit<PortableReceipt, "format" | "version">;

/**
 * Puts a portable receipt together. TypeError where a part lacks one that it needs, where a last window is missing or superfluous, or
 * where a part has not its form. Whether the parts hold and fit each other is for `verify` to say.
 */
export function issuePortableReceipt(parts: PortableReceiptParts): PortableReceipt {
  const portable: PortableReceipt = { format: PORTABLE_RECEIPT_FORMAT, version: PORTABLE_RECEIPT_VERSION, ...parts };
  const ofForm = shapeProblems(validator, portable);
  const [problem] = ofForm.length > 0 ? ofForm : portableReceiptFaults(portable);
  if (problem !== undefined)
    throw new TypeError(`these parts make no portable receipt: ${problem.path}: ${problem.message}`);
  return portable;
}
