/**
 * The section of the protocol that states each check, and what each code is about. It stands apart from the table of
 * codes for the same reason as meanings.ts.
 */
import type { CheckId } from "./checks.ts";
import { CODES, type ProblemCode } from "./codes.ts";

/** For each check, and for the comparison of two runs, the number of the section that says most about it. */
export const CHECK_SECTIONS: Readonly<Record<CheckId | "cross-check", number>> = {
  json: 2,
  shape: 16,
  archive: 15,
  manifest: 14,
  payload_hash: 7,
  event_hash: 7,
  sequence: 7,
  receipt_signature: 7,
  inclusion: 8,
  window_root: 8,
  window_seal: 8,
  window_tiling: 8,
  completeness: 14,
  checkpoint_root: 9,
  checkpoint_chain: 9,
  checkpoint_seal: 9,
  note: 9,
  consistency: 9,
  policy: 6,
  witness: 10,
  anchor: 12,
  fork: 11,
  bundle_seal: 14,
  export: 15,
  envelope: 20,
  vault_key: 26,
  vault_chain: 27,
  provenance: 27,
  attestation: 23,
  assurance: 33,
  disclosure: 28,
  provider: 29,
  ivc: 32,
  key_endorsements: 4,
  trust: 4,
  known_checkpoint: 16,
  expectation: 16,
  "cross-check": 16,
};

/** The codes of which another section says more than that of their check. */
const OWN_SECTIONS: Readonly<Partial<Record<ProblemCode, number>>> = {
  signature_invalid: 4,
  checkpoint_stale: 14,
  policy_digest_mismatch: 14,
  witness_quorum_unmet: 9,
  provenance_metadata_not_permitted: 20,
  envelope_record_mismatch: 27,
  provenance_envelope_missing: 27,
  vault_clock_ahead: 27,
  vault_lifecycle_mismatch: 27,
  disclosure_audience_mismatch: 28,
  content_mismatch: 28,
};

/**
 * Returns the number of the protocol's section that says most about a code.
 *
 * @example
 * console.log(sectionOf("key_revoked")); // 4
 */
export function sectionOf(code: ProblemCode): number {
  return OWN_SECTIONS[code] ?? CHECK_SECTIONS[CODES[code].check];
}
