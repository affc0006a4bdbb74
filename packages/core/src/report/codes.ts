/**
 * The one table of problem codes: what each means, which check finds it, and what a person does next (protocol section 16).
 * Types, command-line text and documentation come from here. Codes are stable: one cause, one code.
 */
import type { CheckId } from "./checks.ts";

interface CodeEntry {
  /** The check that finds it first; some causes show in several. `cross-check`: no check, but the comparison of two runs. */
  readonly check: CheckId | "cross-check";
  readonly meaning: string;
  readonly action: string;
}

const ASK_FOR_ORIGINAL = "Ask whoever gave you the file for the original; keep this one as evidence.";
const ASK_FOR_COMPLETE = "Ask for the complete file; what is missing may have been left out on purpose.";
const SERVICE_FAULT = "Keep the file: it shows that the service, or whoever holds its key, issued something wrong.";

export const CODES = {
  json_malformed: {
    check: "json",
    meaning: "The bytes are not one JSON text as RFC 8259 has it.",
    action: "Check that the file is whole and is the file you meant; a cut download looks like this.",
  },
  duplicate_name: {
    check: "json",
    meaning: "A member name stands twice in one object, so two readers could see two different values.",
    action: ASK_FOR_ORIGINAL,
  },
  lossy_number: {
    check: "json",
    meaning: "A number cannot be carried exactly by a double, so two readers could see two different values.",
    action: "Ask the source to send such numbers as text.",
  },
  invalid_unicode: {
    check: "json",
    meaning: "The bytes are not well-formed UTF-8, or a string holds a lone surrogate.",
    action: "Check the file's encoding; evidence is always UTF-8.",
  },
  too_deep: {
    check: "json",
    meaning: "The text nests deeper than the protocol allows (64; 32 in a payload).",
    action: "Ask the source for a flatter payload.",
  },
  unknown_member: {
    check: "shape",
    meaning: "A member stands there that the protocol does not name.",
    action: ASK_FOR_ORIGINAL,
  },
  missing_member: {
    check: "shape",
    meaning: "A member that the protocol demands is missing.",
    action: ASK_FOR_ORIGINAL,
  },
  malformed: {
    check: "shape",
    meaning: "A value does not have the form that the protocol demands.",
    action: ASK_FOR_ORIGINAL,
  },
  unsupported_object: {
    check: "shape",
    meaning: "This is no object that this verifier can check: another protocol, algorithm, version or kind.",
    action: "Check that it is the file you meant, or use a verifier that knows this kind.",
  },
  payload_hash_mismatch: {
    check: "payload_hash",
    meaning: "A payload is not the one whose hash was recorded.",
    action: ASK_FOR_ORIGINAL,
  },
  event_hash_mismatch: {
    check: "event_hash",
    meaning: "The members of an event do not hash to its event hash: one of them was changed.",
    action: ASK_FOR_ORIGINAL,
  },
  head_hash_mismatch: {
    check: "event_hash",
    meaning: "A stream head is not the one that its event hash gives.",
    action: ASK_FOR_ORIGINAL,
  },
  previous_hash_mismatch: {
    check: "sequence",
    meaning: "An event does not follow the one before it: the chain of hashes is broken there.",
    action: ASK_FOR_ORIGINAL,
  },
  sequence_broken: {
    check: "sequence",
    meaning: "Events or windows are repeated, inserted, out of order, or their times go back.",
    action: ASK_FOR_ORIGINAL,
  },
  range_incomplete: {
    check: "completeness",
    meaning: "Events or windows of the range are missing.",
    action: ASK_FOR_COMPLETE,
  },
  signature_invalid: {
    check: "receipt_signature",
    meaning: "A signature does not verify under the key that it names.",
    action: ASK_FOR_ORIGINAL,
  },
  inclusion_invalid: {
    check: "inclusion",
    meaning: "An inclusion proof is wrong, or is another event's.",
    action: ASK_FOR_ORIGINAL,
  },
  window_root_mismatch: {
    check: "window_root",
    meaning: "The events of a window do not give its Merkle root.",
    action: ASK_FOR_ORIGINAL,
  },
  checkpoint_root_mismatch: {
    check: "checkpoint_root",
    meaning: "The windows under a checkpoint do not give its Merkle root.",
    action: ASK_FOR_ORIGINAL,
  },
  checkpoint_window_mismatch: {
    check: "checkpoint_root",
    meaning: "A checkpoint does not list the windows that it covers, or says something else of the last one.",
    action: SERVICE_FAULT,
  },
  previous_checkpoint_mismatch: {
    check: "checkpoint_chain",
    meaning: "A checkpoint does not follow the one before it.",
    action: SERVICE_FAULT,
  },
  checkpoint_stale: {
    check: "checkpoint_chain",
    meaning: "The newest checkpoint here is older than one that covers the range, or than one you know.",
    action: "Ask for a current export; an old one can hide what came later.",
  },
  consistency_invalid: {
    check: "consistency",
    meaning: "The proof does not show that the later checkpoint extends the earlier one.",
    action: SERVICE_FAULT,
  },
  note_malformed: {
    check: "note",
    meaning: "The checkpoint's signed note is not a C2SP signed note.",
    action: ASK_FOR_ORIGINAL,
  },
  note_mismatch: {
    check: "note",
    meaning: "The checkpoint's signed note says something else than the checkpoint, or the service did not sign it.",
    action: ASK_FOR_ORIGINAL,
  },
  origin_changed: {
    check: "checkpoint_chain",
    meaning: "The origin changes along a stream.",
    action: SERVICE_FAULT,
  },
  stream_mismatch: {
    check: "sequence",
    meaning: "Parts of different streams stand in one object.",
    action: ASK_FOR_ORIGINAL,
  },
  policy_digest_mismatch: {
    check: "policy",
    meaning: "A policy that a window or checkpoint names by its digest is not among those shown.",
    action: ASK_FOR_ORIGINAL,
  },
  policy_changed: {
    check: "policy",
    meaning: "The policy_id changes along a stream.",
    action: SERVICE_FAULT,
  },
  policy_version_decreased: {
    check: "policy",
    meaning: "An older version of the policy is used after a newer one.",
    action: SERVICE_FAULT,
  },
  witness_not_independent: {
    check: "policy",
    meaning: "The key that seals the checkpoint stands in the policy as its own witness.",
    action: SERVICE_FAULT,
  },
  witness_signature_invalid: {
    check: "witness",
    meaning: "A cosignature by a known witness key does not verify.",
    action: ASK_FOR_ORIGINAL,
  },
  witness_key_epoch_invalid: {
    check: "witness",
    meaning: "The policy does not list that witness key, or the key was not valid at that time.",
    action: "Ask for statements by the witnesses that the checkpoint's policy lists.",
  },
  witness_statement_mismatch: {
    check: "witness",
    meaning: "A witness statement is about another checkpoint than the one it stands beside.",
    action: ASK_FOR_ORIGINAL,
  },
  witness_quorum_unmet: {
    check: "witness",
    meaning: "Fewer witnesses than required cosigned the newest checkpoint.",
    action: "Ask for an export with the missing witness statements; do not rely on this one until then.",
  },
  anchor_missing: {
    check: "anchor",
    meaning: "The stream's policy requires an anchor of the newest checkpoint, and none is there.",
    action: "Ask for an export made after the anchor was mined.",
  },
  anchor_does_not_bind: {
    check: "anchor",
    meaning:
      "An anchor does not lead from the checkpoint to the service log, the contract and the block that it names.",
    action:
      "Do not rely on its time. Ask for the anchor again; if it stays so, keep it: the service issued something wrong.",
  },
  anchor_evidence_invalid: {
    check: "anchor",
    meaning: "The chain evidence of an anchor cannot be decoded, lacks parts, or holds parts that nothing needs.",
    action: "Ask for the anchor again, with whole evidence.",
  },
  artifact_hash_mismatch: {
    check: "manifest",
    meaning: "A part of the bundle is not the one that its manifest names.",
    action: ASK_FOR_ORIGINAL,
  },
  key_not_pinned: {
    check: "trust",
    meaning: "You have not said whose key this is; a key that travels with the evidence proves nothing.",
    action: "Get the service's public key another way, compare its fingerprint, and pin it.",
  },
  key_revoked: {
    check: "trust",
    meaning: "Your trust policy revokes the key that sealed this, or the key that endorsed it.",
    action: "Ask the service for evidence sealed by a key that you trust.",
  },
  signer_not_for_stream: {
    check: "trust",
    meaning: "You trust that key, but not for this stream or this service.",
    action: "Check that the stream is the one you meant; if it is, widen the pin for that key.",
  },
  key_time_unproven: {
    check: "trust",
    meaning: "The key is only trusted up to a time, and nothing you pin shows that this was sealed before it.",
    action: "Pin a witness that cosigned a covering checkpoint in time, or ask for an export sealed by a current key.",
  },
  key_not_valid_at_time: {
    check: "trust",
    meaning: "By its own time, this was sealed before the key was valid or after its end.",
    action: SERVICE_FAULT,
  },
  kid_mismatch: {
    check: "trust",
    meaning: "A key identifier is not that of the key beside it.",
    action: "Correct the key or its identifier; the identifier is derived from the key.",
  },
  key_endorsement_conflict: {
    check: "key_endorsements",
    meaning: "One key endorses two different successors.",
    action: SERVICE_FAULT,
  },
  evidence_missing: {
    check: "expectation",
    meaning: "Your trust policy requires evidence that the object does not hold.",
    action: "Ask for an export that carries it, or relax the requirement knowingly.",
  },
  stream_unexpected: {
    check: "expectation",
    meaning: "This is evidence of another stream than the one you asked for.",
    action: "Check that it is the file you meant.",
  },
  known_checkpoint_unlinked: {
    check: "known_checkpoint",
    meaning: "Nothing links a checkpoint that you know to this object.",
    action: "Ask for consistency evidence between the two, and hand it in beside the object.",
  },
  fork_evidence_invalid: {
    check: "fork",
    meaning:
      "What is shown as evidence of two histories shows none: a side does not hold, or the two do not exclude each other.",
    action: "Accuse nobody on the strength of it; ask whoever gave it to you what it was meant to show.",
  },
  fork_detected: {
    check: "fork",
    meaning: "Two incompatible histories of one stream were signed.",
    action: "Keep both sides: together they prove that the service told two histories.",
  },
  kernels_disagree: {
    check: "cross-check",
    meaning: "The two kernels of the verifier do not agree about the file, so that one of them is wrong.",
    action: "Rely on neither verdict. Keep the file and both reports, and report this as a fault of the verifier.",
  },
} as const satisfies Record<string, CodeEntry>;

export type ProblemCode = keyof typeof CODES;
