/** The problem codes of every verifier; codes.ts joins them with those of vaults. */
import type { CheckId } from "./checks.ts";

export interface CodeEntry {
  /**
   * The check that finds it first; some causes show in several. `cross-check` is no check, but the comparison of two
   * runs.
   */
  readonly check: CheckId | "cross-check";
  readonly action: string;
  /** Whether it can convict the holder of a key, because what it contradicts is sealed (conviction.ts). */
  readonly convicts?: true;
}

export const ASK_FOR_ORIGINAL = "Ask the sender of the file for the original; keep this one as evidence.";
export const ASK_FOR_COMPLETE = "Ask for the complete file; what is missing may have been left out on purpose.";
export const DO_NOT_UNPACK = "Do not unpack it. Ask for the original; keep this one as evidence.";

/** The codes that any verifier can find. */
export const PLAIN_CODES = {
  json_malformed: {
    check: "json",
    action: "Check that the file is whole and is the file you meant; a cut download looks like this.",
  },
  duplicate_name: {
    check: "json",
    action: ASK_FOR_ORIGINAL,
  },
  lossy_number: {
    check: "json",
    action: "Ask the source to send such numbers as text.",
  },
  invalid_unicode: {
    check: "json",
    action: "Check the file's encoding; evidence is always UTF-8.",
  },
  too_deep: {
    check: "json",
    action: "Ask the source for a flatter payload.",
  },
  unsupported_object: {
    check: "shape",
    action: "Check that it is the file you meant, or use a verifier that knows this kind.",
  },
  missing_member: {
    check: "shape",
    action: ASK_FOR_ORIGINAL,
  },
  unknown_member: {
    check: "shape",
    action: ASK_FOR_ORIGINAL,
  },
  malformed: {
    check: "shape",
    action: ASK_FOR_ORIGINAL,
  },
  payload_hash_mismatch: {
    check: "payload_hash",
    action: ASK_FOR_ORIGINAL,
  },
  event_hash_mismatch: {
    check: "event_hash",
    action: ASK_FOR_ORIGINAL,
  },
  range_incomplete: {
    check: "completeness",
    action: ASK_FOR_COMPLETE,
  },
  sequence_broken: {
    check: "sequence",
    action: ASK_FOR_ORIGINAL,
  },
  previous_hash_mismatch: {
    check: "sequence",
    action: ASK_FOR_ORIGINAL,
  },
  inclusion_invalid: {
    check: "inclusion",
    action: ASK_FOR_ORIGINAL,
  },
  window_root_mismatch: {
    check: "window_root",
    action: ASK_FOR_ORIGINAL,
  },
  checkpoint_window_mismatch: {
    check: "checkpoint_root",
    action: ASK_FOR_ORIGINAL,
    convicts: true,
  },
  checkpoint_root_mismatch: {
    check: "checkpoint_root",
    action: ASK_FOR_ORIGINAL,
  },
  head_hash_mismatch: {
    check: "event_hash",
    action: ASK_FOR_ORIGINAL,
  },
  previous_checkpoint_mismatch: {
    check: "checkpoint_chain",
    action: ASK_FOR_ORIGINAL,
    convicts: true,
  },
  checkpoint_stale: {
    check: "checkpoint_chain",
    action: "Ask for an export with a checkpoint over its whole range.",
  },
  consistency_invalid: {
    check: "consistency",
    action: ASK_FOR_ORIGINAL,
  },
  note_malformed: {
    check: "note",
    action: ASK_FOR_ORIGINAL,
  },
  note_mismatch: {
    check: "note",
    action: ASK_FOR_ORIGINAL,
  },
  signature_invalid: {
    check: "receipt_signature",
    action: ASK_FOR_ORIGINAL,
  },
  stream_mismatch: {
    check: "sequence",
    action: ASK_FOR_ORIGINAL,
  },
  origin_changed: {
    check: "checkpoint_chain",
    action: ASK_FOR_ORIGINAL,
    convicts: true,
  },
  policy_digest_mismatch: {
    check: "policy",
    action: ASK_FOR_ORIGINAL,
  },
  policy_changed: {
    check: "policy",
    action: ASK_FOR_ORIGINAL,
    convicts: true,
  },
  policy_version_decreased: {
    check: "policy",
    action: ASK_FOR_ORIGINAL,
    convicts: true,
  },
  witness_not_independent: {
    check: "policy",
    action: ASK_FOR_ORIGINAL,
    convicts: true,
  },
  witness_signature_invalid: {
    check: "witness",
    action: ASK_FOR_ORIGINAL,
  },
  witness_key_epoch_invalid: {
    check: "witness",
    action: "Ask for statements by the witnesses that the checkpoint's policy lists.",
  },
  witness_statement_mismatch: {
    check: "witness",
    action: ASK_FOR_ORIGINAL,
  },
  witness_quorum_unmet: {
    check: "witness",
    action: "Ask for an export with the missing witness statements; do not rely on this one until then.",
  },
  anchor_missing: {
    check: "anchor",
    action: "Ask for an export made after the anchor was mined.",
  },
  anchor_does_not_bind: {
    check: "anchor",
    action: "Do not rely on its time. Ask for the anchor again; keep this one as evidence.",
  },
  anchor_evidence_invalid: {
    check: "anchor",
    action: "Ask for the anchor again, with whole evidence.",
  },
  artifact_hash_mismatch: {
    check: "manifest",
    action: ASK_FOR_ORIGINAL,
  },
  archive_malformed: {
    check: "archive",
    action: ASK_FOR_ORIGINAL,
  },
  archive_path_forbidden: {
    check: "archive",
    action: DO_NOT_UNPACK,
  },
  archive_entry_missing: {
    check: "archive",
    action: ASK_FOR_COMPLETE,
  },
  archive_entry_unlisted: {
    check: "archive",
    action: DO_NOT_UNPACK,
  },
  archive_too_large: {
    check: "archive",
    action: DO_NOT_UNPACK,
  },
  export_mismatch: {
    check: "export",
    action: ASK_FOR_ORIGINAL,
    convicts: true,
  },
  assurance_insufficient: {
    check: "assurance",
    action: "Ask for the attestations that lead to the level, or lower your demand knowingly.",
  },
  key_not_pinned: {
    check: "trust",
    action: "Get the service's public key another way, compare its fingerprint, and pin it.",
  },
  key_revoked: {
    check: "trust",
    action: "Ask the service for evidence sealed by a key that you trust.",
  },
  signer_not_for_stream: {
    check: "trust",
    action: "Check that the stream is the one you meant; if it is, widen the pin for that key.",
  },
  key_time_unproven: {
    check: "trust",
    action: "Pin a witness that cosigned a covering checkpoint in time, or ask for an export sealed by a current key.",
  },
  key_not_valid_at_time: {
    check: "trust",
    action: "Ask the service which key it used at that time; if the times of your pin are wrong, correct them.",
  },
  kid_mismatch: {
    check: "trust",
    action: "In your own trust policy, correct the key or its identifier. For a file, ask its sender for the original.",
  },
  key_endorsement_conflict: {
    check: "key_endorsements",
    action: ASK_FOR_ORIGINAL,
    convicts: true,
  },
  evidence_missing: {
    check: "expectation",
    action: "Ask for an export that carries it, or relax the requirement knowingly.",
  },
  stream_unexpected: {
    check: "expectation",
    action: "Check that it is the file you meant.",
  },
  known_checkpoint_newer: {
    check: "known_checkpoint",
    action:
      "If it should be the newest file, ask for a current one. Otherwise hand in consistency evidence from it to " +
      "the checkpoint that you know.",
  },
  known_checkpoint_unlinked: {
    check: "known_checkpoint",
    action: "Ask for consistency evidence between the two, and hand it in beside the object.",
  },
  fork_detected: {
    check: "fork",
    action: "Keep the file: it holds two statements of one signer that exclude each other.",
  },
  fork_evidence_invalid: {
    check: "fork",
    action: "Accuse nobody because of it; ask its sender what it was meant to show.",
  },
  kernels_disagree: {
    check: "cross-check",
    action: "Rely on neither verdict. Keep the file and both reports, and report this as a fault of the verifier.",
  },
} as const satisfies Record<string, CodeEntry>;
