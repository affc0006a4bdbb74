/** The problem codes that only a verifier with the evidence of vaults finds; codes.ts joins them with the others. */
import { ASK_FOR_COMPLETE, ASK_FOR_ORIGINAL, type CodeEntry } from "./plain-codes.ts";

/** The codes of what vaults state. */
export const VAULT_CODES = {
  provenance_metadata_not_permitted: {
    check: "shape",
    action: ASK_FOR_ORIGINAL,
  },
  envelope_signature_invalid: {
    check: "envelope",
    action: ASK_FOR_ORIGINAL,
  },
  envelope_record_mismatch: {
    check: "envelope",
    action: ASK_FOR_ORIGINAL,
  },
  provenance_envelope_missing: {
    check: "envelope",
    action: ASK_FOR_COMPLETE,
  },
  content_hash_mismatch: {
    check: "envelope",
    action: ASK_FOR_ORIGINAL,
  },
  capsule_path_invalid: {
    check: "envelope",
    action: ASK_FOR_ORIGINAL,
  },
  vault_clock_ahead: {
    check: "envelope",
    action: "Ask the owner of the vault to set its clock; do not rely on the times of this envelope.",
  },
  vault_key_mismatch: {
    check: "vault_key",
    action: "Find out which key the vault really has: ask its owner, not the service.",
  },
  vault_key_not_yet_enrolled: {
    check: "vault_key",
    action: ASK_FOR_ORIGINAL,
  },
  vault_key_revoked: {
    check: "vault_key",
    action: "Do not rely on it: ask the vault's owner what its new key has sealed instead.",
  },
  vault_revocation_time_uncertain: {
    check: "vault_key",
    action: "Ask the vault's owner when the key was lost, and for a proof of time from before that.",
  },
  vault_status_stale: {
    check: "vault_key",
    action: "Get the current key status from the service, and verify again.",
  },
  vault_lifecycle_conflict: {
    check: "vault_key",
    action: "Keep both, and ask the service and the vault's owner which one holds: they exclude each other.",
  },
  vault_lifecycle_mismatch: {
    check: "vault_key",
    action: ASK_FOR_ORIGINAL,
  },
  handover_invalid: {
    check: "vault_key",
    action: ASK_FOR_ORIGINAL,
  },
  vault_chain_broken: {
    check: "vault_chain",
    action: ASK_FOR_COMPLETE,
  },
  provenance_source_ref_conflict: {
    check: "vault_chain",
    action: ASK_FOR_ORIGINAL,
  },
  provenance_root_mismatch: {
    check: "provenance",
    action: ASK_FOR_ORIGINAL,
  },
  provenance_count_mismatch: {
    check: "provenance",
    action: ASK_FOR_ORIGINAL,
  },
  provenance_range_mismatch: {
    check: "provenance",
    action: "Ask for the proof over exactly the range of this manifest.",
  },
  attestation_signature_invalid: {
    check: "attestation",
    action: ASK_FOR_ORIGINAL,
  },
  evidence_hash_mismatch: {
    check: "attestation",
    action: ASK_FOR_ORIGINAL,
  },
  attestation_result_mismatch: {
    check: "attestation",
    action: ASK_FOR_ORIGINAL,
  },
  provenance_assurance_not_substantiated: {
    check: "assurance",
    action: "Ask for the attestation that was in force then.",
  },
  start_signature_invalid: {
    check: "assurance",
    action: ASK_FOR_ORIGINAL,
  },
  commitment_mismatch: {
    check: "disclosure",
    action: ASK_FOR_ORIGINAL,
  },
  disclosure_field_invalid: {
    check: "disclosure",
    action: ASK_FOR_ORIGINAL,
  },
  disclosure_signature_invalid: {
    check: "disclosure",
    action: ASK_FOR_ORIGINAL,
  },
  disclosure_audience_mismatch: {
    check: "expectation",
    action: "Ask the holder for a disclosure that is sealed for you, with your nonce.",
  },
  content_mismatch: {
    check: "expectation",
    action: "Check that it is the file you meant: it is not the one that was committed to.",
  },
  provider_not_allowed: {
    check: "provider",
    action: "Ask for the policy that allowed it, sealed by a key that you trust.",
  },
  provider_result_inconsistent: {
    check: "provider",
    action: "Rely on nothing that it says; ask for the provider's own answer.",
  },
  ivc_program_unknown: {
    check: "ivc",
    action: "Use a verifier that knows this program.",
  },
  ivc_construction_not_reviewed: {
    check: "ivc",
    action: "Ask for the same epoch by recomputation.",
  },
  ivc_epoch_chain_broken: {
    check: "ivc",
    action: ASK_FOR_ORIGINAL,
  },
  ivc_steps_incomplete: {
    check: "ivc",
    action: ASK_FOR_COMPLETE,
  },
  ivc_steps_absent: {
    check: "ivc",
    action: "Ask for the checkpoints of the epoch: without them nothing can be recomputed.",
  },
  ivc_state_mismatch: {
    check: "ivc",
    action: ASK_FOR_ORIGINAL,
  },
} as const satisfies Record<string, CodeEntry>;
