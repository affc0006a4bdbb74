/**
 * What each problem code means, in a sentence, for the command line and the documentation. Apart from the table of codes because reports do not
 * hold it, and a page that only verifies need not carry it.
 */
import type { ProblemCode } from "./codes.ts";

export const MEANINGS: Readonly<Record<ProblemCode, string>> = {
  json_malformed: "The bytes are not one JSON text as RFC 8259 has it.",
  duplicate_name: "A member name stands twice in one object, so two readers could see two different values.",
  lossy_number: "A number cannot be carried exactly by a double, so two readers could see two different values.",
  invalid_unicode: "The bytes are not well-formed UTF-8, or a string holds a lone surrogate.",
  too_deep: "The text nests deeper than the protocol allows (64; 32 in a payload).",
  unknown_member: "A member stands there that the protocol does not name.",
  missing_member: "A member that the protocol demands is missing.",
  malformed: "A value does not have the form that the protocol demands.",
  unsupported_object: "This is no object that this verifier can check: another protocol, algorithm, version or kind.",
  payload_hash_mismatch: "A payload is not the one whose hash was recorded.",
  event_hash_mismatch: "The members of an event do not hash to its event hash: one of them was changed.",
  head_hash_mismatch: "A stream head is not the one that its event hash gives.",
  previous_hash_mismatch: "An event does not follow the one before it: the chain of hashes is broken there.",
  sequence_broken: "Events or windows are repeated, inserted, out of order, or their times go back.",
  range_incomplete: "Events or windows of the range are missing.",
  signature_invalid: "A signature does not verify under the key that it names.",
  inclusion_invalid: "An inclusion proof is wrong, or is another event's.",
  window_root_mismatch: "The events of a window do not give its Merkle root.",
  checkpoint_root_mismatch: "The windows under a checkpoint do not give its Merkle root.",
  checkpoint_window_mismatch:
    "A checkpoint does not list the windows that it covers, or says something else of the last one.",
  previous_checkpoint_mismatch: "A checkpoint does not follow the one before it.",
  checkpoint_stale: "The newest checkpoint here is older than one that covers the range, or than one you know.",
  consistency_invalid: "The proof does not show that the later checkpoint extends the earlier one.",
  note_malformed: "The checkpoint's signed note is not a C2SP signed note.",
  note_mismatch:
    "The checkpoint's signed note says something else than the checkpoint, or the service did not sign it.",
  origin_changed: "The origin changes along a stream.",
  stream_mismatch: "Parts of different streams stand in one object.",
  policy_digest_mismatch: "A policy that a window or checkpoint names by its digest is not among those shown.",
  policy_changed: "The policy_id changes along a stream.",
  policy_version_decreased: "An older version of the policy is used after a newer one.",
  witness_not_independent: "The key that seals the checkpoint stands in the policy as its own witness.",
  witness_signature_invalid: "A cosignature by a known witness key does not verify.",
  witness_key_epoch_invalid: "The policy does not list that witness key, or the key was not valid at that time.",
  witness_statement_mismatch: "A witness statement is about another checkpoint than the one it stands beside.",
  witness_quorum_unmet: "Fewer witnesses than required cosigned the newest checkpoint.",
  anchor_missing: "The stream's policy requires an anchor of the newest checkpoint, and none is there.",
  anchor_does_not_bind:
    "An anchor does not lead from the checkpoint to the service log, the contract and the block that it names.",
  anchor_evidence_invalid:
    "The chain evidence of an anchor cannot be decoded, lacks parts, or holds parts that nothing needs.",
  artifact_hash_mismatch: "A part of the bundle is not the one that its manifest names.",
  key_not_pinned: "You have not said whose key this is; a key that travels with the evidence proves nothing.",
  key_revoked: "Your trust policy revokes the key that sealed this, or the key that endorsed it.",
  signer_not_for_stream: "You trust that key, but not for this stream or this service.",
  key_time_unproven: "The key is only trusted up to a time, and nothing you pin shows that this was sealed before it.",
  key_not_valid_at_time: "By its own time, this was sealed before the key was valid or after its end.",
  kid_mismatch: "A key identifier is not that of the key beside it.",
  key_endorsement_conflict: "One key endorses two different successors.",
  evidence_missing: "Your trust policy requires evidence that the object does not hold.",
  stream_unexpected: "This is evidence of another stream than the one you asked for.",
  known_checkpoint_unlinked: "Nothing links a checkpoint that you know to this object.",
  fork_evidence_invalid:
    "What is shown as evidence of two histories shows none: a side does not hold, or the two do not exclude each other.",
  fork_detected: "Two incompatible histories of one stream were signed.",
  kernels_disagree: "The two kernels of the verifier do not agree about the file, so that one of them is wrong.",
};
