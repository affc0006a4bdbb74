/**
 * A disclosure that opens nothing: the container for an envelope with its receipt and the status of its key (protocol
 * section 28). With it, one verifier judges what a status means for an event.
 */
import type { Json, Kernel } from "../../kernel/kernel.ts";
import { validatorOf } from "../../schema/check.ts";
import type { KeyStatus } from "../../vault/key-status/schema.ts";
import { envelopeHash } from "../envelope/issue.ts";
import { SealedEnvelope } from "../envelope/schema.ts";
import type { PortableReceipt } from "../portable-receipt/schema.ts";
import type { Disclosure } from "./schema.ts";

/** No holder gave the disclosure an id. */
const NO_ID = `dsc_${"0".repeat(26)}`;

const validator = validatorOf(SealedEnvelope);

/**
 * Returns a receipt and the status of a key as a disclosure without fields (protocol sections 28 and 34). `receipt`: a
 * portable receipt of which the payload is a sealed envelope. Returns null for any other. It checks nothing else:
 * `verify` does.
 *
 * @example
 * console.log(discloseNothing(kernel, portable, keyStatus)); // null
 */
export function discloseNothing(kernel: Kernel, receipt: PortableReceipt, keyStatus: KeyStatus): Disclosure | null {
  const { payload } = receipt.receipt;
  if (validator(payload as Json).length > 0) return null;
  const envelope = payload as unknown as SealedEnvelope;
  return {
    disclosureId: NO_ID,
    envelopeHash: envelopeHash(kernel, envelope),
    fields: [],
    audience: null,
    nonce: null,
    // Without a seal it says nothing; a disclosure has one.
    disclosedAt: keyStatus.statusAt,
    seal: null,
    envelope,
    receipt,
    keyStatus,
    attestations: [],
  };
}
