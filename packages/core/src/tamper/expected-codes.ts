/**
 * The codes with which a mutant of the right shape must be refused first (protocol section 16), by the place of its
 * edit, part by part. A part's table holds wherever the part stands; checks of the object around it can only find the
 * same edit earlier. An entry has several codes if several checks find an edit, or if different values are wrong in
 * different ways.
 */
import type { JsonKind } from "../report/checks.ts";
import type { ProblemCode } from "../report/codes.ts";
import type { Edit } from "./mutant.ts";
import { schemaPath } from "./schema-path.ts";

/** Codes by the path of a member; a path also covers everything inside that has no separate entry. */
type Table = Readonly<Record<string, readonly ProblemCode[]>>;

/** The codes for an omission after which a trust policy misses something that it demands. */
const UNMET: readonly ProblemCode[] = [
  "key_not_pinned",
  "key_time_unproven",
  "witness_quorum_unmet",
  "evidence_missing",
  "known_checkpoint_unlinked",
  "known_checkpoint_newer",
];

/** Under the wrong bytes of a key, nothing that it signed holds, and no line of a note is by it. */
export const KEY_CODES: Table = {
  "/key_hints": ["kid_mismatch", "key_not_pinned", "signature_invalid", "note_mismatch"],
  "/key_endorsements": [
    "kid_mismatch",
    "key_endorsement_conflict",
    "key_not_pinned",
    "signature_invalid",
    "note_mismatch",
  ],
};

/** A seal by another key, or with another signature. */
export const SEALED: readonly ProblemCode[] = ["signature_invalid", "key_not_pinned"];
const NOTE: readonly ProblemCode[] = [
  "note_malformed",
  "note_mismatch",
  "signature_invalid",
  "witness_signature_invalid",
];

const RECORD: Table = {
  "": ["event_hash_mismatch"],
  "/payload": ["payload_hash_mismatch"],
  "/payload_salt": ["payload_hash_mismatch"],
  "/payload_hash": ["payload_hash_mismatch", "event_hash_mismatch"],
  "/stream_head_hash": ["head_hash_mismatch"],
  "/receipt": SEALED,
};

const INCLUSION: Table = { "": ["inclusion_invalid"] };

const WINDOW: Table = {
  "": ["signature_invalid"],
  "/window_id": ["inclusion_invalid", "signature_invalid"],
  "/window_root": ["inclusion_invalid", "window_root_mismatch", "signature_invalid"],
  "/window_no": ["sequence_broken", "range_incomplete", "signature_invalid"],
  "/from_seq_no": ["malformed", "inclusion_invalid", "window_root_mismatch", "range_incomplete", "sequence_broken"],
  "/to_seq_no": ["malformed", "inclusion_invalid", "window_root_mismatch", "signature_invalid"],
  "/stream_id": ["head_hash_mismatch", "signature_invalid"],
  "/stream_head_hash": ["head_hash_mismatch", "signature_invalid"],
  "/leaves": ["window_root_mismatch", "head_hash_mismatch"],
  "/inclusions": ["inclusion_invalid"],
  "/seal": SEALED,
};

const CHECKPOINT: Table = {
  "": ["signature_invalid"],
  "/checkpoint_no": ["checkpoint_window_mismatch", "previous_checkpoint_mismatch", "signature_invalid"],
  "/checkpoint_root": ["checkpoint_root_mismatch", "signature_invalid"],
  "/frontier": ["malformed", "checkpoint_root_mismatch"],
  "/latest_event_hash": ["head_hash_mismatch"],
  "/stream_head_hash": ["head_hash_mismatch"],
  "/note": NOTE,
  // The origin ends in the stream's id.
  "/origin": ["malformed", "signature_invalid"],
  "/stream_id": ["malformed"],
  "/previous_checkpoint_hash": ["previous_checkpoint_mismatch", "signature_invalid"],
  "/to_seq_no": ["checkpoint_window_mismatch"],
  "/window_count": ["checkpoint_window_mismatch"],
  "/window_roots": [
    "malformed",
    "checkpoint_window_mismatch",
    "previous_checkpoint_mismatch",
    "checkpoint_root_mismatch",
    "signature_invalid",
  ],
  "/seal": SEALED,
};

const CHAIN: readonly ProblemCode[] = ["anchor_evidence_invalid", "anchor_does_not_bind", "signature_invalid"];

const ANCHOR: Table = {
  "": ["signature_invalid"],
  "/origin": ["note_mismatch"],
  "/epoch_no": ["anchor_does_not_bind", "signature_invalid"],
  "/epoch_root": ["note_mismatch"],
  "/log_size": ["note_mismatch"],
  "/network": CHAIN,
  "/contract": CHAIN,
  "/tx_hash": CHAIN,
  "/block_number": CHAIN,
  "/block_hash": CHAIN,
  "/evidence": CHAIN,
  "/members": ["anchor_does_not_bind"],
  "/note": NOTE,
  "/seal": SEALED,
};

/** A step that is not the next one of its epoch, or has another window tree under it. */
const IN_AN_EPOCH: readonly ProblemCode[] = [
  "malformed",
  "missing_member",
  "stream_mismatch",
  "origin_changed",
  "policy_changed",
  "previous_checkpoint_mismatch",
  "checkpoint_window_mismatch",
  "checkpoint_root_mismatch",
  "ivc_steps_incomplete",
];

const POLICY: Table = { "": ["policy_digest_mismatch", "malformed"] };

const WITNESSES: Table = {
  "": ["witness_statement_mismatch", "policy_digest_mismatch"],
  ...under("/policies", POLICY),
  ...under("/witness_policies", POLICY),
  "/statements": ["malformed", "witness_statement_mismatch", "witness_signature_invalid", "witness_quorum_unmet"],
  "/statements/*/witness_id": ["witness_key_epoch_invalid", "malformed"],
  "/statements/*/key_epoch": ["witness_key_epoch_invalid", "malformed"],
  "/statements/*/cosigned_at": ["witness_signature_invalid", "witness_key_epoch_invalid"],
  "/statements/*/signature": ["witness_signature_invalid"],
};

/** In a row, the same edit may also break the tie of a checkpoint or an anchor to its neighbour. */
const IN_A_ROW: readonly ProblemCode[] = ["previous_checkpoint_mismatch", "policy_changed", "consistency_invalid"];

const ENVELOPE: Table = {
  "": ["envelope_signature_invalid"],
  "/installationId": ["envelope_signature_invalid", "key_not_pinned"],
  "/vaultSeq": ["vault_chain_broken", "envelope_signature_invalid"],
  "/previousEnvelopeHash": ["vault_chain_broken", "envelope_signature_invalid"],
  "/capsuleRoot": ["capsule_path_invalid", "envelope_signature_invalid"],
  "/contentHash": ["content_hash_mismatch", "envelope_signature_invalid"],
  "/content": ["content_hash_mismatch", "malformed", "missing_member", "unknown_member"],
  "/content/metadata": ["content_hash_mismatch", "provenance_metadata_not_permitted"],
  "/startSeal": ["missing_member", "unknown_member"],
};

const ATTESTATION: Table = {
  "": ["attestation_signature_invalid", "attestation_result_mismatch"],
  "/record/installationId": ["attestation_signature_invalid", "attestation_result_mismatch", "key_not_pinned"],
  "/record/publicKeyHex": ["vault_key_mismatch", "attestation_signature_invalid", "attestation_result_mismatch"],
  "/record/challengeId": ["malformed", "attestation_signature_invalid", "attestation_result_mismatch"],
  "/record/nonce": ["malformed", "attestation_signature_invalid", "attestation_result_mismatch"],
  "/record/evidence": ["malformed", "evidence_hash_mismatch", "unsupported_object"],
  "/record/attestationKind": [
    "attestation_signature_invalid",
    "attestation_result_mismatch",
    "malformed",
    "unsupported_object",
  ],
  "/result": ["attestation_result_mismatch", "signature_invalid", "key_not_pinned"],
  "/result/verifiedAt": [
    "vault_key_not_yet_enrolled",
    "vault_key_revoked",
    "attestation_result_mismatch",
    "signature_invalid",
  ],
  "/result/seal": SEALED,
};

const TABLES: Readonly<Record<JsonKind, Table>> = {
  receipt: RECORD,
  stream: {
    "/stream_id": ["stream_mismatch"],
    ...under("/records", RECORD),
    ...under("/records/*", RECORD),
    // A record that is dropped, repeated, swapped or another's.
    "/records/*": ["event_hash_mismatch", "range_incomplete", "sequence_broken", "previous_hash_mismatch"],
    ...KEY_CODES,
  },
  window: WINDOW,
  inclusion: { "": ["inclusion_invalid", "key_not_pinned"] },
  witness: { "": ["key_not_pinned"] },
  checkpoint: CHECKPOINT,
  consistency: {
    "/stream_id": ["stream_mismatch"],
    "/consistency_path": ["consistency_invalid"],
    ...adding(IN_A_ROW, under("/from_checkpoint", CHECKPOINT)),
    ...adding(IN_A_ROW, under("/to_checkpoint", CHECKPOINT)),
    ...adding(IN_A_ROW, under("/from_anchor", ANCHOR)),
    ...adding(IN_A_ROW, under("/to_anchor", ANCHOR)),
    // The later anchor dates the key of the earlier one.
    "/to_anchor/seal": [...SEALED, "key_time_unproven"],
    ...KEY_CODES,
  },
  anchor: ANCHOR,
  fork: {
    "": ["fork_evidence_invalid"],
    "/kind": ["fork_evidence_invalid", "missing_member", "unknown_member"],
    "/policy": ["fork_evidence_invalid", "missing_member", "unknown_member"],
    "/left": ["fork_evidence_invalid", "malformed", "key_not_pinned"],
    "/right": ["fork_evidence_invalid", "malformed", "key_not_pinned"],
    // An endorsement of another key leaves a side's key to nobody.
    ...adding(["fork_evidence_invalid"], KEY_CODES),
  },
  key: {
    "": ["signature_invalid"],
    "/endorsed_kid": ["kid_mismatch"],
    "/public_key_hex": ["kid_mismatch"],
    "/seal": SEALED,
  },
  "portable-receipt": {
    ...under("/receipt", RECORD),
    "/receipt": ["event_hash_mismatch", "inclusion_invalid"],
    ...under("/inclusion", INCLUSION),
    ...adding(["inclusion_invalid", "stream_mismatch", "missing_member"], under("/window", WINDOW)),
    ...under("/checkpoint_inclusion", INCLUSION),
    ...adding(["inclusion_invalid", "checkpoint_window_mismatch"], under("/checkpoint", CHECKPOINT)),
    // The last window is there exactly if the event's is another one.
    "/checkpoint": [
      "missing_member",
      "unknown_member",
      "inclusion_invalid",
      "checkpoint_window_mismatch",
      "signature_invalid",
    ],
    "/checkpoint/window_count": ["missing_member", "unknown_member", "inclusion_invalid"],
    "/last_window": ["missing_member", "unknown_member", "inclusion_invalid"],
    ...adding(["inclusion_invalid"], under("/last_window/window", WINDOW)),
    ...under("/witnesses", WITNESSES),
    ...under("/anchor", ANCHOR),
    ...KEY_CODES,
  },
  bundle: {
    "": ["signature_invalid"],
    // The members of a provenance stream are all there, or none is.
    "/artifacts": ["artifact_hash_mismatch", "missing_member", "unknown_member"],
    "/artifacts/checkpoints.json/*/frontier": ["malformed", "artifact_hash_mismatch"],
    "/artifacts/checkpoints.json/*/origin": ["malformed", "artifact_hash_mismatch"],
    "/artifacts/checkpoints.json/*/stream_id": ["malformed"],
    "/artifacts/checkpoints.json/*/window_roots": ["malformed", "artifact_hash_mismatch"],
    "/artifacts/windows.json/*/from_seq_no": ["malformed", "artifact_hash_mismatch"],
    "/artifacts/windows.json/*/to_seq_no": ["malformed", "artifact_hash_mismatch"],
    "/artifacts/witnesses.json/witness_policies": ["malformed", "artifact_hash_mismatch"],
    "/manifest": ["artifact_hash_mismatch", "signature_invalid", "missing_member", "unknown_member"],
    "/manifest/bundle_id": ["signature_invalid"],
    "/manifest/created_at": ["signature_invalid"],
    "/manifest/stream_id": ["stream_mismatch"],
    "/manifest/from_seq_no": ["malformed", "range_incomplete", "sequence_broken"],
    "/manifest/to_seq_no": ["malformed", "range_incomplete", "sequence_broken"],
    "/manifest/prior_windows": ["malformed", "range_incomplete", "sequence_broken", "checkpoint_root_mismatch"],
    "/manifest/provenance_root": ["missing_member", "signature_invalid", "provenance_root_mismatch"],
    "/manifest/provenance_event_count": ["missing_member", "provenance_count_mismatch", "signature_invalid"],
    "/manifest/vault_key_lifecycle": [
      "malformed",
      "missing_member",
      "kid_mismatch",
      "vault_lifecycle_mismatch",
      "vault_lifecycle_conflict",
      "signature_invalid",
    ],
    "/artifacts/provenance.json": ["malformed", "missing_member", "artifact_hash_mismatch"],
    // Without a content, an event has no level.
    "/contents": ["malformed", "missing_member", "unknown_member", "content_hash_mismatch", "assurance_insufficient"],
    "/contents/*/metadata": ["provenance_metadata_not_permitted", "content_hash_mismatch"],
    "/payloads": ["payload_hash_mismatch", "malformed"],
    "/seal": SEALED,
    ...KEY_CODES,
  },
  envelope: ENVELOPE,
  "vault-attestation": ATTESTATION,
  "provenance-inclusion": {
    "": ["inclusion_invalid", "provenance_range_mismatch", "key_not_pinned"],
    "/manifest": ["signature_invalid"],
    "/manifest/from_seq_no": ["malformed", "signature_invalid"],
    "/manifest/to_seq_no": ["malformed", "signature_invalid"],
    "/manifest/prior_windows": ["malformed", "signature_invalid"],
    "/manifest/vault_key_lifecycle": [
      "malformed",
      "kid_mismatch",
      "vault_lifecycle_mismatch",
      "vault_lifecycle_conflict",
      "signature_invalid",
      "key_not_pinned",
    ],
    "/seal": SEALED,
    ...KEY_CODES,
  },
  disclosure: {
    "": ["disclosure_signature_invalid"],
    "/disclosureId": ["disclosure_signature_invalid"],
    "/envelopeHash": ["commitment_mismatch"],
    "/fields": [
      "disclosure_field_invalid",
      "commitment_mismatch",
      "capsule_path_invalid",
      "disclosure_signature_invalid",
      "malformed",
      "missing_member",
      "provider_result_inconsistent",
    ],
    "/audience": ["malformed", "disclosure_signature_invalid"],
    "/nonce": ["malformed", "disclosure_signature_invalid"],
    "/seal": ["malformed", "disclosure_signature_invalid"],
    ...adding(
      [
        "envelope_record_mismatch",
        "commitment_mismatch",
        "capsule_path_invalid",
        "vault_key_mismatch",
        "malformed",
        "missing_member",
      ],
      under("/envelope", ENVELOPE),
    ),
    "/keyStatus": [
      "malformed",
      "kid_mismatch",
      "signature_invalid",
      "key_not_pinned",
      "vault_key_mismatch",
      "vault_key_not_yet_enrolled",
      "vault_key_revoked",
      "envelope_signature_invalid",
    ],
    ...adding(["provenance_assurance_not_substantiated", "vault_key_mismatch"], under("/attestations/*", ATTESTATION)),
  },
  "key-status": {
    // Another time may contradict a status that the reader has already.
    "": ["malformed", "signature_invalid", "vault_lifecycle_conflict"],
    "/installationId": ["signature_invalid", "malformed"],
    "/keyId": ["kid_mismatch"],
    "/publicKeyHex": ["kid_mismatch"],
    "/seal": SEALED,
  },
  "provider-result": { "": ["provider_result_inconsistent", "key_not_pinned"] },
  "ivc-epoch": {
    "": ["signature_invalid"],
    "/stream_id": ["malformed", "stream_mismatch"],
    "/origin": ["malformed", "origin_changed"],
    "/program": ["ivc_program_unknown"],
    "/construction": ["ivc_construction_not_reviewed"],
    "/ivc_epoch_no": ["ivc_epoch_chain_broken", "signature_invalid"],
    "/previous_ivc_epoch_hash": ["ivc_epoch_chain_broken", "signature_invalid"],
    "/from_checkpoint_no": ["ivc_epoch_chain_broken", "ivc_steps_incomplete"],
    "/to_checkpoint_no": ["ivc_steps_incomplete"],
    "/step_count": ["ivc_steps_incomplete"],
    "/initial_state": ["ivc_epoch_chain_broken", "ivc_state_mismatch", "signature_invalid"],
    "/final_state": ["ivc_state_mismatch"],
    "/proof": ["malformed"],
    "/checkpoints": ["ivc_steps_absent", "ivc_steps_incomplete", "missing_member"],
    ...adding(IN_AN_EPOCH, under("/checkpoints/*", CHECKPOINT)),
    "/seal": SEALED,
    ...KEY_CODES,
  },
};

const NUMBERS: readonly ProblemCode[] = [
  "malformed",
  "missing_member",
  "previous_hash_mismatch",
  "range_incomplete",
  "sequence_broken",
  "inclusion_invalid",
  "head_hash_mismatch",
  "window_root_mismatch",
  "checkpoint_window_mismatch",
  "previous_checkpoint_mismatch",
  "consistency_invalid",
];
const OF_CHAIN: readonly ProblemCode[] = ["anchor_evidence_invalid", "anchor_does_not_bind", "anchor_missing"];

/**
 * The faults of a forgery beside its signatures, by the name of the member: numbers that no computing makes fit, and
 * the chain.
 */
const FORGED: Readonly<Record<string, readonly ProblemCode[]>> = {
  seq_no: NUMBERS,
  from_seq_no: NUMBERS,
  to_seq_no: NUMBERS,
  window_no: NUMBERS,
  window_count: NUMBERS,
  checkpoint_no: NUMBERS,
  leaf_index: [...NUMBERS, ...OF_CHAIN],
  tree_size: NUMBERS,
  log_size: ["consistency_invalid", ...OF_CHAIN],
  epoch_no: ["malformed", "consistency_invalid", ...OF_CHAIN],
  network: OF_CHAIN,
  contract: OF_CHAIN,
  block_number: OF_CHAIN,
  origin: ["note_mismatch", ...OF_CHAIN],
  // The head of a window whose last event is not shown cannot be computed again.
  stream_id: ["head_hash_mismatch"],
  policy_id: ["policy_changed"],
  threshold: ["malformed"],
  witness_id: ["witness_key_epoch_invalid"],
  key_epoch: ["witness_key_epoch_invalid"],
  valid_to: ["witness_key_epoch_invalid"],
  cosigned_at: ["witness_signature_invalid"],
};

/** The faults of a forgery of what vaults state: their keys are known, and their words are bound to each other. */
const OF_VAULTS: readonly ProblemCode[] = [
  "key_not_pinned",
  "malformed",
  "missing_member",
  "unknown_member",
  "provenance_metadata_not_permitted",
  "envelope_signature_invalid",
  "provenance_envelope_missing",
  "envelope_record_mismatch",
  "capsule_path_invalid",
  "vault_clock_ahead",
  "vault_key_mismatch",
  "vault_key_not_yet_enrolled",
  "vault_key_revoked",
  "vault_lifecycle_mismatch",
  "vault_chain_broken",
  "provenance_source_ref_conflict",
  "provenance_range_mismatch",
  "provenance_count_mismatch",
  "attestation_signature_invalid",
  "attestation_result_mismatch",
  "unsupported_object",
  "provenance_assurance_not_substantiated",
  "start_signature_invalid",
  "disclosure_field_invalid",
  "commitment_mismatch",
  "disclosure_signature_invalid",
  "provider_not_allowed",
];

const FORGED_KINDS: Partial<Readonly<Record<JsonKind, readonly ProblemCode[]>>> = {
  // A note under another origin has no line by a known key.
  fork: ["fork_evidence_invalid", "malformed", "unknown_member", "missing_member", "key_not_pinned"],
  inclusion: ["inclusion_invalid", "key_not_pinned"],
  "key-status": ["malformed"],
  envelope: OF_VAULTS,
  "vault-attestation": OF_VAULTS,
  "provenance-inclusion": OF_VAULTS,
  disclosure: OF_VAULTS,
  bundle: OF_VAULTS,
  "ivc-epoch": [
    ...IN_AN_EPOCH,
    "ivc_program_unknown",
    "ivc_construction_not_reviewed",
    "ivc_epoch_chain_broken",
    "ivc_steps_incomplete",
  ],
};

/** The receipt of a disclosure is a portable one, whose payload is the envelope. */
const DISCLOSED_RECEIPT = adding(
  ["provenance_envelope_missing", "envelope_record_mismatch", "vault_clock_ahead"],
  under("/receipt", { "": ["malformed", "missing_member"], ...TABLES["portable-receipt"] }),
);

/** Returns the codes of which one must come first for an edit that keeps the shape of the kind; null if any will do. */
export function expectedCodes(
  kind: JsonKind,
  { class: mutantClass, path }: Edit,
  free: boolean,
): ReadonlySet<ProblemCode> | null {
  const unmet = free ? UNMET : [];
  if (mutantClass === "rehashed" || mutantClass === "resealed") {
    const signed: readonly ProblemCode[] =
      mutantClass === "rehashed" ? ["signature_invalid"] : [...UNMET, "anchor_missing"];
    const name = path.slice(path.lastIndexOf("/") + 1);
    const ofMember = Object.hasOwn(FORGED, name) ? (FORGED[name] ?? []) : [];
    return new Set([...signed, ...ofMember, ...(FORGED_KINDS[kind] ?? []), ...unmet]);
  }
  const table = kind === "disclosure" ? { ...TABLES.disclosure, ...DISCLOSED_RECEIPT } : TABLES[kind];
  for (let at = schemaPath(path); ; at = at.slice(0, at.lastIndexOf("/"))) {
    const codes = table[at];
    if (codes !== undefined) return new Set([...codes, ...unmet]);
    if (at === "") return free ? new Set(unmet) : null;
  }
}

/** Returns a part's table for the part at a path. */
function under(path: string, table: Table): Table {
  return Object.fromEntries(Object.entries(table).map(([member, codes]) => [path + member, codes]));
}

/** Returns a table with more codes in each entry. */
function adding(more: readonly ProblemCode[], table: Table): Table {
  return Object.fromEntries(Object.entries(table).map(([path, codes]) => [path, [...codes, ...more]]));
}
