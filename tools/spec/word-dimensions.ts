/** The values of a report and its reader on which the words depend, and the meaning of each placeholder. */
import type { Kind } from "@svc/core";
import type { Dimension } from "./derive.ts";
import { CHECK_LISTS } from "./kinds.ts";

const KINDS = CHECK_LISTS.slice(0, CHECK_LISTS.indexOf("anchor-consistency")) as readonly Kind[];
const FLAG = ["false", "true"];

/** By name. */
export const DIMENSIONS = {
  kind: { of: "kind", values: KINDS },
  verdict: { of: "verdict; of a rejected object only some words are said", values: ["verified", "untrusted"] },
  signed: { of: "assurance.signed", values: FLAG },
  included: { of: "assurance.included", values: FLAG },
  complete: { of: "assurance.complete", values: FLAG },
  published: { of: "assurance.published", values: ["none", "included", "witnessed"] },
  anchored: { of: "assurance.anchored", values: ["none", "pending", "unpinned", "pinned"] },
  required: { of: "assurance.witnessed.required", values: ["0", "more"] },
  valid: { of: "assurance.witnessed.valid", values: ["0", "more"] },
  pinned: { of: "assurance.witnessed.pinned", values: ["0", "more"] },
  own_witness_only: { of: "whether the note of the check witness begins with own_witness_note", values: FLAG },
  provenance: { of: "assurance.provenance; none if it is missing", values: ["some", "none"] },
  installations: { of: "assurance.provenance.installations", values: ["1", "more"] },
  vault_chain: { of: "assurance.provenance.vault_chain", values: ["complete", "partial", "none"] },
  vault_keys: { of: "assurance.provenance.vault_keys", values: ["pinned", "service-vouched", "none"] },
  substantiated_by: { of: "assurance.provenance.substantiated_by", values: ["verifier", "service", "none"] },
  key_custody: { of: "assurance.provenance.key_custody", values: ["x509", "ceremony", "none"] },
  software_root: { of: "assurance.provenance.software_root", values: FLAG },
  level_note: { of: "the note of the check assurance", values: ["some", "none"] },
  held: { of: "how many things hold, by the placeholder held", values: ["0", "1", "more"] },
  signatures_held: { of: "whether a row of signatures is among what holds", values: FLAG },
  bundle_seal: {
    of: "the status of the check bundle_seal; pass for any but not_checked",
    values: ["pass", "not_checked"],
  },
  trust_status: {
    of: "the status of the check trust; other for any but pass and cannot_evaluate",
    values: ["pass", "cannot_evaluate", "other"],
  },
  form_status: { of: "fail if json or shape fails", values: ["pass", "fail"] },
  signers: {
    of:
      "the keys among signers: none; all reached; otherwise the strangers, whom no trust reaches, one or several " +
      "with a fingerprint, and any without (untold: nobody gave the key); or, before all else, the reader has " +
      "pinned the fingerprint of one in place of its key",
    values: [
      "none",
      "reached",
      "stranger",
      "strangers",
      "untold",
      "stranger_and_untold",
      "strangers_and_untold",
      "fingerprint_pinned",
    ],
  },
  part_reached: { of: "whether trust reaches a key among signers, those of vaults and witnesses apart", values: FLAG },
  reached: { of: "how trust reaches one signer", values: ["pinned", "endorsed"] },
  role: { of: "the role of one signer", values: ["vault", "other"] },
  from_link: { of: "whether only the link to a page named the key", values: FLAG },
  pins: { of: "how many signers the reader pins", values: ["0", "1", "more"] },
  pin_named: { of: "whether the reader has a name for the pinned key", values: FLAG },
  range: { of: "the range of subject; up_to has no beginning", values: ["none", "one_event", "up_to", "several"] },
  stream_id: { of: "subject.stream_id", values: ["some", "none"] },
  origin: { of: "subject.origin; none if it is missing or empty", values: ["some", "none"] },
  received: { of: "both times of subject", values: ["some", "none"] },
  known_checkpoints: {
    of: "the count of the check known_checkpoint, if it passes; part if it has a note then",
    values: ["0", "1", "more", "part"],
  },
  known_in_policy: { of: "whether the trust policy has known checkpoints of the subject's stream", values: FLAG },
  problem: {
    of:
      "the code of the first problem; key_nearly_pinned for key_not_pinned with expected: a pinned key that " +
      "differs from the file's in one or two digits",
    values: [
      "key_not_pinned",
      "key_nearly_pinned",
      "key_revoked",
      "signer_not_for_stream",
      "key_time_unproven",
      "vault_revocation_time_uncertain",
      "vault_status_stale",
      "ivc_steps_absent",
      "known_checkpoint_newer",
      "other",
    ],
  },
  vault_key_unknown: { of: "whether any problem is a key_not_pinned without a kid", values: FLAG },
  problem_kid: { of: "whether that problem names a kid: one about a vault's key does not", values: ["some", "none"] },
} as const satisfies Readonly<Record<string, Dimension>>;
export type Name = keyof typeof DIMENSIONS;

/** The text in place of each name in braces. */
export const PLACEHOLDERS: Readonly<Record<string, string>> = {
  held:
    "what holds: for each row of counted, in order, whose check passed, its count and noun, joined by a comma and " +
    "a blank; a failed payload_hash counts what matches. In the step signed only rows of signatures",
  windows:
    "a number of windows and the noun: in the step included the count of the check window_root, or 1 for any " +
    "number of window_seal; in details the most of the known checkpoints",
  checkpoints: "the count of the check checkpoint_root and the noun",
  this: "this, a blank, and the noun of the kind without its article",
  needed_object: "the text of needs_signed_object for the kind",
  levels:
    "the level of all events; of several, from L3 to L0, the number, a blank, at, a blank and the level, joined " +
    "by a comma and a blank",
  level_note: "the note of the check assurance",
  known_note: "the note of the check known_checkpoint",
  range: "event and its number, events and both numbers, or up to event and the number",
  received: "the stretch between the two times, as 1 to 31 March 2026, or 1 March 2026, 09:00 to 17:30 UTC",
  sealed_by: "the sentence sealed_by; of several signers as in sealed_by_several",
  kid: "a key's identifier, or several joined by a comma and a blank",
  key: "a key's identifier; where the reader has a name for it, that name, a blank, and the identifier in brackets",
  fingerprints: "up to shown_keys fingerprints in groups of four characters, joined by a comma and a blank and and",
  name: "the reader's name for the key",
  slip: "digit and its number from 1; of two digits, digits and both numbers, joined by and",
  text: "what is there, up to the end of the line, 24 characters at most, escaped",
};
