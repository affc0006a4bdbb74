"""The answers of `svc explain`: by name, the words and the facts."""

# Written by `pnpm spec` from spec/. Do not edit it.

from __future__ import annotations

from typing import Any

PROBLEMS: dict[str, Any] = {
    "json_malformed": {
        "summary": "The bytes are not one JSON text as RFC 8259 has it. Found by the check `json`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Check that the file is whole and is the file you meant; a cut download looks like this.",
            },
            {"title": "Protocol", "text": "section 2."},
        ],
        "facts": {
            "code": "json_malformed",
            "meaning": "The bytes are not one JSON text as RFC 8259 has it.",
            "check": "json",
            "verdicts": ["rejected"],
            "action": "Check that the file is whole and is the file you meant; a cut download looks like this.",
            "section": 2,
        },
    },
    "duplicate_name": {
        "summary": "A member name stands twice in one object, so two readers could see two different values. Found by the check `json`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 2."},
        ],
        "facts": {
            "code": "duplicate_name",
            "meaning": "A member name stands twice in one object, so two readers could see two different values.",
            "check": "json",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 2,
        },
    },
    "lossy_number": {
        "summary": "A number cannot be carried exactly by a double, so two readers could see two different values. Found by the check `json`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {"title": "What to do", "text": "Ask the source to send such numbers as text."},
            {"title": "Protocol", "text": "section 2."},
        ],
        "facts": {
            "code": "lossy_number",
            "meaning": "A number cannot be carried exactly by a double, so two readers could see two different values.",
            "check": "json",
            "verdicts": ["rejected"],
            "action": "Ask the source to send such numbers as text.",
            "section": 2,
        },
    },
    "invalid_unicode": {
        "summary": "The bytes are not well-formed UTF-8, or a string holds a lone surrogate. Found by the check `json`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {"title": "What to do", "text": "Check the file's encoding; evidence is always UTF-8."},
            {"title": "Protocol", "text": "section 2."},
        ],
        "facts": {
            "code": "invalid_unicode",
            "meaning": "The bytes are not well-formed UTF-8, or a string holds a lone surrogate.",
            "check": "json",
            "verdicts": ["rejected"],
            "action": "Check the file's encoding; evidence is always UTF-8.",
            "section": 2,
        },
    },
    "too_deep": {
        "summary": "The text nests deeper than the protocol allows (64; 32 in a payload). Found by the check `json`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {"title": "What to do", "text": "Ask the source for a flatter payload."},
            {"title": "Protocol", "text": "section 2."},
        ],
        "facts": {
            "code": "too_deep",
            "meaning": "The text nests deeper than the protocol allows (64; 32 in a payload).",
            "check": "json",
            "verdicts": ["rejected"],
            "action": "Ask the source for a flatter payload.",
            "section": 2,
        },
    },
    "unknown_member": {
        "summary": "A member stands there that the protocol does not name. Found by the check `shape`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 16."},
        ],
        "facts": {
            "code": "unknown_member",
            "meaning": "A member stands there that the protocol does not name.",
            "check": "shape",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 16,
        },
    },
    "missing_member": {
        "summary": "A member that the protocol demands is missing. Found by the check `shape`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 16."},
        ],
        "facts": {
            "code": "missing_member",
            "meaning": "A member that the protocol demands is missing.",
            "check": "shape",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 16,
        },
    },
    "malformed": {
        "summary": "A value does not have the form that the protocol demands. Found by the check `shape`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 16."},
        ],
        "facts": {
            "code": "malformed",
            "meaning": "A value does not have the form that the protocol demands.",
            "check": "shape",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 16,
        },
    },
    "unsupported_object": {
        "summary": "This is no object that this verifier can check: another protocol, algorithm, version or kind. Found by the check `shape`.",
        "points": [
            {"title": "Verdict", "text": "rejected; untrusted where it is only the evidence beside an attestation."},
            {
                "title": "What to do",
                "text": "Check that it is the file you meant, or use a verifier that knows this kind.",
            },
            {"title": "Protocol", "text": "section 16."},
        ],
        "facts": {
            "code": "unsupported_object",
            "meaning": "This is no object that this verifier can check: another protocol, algorithm, version or kind.",
            "check": "shape",
            "verdicts": ["rejected", "untrusted"],
            "action": "Check that it is the file you meant, or use a verifier that knows this kind.",
            "section": 16,
        },
    },
    "payload_hash_mismatch": {
        "summary": "A payload is not the one whose hash was recorded. Found by the check `payload_hash`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 7."},
        ],
        "facts": {
            "code": "payload_hash_mismatch",
            "meaning": "A payload is not the one whose hash was recorded.",
            "check": "payload_hash",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 7,
        },
    },
    "event_hash_mismatch": {
        "summary": "The members of an event do not hash to its event hash: one of them was changed. Found by the check `event_hash`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 7."},
        ],
        "facts": {
            "code": "event_hash_mismatch",
            "meaning": "The members of an event do not hash to its event hash: one of them was changed.",
            "check": "event_hash",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 7,
        },
    },
    "head_hash_mismatch": {
        "summary": "A stream head is not the one that its event hash gives. Found by the check `event_hash`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 7."},
        ],
        "facts": {
            "code": "head_hash_mismatch",
            "meaning": "A stream head is not the one that its event hash gives.",
            "check": "event_hash",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 7,
        },
    },
    "previous_hash_mismatch": {
        "summary": "An event does not follow the one before it: the chain of hashes is broken there. Found by the check `sequence`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 7."},
        ],
        "facts": {
            "code": "previous_hash_mismatch",
            "meaning": "An event does not follow the one before it: the chain of hashes is broken there.",
            "check": "sequence",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 7,
        },
    },
    "sequence_broken": {
        "summary": "Events or windows are repeated, inserted, out of order, or their times go back. Found by the check `sequence`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 7."},
        ],
        "facts": {
            "code": "sequence_broken",
            "meaning": "Events or windows are repeated, inserted, out of order, or their times go back.",
            "check": "sequence",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 7,
        },
    },
    "range_incomplete": {
        "summary": "Events or windows of the range are missing. Found by the check `completeness`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask for the complete file; what is missing may have been left out on purpose.",
            },
            {"title": "Protocol", "text": "section 14."},
        ],
        "facts": {
            "code": "range_incomplete",
            "meaning": "Events or windows of the range are missing.",
            "check": "completeness",
            "verdicts": ["rejected"],
            "action": "Ask for the complete file; what is missing may have been left out on purpose.",
            "section": 14,
        },
    },
    "signature_invalid": {
        "summary": "A signature does not verify under the key that it names. Found by the check `receipt_signature`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 4."},
        ],
        "facts": {
            "code": "signature_invalid",
            "meaning": "A signature does not verify under the key that it names.",
            "check": "receipt_signature",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 4,
        },
    },
    "inclusion_invalid": {
        "summary": "An inclusion proof is wrong, or is another event's. Found by the check `inclusion`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 8."},
        ],
        "facts": {
            "code": "inclusion_invalid",
            "meaning": "An inclusion proof is wrong, or is another event's.",
            "check": "inclusion",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 8,
        },
    },
    "window_root_mismatch": {
        "summary": "The events of a window do not give its Merkle root. Found by the check `window_root`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 8."},
        ],
        "facts": {
            "code": "window_root_mismatch",
            "meaning": "The events of a window do not give its Merkle root.",
            "check": "window_root",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 8,
        },
    },
    "checkpoint_root_mismatch": {
        "summary": "The windows under a checkpoint do not give its Merkle root. Found by the check `checkpoint_root`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 9."},
        ],
        "facts": {
            "code": "checkpoint_root_mismatch",
            "meaning": "The windows under a checkpoint do not give its Merkle root.",
            "check": "checkpoint_root",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 9,
        },
    },
    "checkpoint_window_mismatch": {
        "summary": "A checkpoint does not list the windows that it covers, or says something else of the last one. Found by the check `checkpoint_root`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Keep the file: it shows that the service, or whoever holds its key, issued something wrong.",
            },
            {"title": "Protocol", "text": "section 9."},
        ],
        "facts": {
            "code": "checkpoint_window_mismatch",
            "meaning": "A checkpoint does not list the windows that it covers, or says something else of the last one.",
            "check": "checkpoint_root",
            "verdicts": ["rejected"],
            "action": "Keep the file: it shows that the service, or whoever holds its key, issued something wrong.",
            "section": 9,
        },
    },
    "previous_checkpoint_mismatch": {
        "summary": "A checkpoint does not follow the one before it. Found by the check `checkpoint_chain`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Keep the file: it shows that the service, or whoever holds its key, issued something wrong.",
            },
            {"title": "Protocol", "text": "section 9."},
        ],
        "facts": {
            "code": "previous_checkpoint_mismatch",
            "meaning": "A checkpoint does not follow the one before it.",
            "check": "checkpoint_chain",
            "verdicts": ["rejected"],
            "action": "Keep the file: it shows that the service, or whoever holds its key, issued something wrong.",
            "section": 9,
        },
    },
    "checkpoint_stale": {
        "summary": "The newest checkpoint here is older than one that covers the range, or than one you know. Found by the check `checkpoint_chain`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {"title": "What to do", "text": "Ask for a current export; an old one can hide what came later."},
            {"title": "Protocol", "text": "section 14."},
        ],
        "facts": {
            "code": "checkpoint_stale",
            "meaning": "The newest checkpoint here is older than one that covers the range, or than one you know.",
            "check": "checkpoint_chain",
            "verdicts": ["rejected"],
            "action": "Ask for a current export; an old one can hide what came later.",
            "section": 14,
        },
    },
    "consistency_invalid": {
        "summary": "The proof does not show that the later checkpoint extends the earlier one. Found by the check `consistency`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Keep the file: it shows that the service, or whoever holds its key, issued something wrong.",
            },
            {"title": "Protocol", "text": "section 9."},
        ],
        "facts": {
            "code": "consistency_invalid",
            "meaning": "The proof does not show that the later checkpoint extends the earlier one.",
            "check": "consistency",
            "verdicts": ["rejected"],
            "action": "Keep the file: it shows that the service, or whoever holds its key, issued something wrong.",
            "section": 9,
        },
    },
    "note_malformed": {
        "summary": "The checkpoint's signed note is not a C2SP signed note. Found by the check `note`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 9."},
        ],
        "facts": {
            "code": "note_malformed",
            "meaning": "The checkpoint's signed note is not a C2SP signed note.",
            "check": "note",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 9,
        },
    },
    "note_mismatch": {
        "summary": "The checkpoint's signed note says something else than the checkpoint, or the service did not sign it. Found by the check `note`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 9."},
        ],
        "facts": {
            "code": "note_mismatch",
            "meaning": "The checkpoint's signed note says something else than the checkpoint, or the service did not sign it.",
            "check": "note",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 9,
        },
    },
    "origin_changed": {
        "summary": "The origin changes along a stream. Found by the check `checkpoint_chain`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Keep the file: it shows that the service, or whoever holds its key, issued something wrong.",
            },
            {"title": "Protocol", "text": "section 9."},
        ],
        "facts": {
            "code": "origin_changed",
            "meaning": "The origin changes along a stream.",
            "check": "checkpoint_chain",
            "verdicts": ["rejected"],
            "action": "Keep the file: it shows that the service, or whoever holds its key, issued something wrong.",
            "section": 9,
        },
    },
    "stream_mismatch": {
        "summary": "Parts of different streams stand in one object. Found by the check `sequence`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 7."},
        ],
        "facts": {
            "code": "stream_mismatch",
            "meaning": "Parts of different streams stand in one object.",
            "check": "sequence",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 7,
        },
    },
    "policy_digest_mismatch": {
        "summary": "A policy that a window or checkpoint names by its digest is not among those shown. Found by the check `policy`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 14."},
        ],
        "facts": {
            "code": "policy_digest_mismatch",
            "meaning": "A policy that a window or checkpoint names by its digest is not among those shown.",
            "check": "policy",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 14,
        },
    },
    "policy_changed": {
        "summary": "The policy_id changes along a stream. Found by the check `policy`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Keep the file: it shows that the service, or whoever holds its key, issued something wrong.",
            },
            {"title": "Protocol", "text": "section 6."},
        ],
        "facts": {
            "code": "policy_changed",
            "meaning": "The policy_id changes along a stream.",
            "check": "policy",
            "verdicts": ["rejected"],
            "action": "Keep the file: it shows that the service, or whoever holds its key, issued something wrong.",
            "section": 6,
        },
    },
    "policy_version_decreased": {
        "summary": "An older version of the policy is used after a newer one. Found by the check `policy`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Keep the file: it shows that the service, or whoever holds its key, issued something wrong.",
            },
            {"title": "Protocol", "text": "section 6."},
        ],
        "facts": {
            "code": "policy_version_decreased",
            "meaning": "An older version of the policy is used after a newer one.",
            "check": "policy",
            "verdicts": ["rejected"],
            "action": "Keep the file: it shows that the service, or whoever holds its key, issued something wrong.",
            "section": 6,
        },
    },
    "witness_not_independent": {
        "summary": "The key that seals the checkpoint stands in the policy as its own witness. Found by the check `policy`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Keep the file: it shows that the service, or whoever holds its key, issued something wrong.",
            },
            {"title": "Protocol", "text": "section 6."},
        ],
        "facts": {
            "code": "witness_not_independent",
            "meaning": "The key that seals the checkpoint stands in the policy as its own witness.",
            "check": "policy",
            "verdicts": ["rejected"],
            "action": "Keep the file: it shows that the service, or whoever holds its key, issued something wrong.",
            "section": 6,
        },
    },
    "witness_signature_invalid": {
        "summary": "A cosignature by a known witness key does not verify. Found by the check `witness`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 10."},
        ],
        "facts": {
            "code": "witness_signature_invalid",
            "meaning": "A cosignature by a known witness key does not verify.",
            "check": "witness",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 10,
        },
    },
    "witness_key_epoch_invalid": {
        "summary": "The policy does not list that witness key, or the key was not valid at that time. Found by the check `witness`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {"title": "What to do", "text": "Ask for statements by the witnesses that the checkpoint's policy lists."},
            {"title": "Protocol", "text": "section 10."},
        ],
        "facts": {
            "code": "witness_key_epoch_invalid",
            "meaning": "The policy does not list that witness key, or the key was not valid at that time.",
            "check": "witness",
            "verdicts": ["rejected"],
            "action": "Ask for statements by the witnesses that the checkpoint's policy lists.",
            "section": 10,
        },
    },
    "witness_statement_mismatch": {
        "summary": "A witness statement is about another checkpoint than the one it stands beside. Found by the check `witness`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 10."},
        ],
        "facts": {
            "code": "witness_statement_mismatch",
            "meaning": "A witness statement is about another checkpoint than the one it stands beside.",
            "check": "witness",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 10,
        },
    },
    "witness_quorum_unmet": {
        "summary": "Fewer witnesses than required cosigned the newest checkpoint. Found by the check `witness`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask for an export with the missing witness statements; do not rely on this one until then.",
            },
            {"title": "Protocol", "text": "section 9."},
        ],
        "facts": {
            "code": "witness_quorum_unmet",
            "meaning": "Fewer witnesses than required cosigned the newest checkpoint.",
            "check": "witness",
            "verdicts": ["rejected"],
            "action": "Ask for an export with the missing witness statements; do not rely on this one until then.",
            "section": 9,
        },
    },
    "anchor_missing": {
        "summary": "The stream's policy requires an anchor of the newest checkpoint, and none is there. Found by the check `anchor`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {"title": "What to do", "text": "Ask for an export made after the anchor was mined."},
            {"title": "Protocol", "text": "section 12."},
        ],
        "facts": {
            "code": "anchor_missing",
            "meaning": "The stream's policy requires an anchor of the newest checkpoint, and none is there.",
            "check": "anchor",
            "verdicts": ["rejected"],
            "action": "Ask for an export made after the anchor was mined.",
            "section": 12,
        },
    },
    "anchor_does_not_bind": {
        "summary": "An anchor does not lead from the checkpoint to the service log, the contract and the block that it names. Found by the check `anchor`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Do not rely on its time. Ask for the anchor again; if it stays so, keep it: the service issued something wrong.",
            },
            {"title": "Protocol", "text": "section 12."},
        ],
        "facts": {
            "code": "anchor_does_not_bind",
            "meaning": "An anchor does not lead from the checkpoint to the service log, the contract and the block that it names.",
            "check": "anchor",
            "verdicts": ["rejected"],
            "action": "Do not rely on its time. Ask for the anchor again; if it stays so, keep it: the service issued something wrong.",
            "section": 12,
        },
    },
    "anchor_evidence_invalid": {
        "summary": "The chain evidence of an anchor cannot be decoded, lacks parts, or holds parts that nothing needs. Found by the check `anchor`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {"title": "What to do", "text": "Ask for the anchor again, with whole evidence."},
            {"title": "Protocol", "text": "section 12."},
        ],
        "facts": {
            "code": "anchor_evidence_invalid",
            "meaning": "The chain evidence of an anchor cannot be decoded, lacks parts, or holds parts that nothing needs.",
            "check": "anchor",
            "verdicts": ["rejected"],
            "action": "Ask for the anchor again, with whole evidence.",
            "section": 12,
        },
    },
    "artifact_hash_mismatch": {
        "summary": "A part of the bundle is not the one that its manifest names. Found by the check `manifest`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 14."},
        ],
        "facts": {
            "code": "artifact_hash_mismatch",
            "meaning": "A part of the bundle is not the one that its manifest names.",
            "check": "manifest",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 14,
        },
    },
    "archive_malformed": {
        "summary": "The package is no ZIP archive that every reader reads alike, or its content is damaged. Found by the check `archive`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 15."},
        ],
        "facts": {
            "code": "archive_malformed",
            "meaning": "The package is no ZIP archive that every reader reads alike, or its content is damaged.",
            "check": "archive",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 15,
        },
    },
    "archive_path_forbidden": {
        "summary": "An entry of the package has a path that must not be unpacked. Found by the check `archive`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {"title": "What to do", "text": "Do not unpack it. Ask for the original; keep this one as evidence."},
            {"title": "Protocol", "text": "section 15."},
        ],
        "facts": {
            "code": "archive_path_forbidden",
            "meaning": "An entry of the package has a path that must not be unpacked.",
            "check": "archive",
            "verdicts": ["rejected"],
            "action": "Do not unpack it. Ask for the original; keep this one as evidence.",
            "section": 15,
        },
    },
    "archive_entry_unlisted": {
        "summary": "The package holds an entry that its manifest does not list. Found by the check `archive`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {"title": "What to do", "text": "Do not unpack it. Ask for the original; keep this one as evidence."},
            {"title": "Protocol", "text": "section 15."},
        ],
        "facts": {
            "code": "archive_entry_unlisted",
            "meaning": "The package holds an entry that its manifest does not list.",
            "check": "archive",
            "verdicts": ["rejected"],
            "action": "Do not unpack it. Ask for the original; keep this one as evidence.",
            "section": 15,
        },
    },
    "archive_entry_missing": {
        "summary": "The package lacks an entry that belongs into it. Found by the check `archive`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask for the complete file; what is missing may have been left out on purpose.",
            },
            {"title": "Protocol", "text": "section 15."},
        ],
        "facts": {
            "code": "archive_entry_missing",
            "meaning": "The package lacks an entry that belongs into it.",
            "check": "archive",
            "verdicts": ["rejected"],
            "action": "Ask for the complete file; what is missing may have been left out on purpose.",
            "section": 15,
        },
    },
    "archive_too_large": {
        "summary": "The package expands to more than a verifier unpacks. Found by the check `archive`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {"title": "What to do", "text": "Do not unpack it. Ask for the original; keep this one as evidence."},
            {"title": "Protocol", "text": "section 15."},
        ],
        "facts": {
            "code": "archive_too_large",
            "meaning": "The package expands to more than a verifier unpacks.",
            "check": "archive",
            "verdicts": ["rejected"],
            "action": "Do not unpack it. Ask for the original; keep this one as evidence.",
            "section": 15,
        },
    },
    "export_mismatch": {
        "summary": "The package shows other events than its proofs and ranges do. Found by the check `export`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Keep the file: it shows that the service, or whoever holds its key, issued something wrong.",
            },
            {"title": "Protocol", "text": "section 15."},
        ],
        "facts": {
            "code": "export_mismatch",
            "meaning": "The package shows other events than its proofs and ranges do.",
            "check": "export",
            "verdicts": ["rejected"],
            "action": "Keep the file: it shows that the service, or whoever holds its key, issued something wrong.",
            "section": 15,
        },
    },
    "assurance_insufficient": {
        "summary": "Your trust policy demands a higher level of assurance than is shown here. Found by the check `assurance`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask for the attestations that lead to the level, or lower your demand knowingly.",
            },
            {"title": "Protocol", "text": "section 33."},
        ],
        "facts": {
            "code": "assurance_insufficient",
            "meaning": "Your trust policy demands a higher level of assurance than is shown here.",
            "check": "assurance",
            "verdicts": ["rejected"],
            "action": "Ask for the attestations that lead to the level, or lower your demand knowingly.",
            "section": 33,
        },
    },
    "key_not_pinned": {
        "summary": "You have not said whose key this is; a key that travels with the evidence proves nothing. Found by the check `trust`.",
        "points": [
            {"title": "Verdict", "text": "untrusted, unless something else is wrong."},
            {"title": "What it does not mean", "text": "That the evidence is broken: this alone breaks nothing."},
            {
                "title": "What to do",
                "text": "Get the service's public key another way, compare its fingerprint, and pin it.",
            },
            {"title": "Protocol", "text": "section 4."},
        ],
        "facts": {
            "code": "key_not_pinned",
            "meaning": "You have not said whose key this is; a key that travels with the evidence proves nothing.",
            "check": "trust",
            "verdicts": ["untrusted"],
            "action": "Get the service's public key another way, compare its fingerprint, and pin it.",
            "section": 4,
        },
    },
    "key_revoked": {
        "summary": "Your trust policy revokes the key that sealed this, or the key that endorsed it. Found by the check `trust`.",
        "points": [
            {"title": "Verdict", "text": "untrusted, unless something else is wrong."},
            {"title": "What it does not mean", "text": "That the evidence is broken: this alone breaks nothing."},
            {"title": "What to do", "text": "Ask the service for evidence sealed by a key that you trust."},
            {"title": "Protocol", "text": "section 4."},
        ],
        "facts": {
            "code": "key_revoked",
            "meaning": "Your trust policy revokes the key that sealed this, or the key that endorsed it.",
            "check": "trust",
            "verdicts": ["untrusted"],
            "action": "Ask the service for evidence sealed by a key that you trust.",
            "section": 4,
        },
    },
    "signer_not_for_stream": {
        "summary": "You trust that key, but not for this stream or this service. Found by the check `trust`.",
        "points": [
            {"title": "Verdict", "text": "untrusted, unless something else is wrong."},
            {"title": "What it does not mean", "text": "That the evidence is broken: this alone breaks nothing."},
            {
                "title": "What to do",
                "text": "Check that the stream is the one you meant; if it is, widen the pin for that key.",
            },
            {"title": "Protocol", "text": "section 4."},
        ],
        "facts": {
            "code": "signer_not_for_stream",
            "meaning": "You trust that key, but not for this stream or this service.",
            "check": "trust",
            "verdicts": ["untrusted"],
            "action": "Check that the stream is the one you meant; if it is, widen the pin for that key.",
            "section": 4,
        },
    },
    "key_time_unproven": {
        "summary": "The key is only trusted up to a time, and nothing you pin shows that this was sealed before it. Found by the check `trust`.",
        "points": [
            {"title": "Verdict", "text": "untrusted, unless something else is wrong."},
            {"title": "What it does not mean", "text": "That the evidence is broken: this alone breaks nothing."},
            {
                "title": "What to do",
                "text": "Pin a witness that cosigned a covering checkpoint in time, or ask for an export sealed by a current key.",
            },
            {"title": "Protocol", "text": "section 4."},
        ],
        "facts": {
            "code": "key_time_unproven",
            "meaning": "The key is only trusted up to a time, and nothing you pin shows that this was sealed before it.",
            "check": "trust",
            "verdicts": ["untrusted"],
            "action": "Pin a witness that cosigned a covering checkpoint in time, or ask for an export sealed by a current key.",
            "section": 4,
        },
    },
    "key_not_valid_at_time": {
        "summary": "By its own time, this was sealed before the key was valid or after its end. Found by the check `trust`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Keep the file: it shows that the service, or whoever holds its key, issued something wrong.",
            },
            {"title": "Protocol", "text": "section 4."},
        ],
        "facts": {
            "code": "key_not_valid_at_time",
            "meaning": "By its own time, this was sealed before the key was valid or after its end.",
            "check": "trust",
            "verdicts": ["rejected"],
            "action": "Keep the file: it shows that the service, or whoever holds its key, issued something wrong.",
            "section": 4,
        },
    },
    "kid_mismatch": {
        "summary": "A key identifier is not that of the key beside it. Found by the check `trust`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Correct the key or its identifier; the identifier is derived from the key.",
            },
            {"title": "Protocol", "text": "section 4."},
        ],
        "facts": {
            "code": "kid_mismatch",
            "meaning": "A key identifier is not that of the key beside it.",
            "check": "trust",
            "verdicts": ["rejected"],
            "action": "Correct the key or its identifier; the identifier is derived from the key.",
            "section": 4,
        },
    },
    "key_endorsement_conflict": {
        "summary": "One key endorses two different successors. Found by the check `key_endorsements`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Keep the file: it shows that the service, or whoever holds its key, issued something wrong.",
            },
            {"title": "Protocol", "text": "section 4."},
        ],
        "facts": {
            "code": "key_endorsement_conflict",
            "meaning": "One key endorses two different successors.",
            "check": "key_endorsements",
            "verdicts": ["rejected"],
            "action": "Keep the file: it shows that the service, or whoever holds its key, issued something wrong.",
            "section": 4,
        },
    },
    "evidence_missing": {
        "summary": "Your trust policy requires evidence that the object does not hold. Found by the check `expectation`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {"title": "What to do", "text": "Ask for an export that carries it, or relax the requirement knowingly."},
            {"title": "Protocol", "text": "section 16."},
        ],
        "facts": {
            "code": "evidence_missing",
            "meaning": "Your trust policy requires evidence that the object does not hold.",
            "check": "expectation",
            "verdicts": ["rejected"],
            "action": "Ask for an export that carries it, or relax the requirement knowingly.",
            "section": 16,
        },
    },
    "stream_unexpected": {
        "summary": "This is evidence of another stream than the one you asked for. Found by the check `expectation`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {"title": "What to do", "text": "Check that it is the file you meant."},
            {"title": "Protocol", "text": "section 16."},
        ],
        "facts": {
            "code": "stream_unexpected",
            "meaning": "This is evidence of another stream than the one you asked for.",
            "check": "expectation",
            "verdicts": ["rejected"],
            "action": "Check that it is the file you meant.",
            "section": 16,
        },
    },
    "known_checkpoint_unlinked": {
        "summary": "Nothing links a checkpoint that you know to this object. Found by the check `known_checkpoint`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask for consistency evidence between the two, and hand it in beside the object.",
            },
            {"title": "Protocol", "text": "section 16."},
        ],
        "facts": {
            "code": "known_checkpoint_unlinked",
            "meaning": "Nothing links a checkpoint that you know to this object.",
            "check": "known_checkpoint",
            "verdicts": ["rejected"],
            "action": "Ask for consistency evidence between the two, and hand it in beside the object.",
            "section": 16,
        },
    },
    "fork_evidence_invalid": {
        "summary": "What is shown as evidence of two histories shows none: a side does not hold, or the two do not exclude each other. Found by the check `fork`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Accuse nobody on the strength of it; ask whoever gave it to you what it was meant to show.",
            },
            {"title": "Protocol", "text": "section 11."},
        ],
        "facts": {
            "code": "fork_evidence_invalid",
            "meaning": "What is shown as evidence of two histories shows none: a side does not hold, or the two do not exclude each other.",
            "check": "fork",
            "verdicts": ["rejected"],
            "action": "Accuse nobody on the strength of it; ask whoever gave it to you what it was meant to show.",
            "section": 11,
        },
    },
    "fork_detected": {
        "summary": "Two incompatible histories of one stream were signed. Found by the check `fork`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {"title": "What to do", "text": "Keep both sides: together they prove that the service told two histories."},
            {"title": "Protocol", "text": "section 11."},
        ],
        "facts": {
            "code": "fork_detected",
            "meaning": "Two incompatible histories of one stream were signed.",
            "check": "fork",
            "verdicts": ["rejected"],
            "action": "Keep both sides: together they prove that the service told two histories.",
            "section": 11,
        },
    },
    "kernels_disagree": {
        "summary": "The two kernels of the verifier do not agree about the file, so that one of them is wrong. Found by comparing two runs.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Rely on neither verdict. Keep the file and both reports, and report this as a fault of the verifier.",
            },
            {"title": "Protocol", "text": "section 16."},
        ],
        "facts": {
            "code": "kernels_disagree",
            "meaning": "The two kernels of the verifier do not agree about the file, so that one of them is wrong.",
            "check": "cross-check",
            "verdicts": ["rejected"],
            "action": "Rely on neither verdict. Keep the file and both reports, and report this as a fault of the verifier.",
            "section": 16,
        },
    },
    "provenance_metadata_not_permitted": {
        "summary": "The metadata of an envelope holds something that may not leave a vault, or not in this form. Found by the check `shape`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 20."},
        ],
        "facts": {
            "code": "provenance_metadata_not_permitted",
            "meaning": "The metadata of an envelope holds something that may not leave a vault, or not in this form.",
            "check": "shape",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 20,
        },
    },
    "envelope_signature_invalid": {
        "summary": "The seal of an envelope does not verify under the key of its installation. Found by the check `envelope`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 20."},
        ],
        "facts": {
            "code": "envelope_signature_invalid",
            "meaning": "The seal of an envelope does not verify under the key of its installation.",
            "check": "envelope",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 20,
        },
    },
    "envelope_record_mismatch": {
        "summary": "An envelope is not the one that the service recorded for this event. Found by the check `envelope`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 27."},
        ],
        "facts": {
            "code": "envelope_record_mismatch",
            "meaning": "An envelope is not the one that the service recorded for this event.",
            "check": "envelope",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 27,
        },
    },
    "provenance_envelope_missing": {
        "summary": "An event of a provenance stream has no envelope here, or an envelope is of no event here. Found by the check `envelope`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask for the complete file; what is missing may have been left out on purpose.",
            },
            {"title": "Protocol", "text": "section 27."},
        ],
        "facts": {
            "code": "provenance_envelope_missing",
            "meaning": "An event of a provenance stream has no envelope here, or an envelope is of no event here.",
            "check": "envelope",
            "verdicts": ["rejected"],
            "action": "Ask for the complete file; what is missing may have been left out on purpose.",
            "section": 27,
        },
    },
    "content_hash_mismatch": {
        "summary": "The content beside an envelope is not the one that the vault sealed. Found by the check `envelope`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 20."},
        ],
        "facts": {
            "code": "content_hash_mismatch",
            "meaning": "The content beside an envelope is not the one that the vault sealed.",
            "check": "envelope",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 20,
        },
    },
    "capsule_path_invalid": {
        "summary": "The commitments do not lead to the capsule's root, or a path has the wrong length. Found by the check `envelope`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 20."},
        ],
        "facts": {
            "code": "capsule_path_invalid",
            "meaning": "The commitments do not lead to the capsule's root, or a path has the wrong length.",
            "check": "envelope",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 20,
        },
    },
    "vault_clock_ahead": {
        "summary": "A vault dates an envelope later than the service received it. Found by the check `envelope`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask the owner of the vault to set its clock; do not rely on the times of this envelope.",
            },
            {"title": "Protocol", "text": "section 27."},
        ],
        "facts": {
            "code": "vault_clock_ahead",
            "meaning": "A vault dates an envelope later than the service received it.",
            "check": "envelope",
            "verdicts": ["rejected"],
            "action": "Ask the owner of the vault to set its clock; do not rely on the times of this envelope.",
            "section": 27,
        },
    },
    "vault_key_mismatch": {
        "summary": "Another key is named for an installation than the one that you pin or that is known for it. Found by the check `vault_key`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {"title": "What to do", "text": "Find out which key the vault really has: ask its owner, not the service."},
            {"title": "Protocol", "text": "section 26."},
        ],
        "facts": {
            "code": "vault_key_mismatch",
            "meaning": "Another key is named for an installation than the one that you pin or that is known for it.",
            "check": "vault_key",
            "verdicts": ["rejected"],
            "action": "Find out which key the vault really has: ask its owner, not the service.",
            "section": 26,
        },
    },
    "vault_key_not_yet_enrolled": {
        "summary": "A vault's key was used before the vault was enrolled. Found by the check `vault_key`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Keep the file: if nothing else in it is wrong, it shows that the service, or whoever holds its key, issued something wrong.",
            },
            {"title": "Protocol", "text": "section 26."},
        ],
        "facts": {
            "code": "vault_key_not_yet_enrolled",
            "meaning": "A vault's key was used before the vault was enrolled.",
            "check": "vault_key",
            "verdicts": ["rejected"],
            "action": "Keep the file: if nothing else in it is wrong, it shows that the service, or whoever holds its key, issued something wrong.",
            "section": 26,
        },
    },
    "vault_key_revoked": {
        "summary": "A vault's key was used when it had been revoked or replaced. Found by the check `vault_key`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Do not rely on it: ask the vault's owner what its new key has sealed instead.",
            },
            {"title": "Protocol", "text": "section 26."},
        ],
        "facts": {
            "code": "vault_key_revoked",
            "meaning": "A vault's key was used when it had been revoked or replaced.",
            "check": "vault_key",
            "verdicts": ["rejected"],
            "action": "Do not rely on it: ask the vault's owner what its new key has sealed instead.",
            "section": 26,
        },
    },
    "vault_revocation_time_uncertain": {
        "summary": "The end of a vault's key was stated afterwards, and nothing proves on which side of it this was sealed. Found by the check `vault_key`.",
        "points": [
            {"title": "Verdict", "text": "untrusted, unless something else is wrong."},
            {"title": "What it does not mean", "text": "That the evidence is broken: this alone breaks nothing."},
            {
                "title": "What to do",
                "text": "Ask the vault's owner when the key was lost, and for a proof of time from before that.",
            },
            {"title": "Protocol", "text": "section 26."},
        ],
        "facts": {
            "code": "vault_revocation_time_uncertain",
            "meaning": "The end of a vault's key was stated afterwards, and nothing proves on which side of it this was sealed.",
            "check": "vault_key",
            "verdicts": ["untrusted"],
            "action": "Ask the vault's owner when the key was lost, and for a proof of time from before that.",
            "section": 26,
        },
    },
    "vault_status_stale": {
        "summary": "The newest key status here is older than you demand; a later one may tell of the key's end. Found by the check `vault_key`.",
        "points": [
            {"title": "Verdict", "text": "untrusted, unless something else is wrong."},
            {"title": "What it does not mean", "text": "That the evidence is broken: this alone breaks nothing."},
            {"title": "What to do", "text": "Get the current key status from the service, and verify again."},
            {"title": "Protocol", "text": "section 26."},
        ],
        "facts": {
            "code": "vault_status_stale",
            "meaning": "The newest key status here is older than you demand; a later one may tell of the key's end.",
            "check": "vault_key",
            "verdicts": ["untrusted"],
            "action": "Get the current key status from the service, and verify again.",
            "section": 26,
        },
    },
    "vault_lifecycle_conflict": {
        "summary": "Two statements by the service about one vault's key contradict each other. Found by the check `vault_key`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Keep both: they are evidence against the service, which told two stories of one key.",
            },
            {"title": "Protocol", "text": "section 26."},
        ],
        "facts": {
            "code": "vault_lifecycle_conflict",
            "meaning": "Two statements by the service about one vault's key contradict each other.",
            "check": "vault_key",
            "verdicts": ["rejected"],
            "action": "Keep both: they are evidence against the service, which told two stories of one key.",
            "section": 26,
        },
    },
    "vault_lifecycle_mismatch": {
        "summary": "The keys that the manifest lists are not those of the installations in its range. Found by the check `vault_key`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 27."},
        ],
        "facts": {
            "code": "vault_lifecycle_mismatch",
            "meaning": "The keys that the manifest lists are not those of the installations in its range.",
            "check": "vault_key",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 27,
        },
    },
    "handover_invalid": {
        "summary": "A handover from one vault's key to another was not signed by the old key, or the old key had no say in it. Found by the check `vault_key`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Keep the file: if nothing else in it is wrong, it shows that the service, or whoever holds its key, issued something wrong.",
            },
            {"title": "Protocol", "text": "section 26."},
        ],
        "facts": {
            "code": "handover_invalid",
            "meaning": "A handover from one vault's key to another was not signed by the old key, or the old key had no say in it.",
            "check": "vault_key",
            "verdicts": ["rejected"],
            "action": "Keep the file: if nothing else in it is wrong, it shows that the service, or whoever holds its key, issued something wrong.",
            "section": 26,
        },
    },
    "vault_chain_broken": {
        "summary": "The envelopes of a vault do not follow one another: one is missing, repeated or exchanged. Found by the check `vault_chain`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask for the complete file; what is missing may have been left out on purpose.",
            },
            {"title": "Protocol", "text": "section 27."},
        ],
        "facts": {
            "code": "vault_chain_broken",
            "meaning": "The envelopes of a vault do not follow one another: one is missing, repeated or exchanged.",
            "check": "vault_chain",
            "verdicts": ["rejected"],
            "action": "Ask for the complete file; what is missing may have been left out on purpose.",
            "section": 27,
        },
    },
    "provenance_source_ref_conflict": {
        "summary": "Two events of one stream have the same source reference. Found by the check `vault_chain`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Keep the file: if nothing else in it is wrong, it shows that the service, or whoever holds its key, issued something wrong.",
            },
            {"title": "Protocol", "text": "section 27."},
        ],
        "facts": {
            "code": "provenance_source_ref_conflict",
            "meaning": "Two events of one stream have the same source reference.",
            "check": "vault_chain",
            "verdicts": ["rejected"],
            "action": "Keep the file: if nothing else in it is wrong, it shows that the service, or whoever holds its key, issued something wrong.",
            "section": 27,
        },
    },
    "provenance_root_mismatch": {
        "summary": "The envelopes of the range do not give the provenance root. Found by the check `provenance`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 27."},
        ],
        "facts": {
            "code": "provenance_root_mismatch",
            "meaning": "The envelopes of the range do not give the provenance root.",
            "check": "provenance",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 27,
        },
    },
    "provenance_count_mismatch": {
        "summary": "The manifest counts other events than its range has. Found by the check `provenance`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Keep the file: if nothing else in it is wrong, it shows that the service, or whoever holds its key, issued something wrong.",
            },
            {"title": "Protocol", "text": "section 27."},
        ],
        "facts": {
            "code": "provenance_count_mismatch",
            "meaning": "The manifest counts other events than its range has.",
            "check": "provenance",
            "verdicts": ["rejected"],
            "action": "Keep the file: if nothing else in it is wrong, it shows that the service, or whoever holds its key, issued something wrong.",
            "section": 27,
        },
    },
    "provenance_range_mismatch": {
        "summary": "A proof of inclusion is about another stream or range than the manifest beside it. Found by the check `provenance`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {"title": "What to do", "text": "Ask for the proof over exactly the range of this manifest."},
            {"title": "Protocol", "text": "section 27."},
        ],
        "facts": {
            "code": "provenance_range_mismatch",
            "meaning": "A proof of inclusion is about another stream or range than the manifest beside it.",
            "check": "provenance",
            "verdicts": ["rejected"],
            "action": "Ask for the proof over exactly the range of this manifest.",
            "section": 27,
        },
    },
    "attestation_signature_invalid": {
        "summary": "An attestation record is not sealed by the key that it is about. Found by the check `attestation`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 23."},
        ],
        "facts": {
            "code": "attestation_signature_invalid",
            "meaning": "An attestation record is not sealed by the key that it is about.",
            "check": "attestation",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 23,
        },
    },
    "evidence_hash_mismatch": {
        "summary": "The evidence beside an attestation record is not the one that the vault sealed. Found by the check `attestation`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 23."},
        ],
        "facts": {
            "code": "evidence_hash_mismatch",
            "meaning": "The evidence beside an attestation record is not the one that the vault sealed.",
            "check": "attestation",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 23,
        },
    },
    "attestation_result_mismatch": {
        "summary": "An attestation result is not about this record, or contradicts itself. Found by the check `attestation`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 23."},
        ],
        "facts": {
            "code": "attestation_result_mismatch",
            "meaning": "An attestation result is not about this record, or contradicts itself.",
            "check": "attestation",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 23,
        },
    },
    "provenance_assurance_not_substantiated": {
        "summary": "An envelope claims a level that no attestation here carries for its time. Found by the check `assurance`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {"title": "What to do", "text": "Ask for the attestation that was in force then."},
            {"title": "Protocol", "text": "section 33."},
        ],
        "facts": {
            "code": "provenance_assurance_not_substantiated",
            "meaning": "An envelope claims a level that no attestation here carries for its time.",
            "check": "assurance",
            "verdicts": ["rejected"],
            "action": "Ask for the attestation that was in force then.",
            "section": 33,
        },
    },
    "start_signature_invalid": {
        "summary": "The start seal of an envelope does not verify under the key of the start that it names. Found by the check `assurance`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 33."},
        ],
        "facts": {
            "code": "start_signature_invalid",
            "meaning": "The start seal of an envelope does not verify under the key of the start that it names.",
            "check": "assurance",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 33,
        },
    },
    "commitment_mismatch": {
        "summary": "An opened value is not the one that the vault committed to, or the envelope is another one. Found by the check `disclosure`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 28."},
        ],
        "facts": {
            "code": "commitment_mismatch",
            "meaning": "An opened value is not the one that the vault committed to, or the envelope is another one.",
            "check": "disclosure",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 28,
        },
    },
    "disclosure_field_invalid": {
        "summary": "An opened field does not stand at the only place that its name has, or its value is too large. Found by the check `disclosure`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 28."},
        ],
        "facts": {
            "code": "disclosure_field_invalid",
            "meaning": "An opened field does not stand at the only place that its name has, or its value is too large.",
            "check": "disclosure",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 28,
        },
    },
    "disclosure_signature_invalid": {
        "summary": "The seal of a disclosure does not verify under the key of the installation. Found by the check `disclosure`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask whoever gave you the file for the original; keep this one as evidence.",
            },
            {"title": "Protocol", "text": "section 28."},
        ],
        "facts": {
            "code": "disclosure_signature_invalid",
            "meaning": "The seal of a disclosure does not verify under the key of the installation.",
            "check": "disclosure",
            "verdicts": ["rejected"],
            "action": "Ask whoever gave you the file for the original; keep this one as evidence.",
            "section": 28,
        },
    },
    "disclosure_audience_mismatch": {
        "summary": "The disclosure is not sealed for the reader or the occasion that you expect. Found by the check `disclosure`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {"title": "What to do", "text": "Ask the holder for a disclosure that is sealed for you, with your nonce."},
            {"title": "Protocol", "text": "section 28."},
        ],
        "facts": {
            "code": "disclosure_audience_mismatch",
            "meaning": "The disclosure is not sealed for the reader or the occasion that you expect.",
            "check": "disclosure",
            "verdicts": ["rejected"],
            "action": "Ask the holder for a disclosure that is sealed for you, with your nonce.",
            "section": 28,
        },
    },
    "content_mismatch": {
        "summary": "The opened content is of another file than the one that you have. Found by the check `disclosure`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Check that it is the file you meant: it is not the one that was committed to.",
            },
            {"title": "Protocol", "text": "section 28."},
        ],
        "facts": {
            "code": "content_mismatch",
            "meaning": "The opened content is of another file than the one that you have.",
            "check": "disclosure",
            "verdicts": ["rejected"],
            "action": "Check that it is the file you meant: it is not the one that was committed to.",
            "section": 28,
        },
    },
    "provider_not_allowed": {
        "summary": "The provider policy that an envelope names does not allow this provider to do this. Found by the check `provider`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {"title": "What to do", "text": "Ask for the policy that allowed it, sealed by a key that you trust."},
            {"title": "Protocol", "text": "section 29."},
        ],
        "facts": {
            "code": "provider_not_allowed",
            "meaning": "The provider policy that an envelope names does not allow this provider to do this.",
            "check": "provider",
            "verdicts": ["rejected"],
            "action": "Ask for the policy that allowed it, sealed by a key that you trust.",
            "section": 29,
        },
    },
    "provider_result_inconsistent": {
        "summary": "A provider's result says something about a mark that its other members do not allow. Found by the check `provider`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {"title": "What to do", "text": "Rely on nothing that it says; ask for the provider's own answer."},
            {"title": "Protocol", "text": "section 29."},
        ],
        "facts": {
            "code": "provider_result_inconsistent",
            "meaning": "A provider's result says something about a mark that its other members do not allow.",
            "check": "provider",
            "verdicts": ["rejected"],
            "action": "Rely on nothing that it says; ask for the provider's own answer.",
            "section": 29,
        },
    },
    "ivc_program_unknown": {
        "summary": "The epoch was computed by a program that this verifier does not know. Found by the check `ivc`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {"title": "What to do", "text": "Use a verifier that knows this program."},
            {"title": "Protocol", "text": "section 32."},
        ],
        "facts": {
            "code": "ivc_program_unknown",
            "meaning": "The epoch was computed by a program that this verifier does not know.",
            "check": "ivc",
            "verdicts": ["rejected"],
            "action": "Use a verifier that knows this program.",
            "section": 32,
        },
    },
    "ivc_construction_not_reviewed": {
        "summary": "The epoch rests on a construction that nobody has reviewed, so that this verifier does not admit it. Found by the check `ivc`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {"title": "What to do", "text": "Ask for the same epoch by recomputation."},
            {"title": "Protocol", "text": "section 32."},
        ],
        "facts": {
            "code": "ivc_construction_not_reviewed",
            "meaning": "The epoch rests on a construction that nobody has reviewed, so that this verifier does not admit it.",
            "check": "ivc",
            "verdicts": ["rejected"],
            "action": "Ask for the same epoch by recomputation.",
            "section": 32,
        },
    },
    "ivc_epoch_chain_broken": {
        "summary": "The epoch does not start where the chain of epochs does, or says so. Found by the check `ivc`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Keep the file: if nothing else in it is wrong, it shows that the service, or whoever holds its key, issued something wrong.",
            },
            {"title": "Protocol", "text": "section 32."},
        ],
        "facts": {
            "code": "ivc_epoch_chain_broken",
            "meaning": "The epoch does not start where the chain of epochs does, or says so.",
            "check": "ivc",
            "verdicts": ["rejected"],
            "action": "Keep the file: if nothing else in it is wrong, it shows that the service, or whoever holds its key, issued something wrong.",
            "section": 32,
        },
    },
    "ivc_steps_incomplete": {
        "summary": "The checkpoints of an epoch are not all of its range, or the range is no possible one. Found by the check `ivc`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Ask for the complete file; what is missing may have been left out on purpose.",
            },
            {"title": "Protocol", "text": "section 32."},
        ],
        "facts": {
            "code": "ivc_steps_incomplete",
            "meaning": "The checkpoints of an epoch are not all of its range, or the range is no possible one.",
            "check": "ivc",
            "verdicts": ["rejected"],
            "action": "Ask for the complete file; what is missing may have been left out on purpose.",
            "section": 32,
        },
    },
    "ivc_steps_absent": {
        "summary": "The checkpoints of an epoch are not here, so that it was not recomputed. Found by the check `ivc`.",
        "points": [
            {"title": "Verdict", "text": "untrusted, unless something else is wrong."},
            {"title": "What it does not mean", "text": "That the evidence is broken: this alone breaks nothing."},
            {
                "title": "What to do",
                "text": "Ask for the checkpoints of the epoch: without them nothing can be recomputed.",
            },
            {"title": "Protocol", "text": "section 32."},
        ],
        "facts": {
            "code": "ivc_steps_absent",
            "meaning": "The checkpoints of an epoch are not here, so that it was not recomputed.",
            "check": "ivc",
            "verdicts": ["untrusted"],
            "action": "Ask for the checkpoints of the epoch: without them nothing can be recomputed.",
            "section": 32,
        },
    },
    "ivc_state_mismatch": {
        "summary": "The checkpoints of an epoch do not give its final state. Found by the check `ivc`.",
        "points": [
            {"title": "Verdict", "text": "rejected."},
            {
                "title": "What to do",
                "text": "Keep the file: if nothing else in it is wrong, it shows that the service, or whoever holds its key, issued something wrong.",
            },
            {"title": "Protocol", "text": "section 32."},
        ],
        "facts": {
            "code": "ivc_state_mismatch",
            "meaning": "The checkpoints of an epoch do not give its final state.",
            "check": "ivc",
            "verdicts": ["rejected"],
            "action": "Keep the file: if nothing else in it is wrong, it shows that the service, or whoever holds its key, issued something wrong.",
            "section": 32,
        },
    },
}

ERRORS: dict[str, Any] = {
    "request_malformed": {
        "summary": "Status 400. What was sent is no HTTP request, or not a whole one.",
        "points": [
            {
                "title": "What to do",
                "text": "Send the request with an ordinary HTTP client, and look for a proxy that changes or cuts it.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "request_malformed",
            "status": 400,
            "meaning": "What was sent is no HTTP request, or not a whole one.",
            "retryable": False,
            "action": "Send the request with an ordinary HTTP client, and look for a proxy that changes or cuts it.",
        },
    },
    "json_malformed": {
        "summary": "Status 400. The body is not one JSON text.",
        "points": [
            {
                "title": "What to do",
                "text": "Look at the byte that the message names, and send the body as a JSON library writes it.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "json_malformed",
            "status": 400,
            "meaning": "The body is not one JSON text.",
            "retryable": False,
            "action": "Look at the byte that the message names, and send the body as a JSON library writes it.",
        },
    },
    "duplicate_name": {
        "summary": "Status 400. A member name stands twice in one object.",
        "points": [
            {"title": "What to do", "text": "Send each name once."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "duplicate_name",
            "status": 400,
            "meaning": "A member name stands twice in one object.",
            "retryable": False,
            "action": "Send each name once.",
        },
    },
    "lossy_number": {
        "summary": "Status 400. A number cannot be carried exactly by a double.",
        "points": [
            {"title": "What to do", "text": "Send the number as a string."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "lossy_number",
            "status": 400,
            "meaning": "A number cannot be carried exactly by a double.",
            "retryable": False,
            "action": "Send the number as a string.",
        },
    },
    "invalid_unicode": {
        "summary": "Status 400. The body is not well-formed UTF-8, or a string holds a lone surrogate.",
        "points": [
            {
                "title": "What to do",
                "text": "Send the body as UTF-8, and no text that was cut in the middle of a character.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "invalid_unicode",
            "status": 400,
            "meaning": "The body is not well-formed UTF-8, or a string holds a lone surrogate.",
            "retryable": False,
            "action": "Send the body as UTF-8, and no text that was cut in the middle of a character.",
        },
    },
    "too_deep": {
        "summary": "Status 400. The body nests deeper than 64, or a payload deeper than 32.",
        "points": [
            {"title": "What to do", "text": "Send a flatter value."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "too_deep",
            "status": 400,
            "meaning": "The body nests deeper than 64, or a payload deeper than 32.",
            "retryable": False,
            "action": "Send a flatter value.",
        },
    },
    "idempotency_key_required": {
        "summary": "Status 400. The route needs an Idempotency-Key header.",
        "points": [
            {
                "title": "What to do",
                "text": "Choose a text of your own that names this request, and send it in the header, so that a retry records nothing twice.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "idempotency_key_required",
            "status": 400,
            "meaning": "The route needs an Idempotency-Key header.",
            "retryable": False,
            "action": "Choose a text of your own that names this request, and send it in the header, so that a retry records nothing twice.",
        },
    },
    "idempotency_key_invalid": {
        "summary": "Status 400. The Idempotency-Key is not 1 to 255 visible ASCII characters.",
        "points": [
            {"title": "What to do", "text": "Choose a key of 1 to 255 visible ASCII characters, without blanks."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "idempotency_key_invalid",
            "status": 400,
            "meaning": "The Idempotency-Key is not 1 to 255 visible ASCII characters.",
            "retryable": False,
            "action": "Choose a key of 1 to 255 visible ASCII characters, without blanks.",
        },
    },
    "unsupported_object": {
        "summary": "Status 400. The body is of no kind of evidence that this server can verify.",
        "points": [
            {
                "title": "What to do",
                "text": "Check that it is the object you meant, and send the whole of it; a server of a later release may know its kind.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "unsupported_object",
            "status": 400,
            "meaning": "The body is of no kind of evidence that this server can verify.",
            "retryable": False,
            "action": "Check that it is the object you meant, and send the whole of it; a server of a later release may know its kind.",
        },
    },
    "unauthorized": {
        "summary": "Status 401. The credential is missing, wrong, expired or revoked.",
        "points": [
            {
                "title": "What to do",
                "text": "Check that the Authorization header has the whole key, without a blank or a line break behind it; ask the operator for another key if this one has ended.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "unauthorized",
            "status": 401,
            "meaning": "The credential is missing, wrong, expired or revoked.",
            "retryable": False,
            "action": "Check that the Authorization header has the whole key, without a blank or a line break behind it; ask the operator for another key if this one has ended.",
        },
    },
    "system_forbidden": {
        "summary": "Status 403. The key does not belong to the system that the request names.",
        "points": [
            {"title": "What to do", "text": "Use a key of the system that the request names."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "system_forbidden",
            "status": 403,
            "meaning": "The key does not belong to the system that the request names.",
            "retryable": False,
            "action": "Use a key of the system that the request names.",
        },
    },
    "action_forbidden": {
        "summary": "Status 403. The key is not allowed to do this.",
        "points": [
            {"title": "What to do", "text": "Use a key that may do this, or ask the operator for one."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "action_forbidden",
            "status": 403,
            "meaning": "The key is not allowed to do this.",
            "retryable": False,
            "action": "Use a key that may do this, or ask the operator for one.",
        },
    },
    "stream_forbidden": {
        "summary": "Status 403. The stream belongs to another system of the same tenant.",
        "points": [
            {"title": "What to do", "text": "Use a key of the system that the stream belongs to."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "stream_forbidden",
            "status": 403,
            "meaning": "The stream belongs to another system of the same tenant.",
            "retryable": False,
            "action": "Use a key of the system that the stream belongs to.",
        },
    },
    "legacy_stream_creation_disabled": {
        "summary": "Status 403. This deployment no longer makes streams of class legacy.",
        "points": [
            {
                "title": "What to do",
                "text": "Make a stream of another class; existing streams of class legacy go on taking events.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "legacy_stream_creation_disabled",
            "status": 403,
            "meaning": "This deployment no longer makes streams of class legacy.",
            "retryable": False,
            "action": "Make a stream of another class; existing streams of class legacy go on taking events.",
        },
    },
    "export_forbidden": {
        "summary": "Status 403. The export belongs to another system of the same tenant, or holds streams that the key is kept from.",
        "points": [
            {
                "title": "What to do",
                "text": "Use a key of the system that the export belongs to, and that may read all of its streams.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "export_forbidden",
            "status": 403,
            "meaning": "The export belongs to another system of the same tenant, or holds streams that the key is kept from.",
            "retryable": False,
            "action": "Use a key of the system that the export belongs to, and that may read all of its streams.",
        },
    },
    "ticket_invalid": {
        "summary": "Status 403. The ticket is none for this export.",
        "points": [
            {
                "title": "What to do",
                "text": "Prepare a download of this export, and use the path that the answer gives, unchanged.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "ticket_invalid",
            "status": 403,
            "meaning": "The ticket is none for this export.",
            "retryable": False,
            "action": "Prepare a download of this export, and use the path that the answer gives, unchanged.",
        },
    },
    "stream_class_closed": {
        "summary": "Status 403. The stream's class is the service's own to write: nothing is appended or erased by request.",
        "points": [
            {
                "title": "What to do",
                "text": "Record your own events in a stream of another class; this one can be read.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "stream_class_closed",
            "status": 403,
            "meaning": "The stream's class is the service's own to write: nothing is appended or erased by request.",
            "retryable": False,
            "action": "Record your own events in a stream of another class; this one can be read.",
        },
    },
    "route_not_found": {
        "summary": "Status 404. No such route.",
        "points": [
            {
                "title": "What to do",
                "text": "Compare method and path with the list of routes, and the version at the path's beginning with that of the server.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "route_not_found",
            "status": 404,
            "meaning": "No such route.",
            "retryable": False,
            "action": "Compare method and path with the list of routes, and the version at the path's beginning with that of the server.",
        },
    },
    "stream_not_found": {
        "summary": "Status 404. No such stream, or it is not yours to see.",
        "points": [
            {
                "title": "What to do",
                "text": "Compare the id with the answer that made the stream, and check that the key belongs to the same tenant.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "stream_not_found",
            "status": 404,
            "meaning": "No such stream, or it is not yours to see.",
            "retryable": False,
            "action": "Compare the id with the answer that made the stream, and check that the key belongs to the same tenant.",
        },
    },
    "stream_empty": {
        "summary": "Status 404. The stream exists and has no event yet, so it has no head.",
        "points": [
            {"title": "What to do", "text": "Append an event first."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "stream_empty",
            "status": 404,
            "meaning": "The stream exists and has no event yet, so it has no head.",
            "retryable": False,
            "action": "Append an event first.",
        },
    },
    "receipt_not_found": {
        "summary": "Status 404. No such event, or it is not yours to see.",
        "points": [
            {
                "title": "What to do",
                "text": "Compare the id with the receipt that you have, and check that the key may see its stream.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "receipt_not_found",
            "status": 404,
            "meaning": "No such event, or it is not yours to see.",
            "retryable": False,
            "action": "Compare the id with the receipt that you have, and check that the key may see its stream.",
        },
    },
    "window_not_found": {
        "summary": "Status 404. No such window.",
        "points": [
            {"title": "What to do", "text": "Compare the id; an event that is not sealed yet has no window."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "window_not_found",
            "status": 404,
            "meaning": "No such window.",
            "retryable": False,
            "action": "Compare the id; an event that is not sealed yet has no window.",
        },
    },
    "event_not_in_window": {
        "summary": "Status 404. The window does not hold that event.",
        "points": [
            {"title": "What to do", "text": "Ask for the window that the event's own proof names."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "event_not_in_window",
            "status": 404,
            "meaning": "The window does not hold that event.",
            "retryable": False,
            "action": "Ask for the window that the event's own proof names.",
        },
    },
    "checkpoint_not_found": {
        "summary": "Status 404. No such checkpoint.",
        "points": [
            {"title": "What to do", "text": "Compare the id or the number with the list of the stream's checkpoints."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "checkpoint_not_found",
            "status": 404,
            "meaning": "No such checkpoint.",
            "retryable": False,
            "action": "Compare the id or the number with the list of the stream's checkpoints.",
        },
    },
    "anchor_not_found": {
        "summary": "Status 404. No such anchor, or none has been published yet.",
        "points": [
            {
                "title": "What to do",
                "text": "Compare the id with the list of anchors, or ask again once one has been published.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "anchor_not_found",
            "status": 404,
            "meaning": "No such anchor, or none has been published yet.",
            "retryable": False,
            "action": "Compare the id with the list of anchors, or ask again once one has been published.",
        },
    },
    "checkpoint_not_in_epoch": {
        "summary": "Status 404. The epoch of the service log covers no such checkpoint.",
        "points": [
            {
                "title": "What to do",
                "text": "Ask for a later epoch: an epoch covers the checkpoints that were there before it.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "checkpoint_not_in_epoch",
            "status": 404,
            "meaning": "The epoch of the service log covers no such checkpoint.",
            "retryable": False,
            "action": "Ask for a later epoch: an epoch covers the checkpoints that were there before it.",
        },
    },
    "ivc_epoch_not_found": {
        "summary": "Status 404. No such IVC epoch.",
        "points": [
            {"title": "What to do", "text": "Compare the id with the list of the stream's epochs."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "ivc_epoch_not_found",
            "status": 404,
            "meaning": "No such IVC epoch.",
            "retryable": False,
            "action": "Compare the id with the list of the stream's epochs.",
        },
    },
    "export_not_found": {
        "summary": "Status 404. No such export, or it is not yours to see.",
        "points": [
            {
                "title": "What to do",
                "text": "Compare the id with the answer that made the export, and check that the key may see it.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "export_not_found",
            "status": 404,
            "meaning": "No such export, or it is not yours to see.",
            "retryable": False,
            "action": "Compare the id with the answer that made the export, and check that the key may see it.",
        },
    },
    "policy_not_found": {
        "summary": "Status 404. No such policy, or no such version of it.",
        "points": [
            {"title": "What to do", "text": "Compare the id and the version, or declare the policy first."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "policy_not_found",
            "status": 404,
            "meaning": "No such policy, or no such version of it.",
            "retryable": False,
            "action": "Compare the id and the version, or declare the policy first.",
        },
    },
    "method_not_allowed": {
        "summary": "Status 405. The path exists, and not with that method.",
        "points": [
            {"title": "What to do", "text": "Use one of the methods that the Allow header names."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "method_not_allowed",
            "status": 405,
            "meaning": "The path exists, and not with that method.",
            "retryable": False,
            "action": "Use one of the methods that the Allow header names.",
        },
    },
    "request_timeout": {
        "summary": "Status 408. The request was not whole in time.",
        "points": [
            {
                "title": "What to do",
                "text": "Send the whole request sooner: over a better connection, or in smaller parts.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "request_timeout",
            "status": 408,
            "meaning": "The request was not whole in time.",
            "retryable": False,
            "action": "Send the whole request sooner: over a better connection, or in smaller parts.",
        },
    },
    "idempotency_conflict": {
        "summary": "Status 409. The Idempotency-Key has been used with another request.",
        "points": [
            {"title": "What to do", "text": "Repeat the first request unchanged, or use a new key for a new request."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "idempotency_conflict",
            "status": 409,
            "meaning": "The Idempotency-Key has been used with another request.",
            "retryable": False,
            "action": "Repeat the first request unchanged, or use a new key for a new request.",
        },
    },
    "sequence_conflict": {
        "summary": "Status 409. The head of the stream is not the one that If-Head-Match names.",
        "points": [
            {"title": "What to do", "text": "Read the head of the stream, and decide again whether to append."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "sequence_conflict",
            "status": 409,
            "meaning": "The head of the stream is not the one that If-Head-Match names.",
            "retryable": False,
            "action": "Read the head of the stream, and decide again whether to append.",
        },
    },
    "predecessor_missing": {
        "summary": "Status 409. The request that after_key names has recorded nothing in the stream.",
        "points": [
            {"title": "What to do", "text": "Send the request that after_key names first, then this one again."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "predecessor_missing",
            "status": 409,
            "meaning": "The request that after_key names has recorded nothing in the stream.",
            "retryable": False,
            "action": "Send the request that after_key names first, then this one again.",
        },
    },
    "stream_closed": {
        "summary": "Status 409. The stream takes no more events: its database had lost some.",
        "points": [
            {
                "title": "What to do",
                "text": "Record further events in a new stream; ask the operator what was lost, and keep your receipts.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "stream_closed",
            "status": 409,
            "meaning": "The stream takes no more events: its database had lost some.",
            "retryable": False,
            "action": "Record further events in a new stream; ask the operator what was lost, and keep your receipts.",
        },
    },
    "event_log_stream": {
        "summary": "Status 409. The stream is the event log of a system, and takes events through POST /v1/sdk/events only.",
        "points": [
            {"title": "What to do", "text": "Send the event to POST /v1/sdk/events, or to a stream of your own."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "event_log_stream",
            "status": 409,
            "meaning": "The stream is the event log of a system, and takes events through POST /v1/sdk/events only.",
            "retryable": False,
            "action": "Send the event to POST /v1/sdk/events, or to a stream of your own.",
        },
    },
    "policy_id_taken": {
        "summary": "Status 409. The policy id is built in, and cannot be declared.",
        "points": [
            {"title": "What to do", "text": "Choose another id."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "policy_id_taken",
            "status": 409,
            "meaning": "The policy id is built in, and cannot be declared.",
            "retryable": False,
            "action": "Choose another id.",
        },
    },
    "evidence_missing": {
        "summary": "Status 409. The range does not have all its evidence yet.",
        "points": [
            {
                "title": "What to do",
                "text": "Ask for a range that ends at the last sealed event or before it, or ask again once the range is sealed.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "evidence_missing",
            "status": 409,
            "meaning": "The range does not have all its evidence yet.",
            "retryable": False,
            "action": "Ask for a range that ends at the last sealed event or before it, or ask again once the range is sealed.",
        },
    },
    "export_not_ready": {
        "summary": "Status 409. The package of the export has not been built yet.",
        "points": [
            {
                "title": "What to do",
                "text": "Ask for the state of the export until its package is built, then for the package.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "export_not_ready",
            "status": 409,
            "meaning": "The package of the export has not been built yet.",
            "retryable": False,
            "action": "Ask for the state of the export until its package is built, then for the package.",
        },
    },
    "export_failed": {
        "summary": "Status 409. The package of the export could not be built.",
        "points": [
            {
                "title": "What to do",
                "text": "Ask for a new export; if that fails too, tell the operator, whose log has the reason.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "export_failed",
            "status": 409,
            "meaning": "The package of the export could not be built.",
            "retryable": False,
            "action": "Ask for a new export; if that fails too, tell the operator, whose log has the reason.",
        },
    },
    "too_many_exports": {
        "summary": "Status 409. The system, or its tenant, has as many exports as are kept at a time.",
        "points": [
            {"title": "What to do", "text": "Wait until one is done, or delete one that you no longer need."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "too_many_exports",
            "status": 409,
            "meaning": "The system, or its tenant, has as many exports as are kept at a time.",
            "retryable": False,
            "action": "Wait until one is done, or delete one that you no longer need.",
        },
    },
    "challenge_missing": {
        "summary": "Status 409. The package was built by a release that gave no challenge, so that nobody can show that they hold it.",
        "points": [
            {"title": "What to do", "text": "Ask for a new export, and report on that one."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "challenge_missing",
            "status": 409,
            "meaning": "The package was built by a release that gave no challenge, so that nobody can show that they hold it.",
            "retryable": False,
            "action": "Ask for a new export, and report on that one.",
        },
    },
    "too_many_forks": {
        "summary": "Status 409. As much evidence of forks of the stream is kept as is taken: its bundles are rejected already.",
        "points": [
            {
                "title": "What to do",
                "text": "Keep your evidence, and show it to those who rely on the stream: the service needs no more of it.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "too_many_forks",
            "status": 409,
            "meaning": "As much evidence of forks of the stream is kept as is taken: its bundles are rejected already.",
            "retryable": False,
            "action": "Keep your evidence, and show it to those who rely on the stream: the service needs no more of it.",
        },
    },
    "too_many_verifiers": {
        "summary": "Status 409. Reports of as many verifiers on the access are recorded as are taken.",
        "points": [
            {"title": "What to do", "text": "Download the package again, and report on that access."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "too_many_verifiers",
            "status": 409,
            "meaning": "Reports of as many verifiers on the access are recorded as are taken.",
            "retryable": False,
            "action": "Download the package again, and report on that access.",
        },
    },
    "export_deleted": {
        "summary": "Status 410. The package of the export is no longer here.",
        "points": [
            {"title": "What to do", "text": "Ask for a new export."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "export_deleted",
            "status": 410,
            "meaning": "The package of the export is no longer here.",
            "retryable": False,
            "action": "Ask for a new export.",
        },
    },
    "ticket_expired": {
        "summary": "Status 410. The time of the ticket is over.",
        "points": [
            {"title": "What to do", "text": "Prepare another download."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "ticket_expired",
            "status": 410,
            "meaning": "The time of the ticket is over.",
            "retryable": False,
            "action": "Prepare another download.",
        },
    },
    "ticket_used": {
        "summary": "Status 410. The ticket has been used, and the request does not go on with its download.",
        "points": [
            {
                "title": "What to do",
                "text": "Send Range and If-Range to go on with the download of this ticket, or prepare another one.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "ticket_used",
            "status": 410,
            "meaning": "The ticket has been used, and the request does not go on with its download.",
            "retryable": False,
            "action": "Send Range and If-Range to go on with the download of this ticket, or prepare another one.",
        },
    },
    "body_too_large": {
        "summary": "Status 413. The body is larger than the route takes.",
        "points": [
            {"title": "What to do", "text": "Send the body in smaller parts."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "body_too_large",
            "status": 413,
            "meaning": "The body is larger than the route takes.",
            "retryable": False,
            "action": "Send the body in smaller parts.",
        },
    },
    "object_too_complex": {
        "summary": "Status 413. The object needs more memory or time to verify than the server gives to one.",
        "points": [
            {"title": "What to do", "text": "Verify it with svc verify, which has no such bound."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "object_too_complex",
            "status": 413,
            "meaning": "The object needs more memory or time to verify than the server gives to one.",
            "retryable": False,
            "action": "Verify it with svc verify, which has no such bound.",
        },
    },
    "payload_too_large": {
        "summary": "Status 413. A payload is larger than 256 KiB in canonical form.",
        "points": [
            {"title": "What to do", "text": "Record a hash of the large part, and keep the part itself elsewhere."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "payload_too_large",
            "status": 413,
            "meaning": "A payload is larger than 256 KiB in canonical form.",
            "retryable": False,
            "action": "Record a hash of the large part, and keep the part itself elsewhere.",
        },
    },
    "unsupported_media_type": {
        "summary": "Status 415. The body is not sent as plain application/json.",
        "points": [
            {
                "title": "What to do",
                "text": "Send the header Content-Type: application/json, without a Content-Encoding.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "unsupported_media_type",
            "status": 415,
            "meaning": "The body is not sent as plain application/json.",
            "retryable": False,
            "action": "Send the header Content-Type: application/json, without a Content-Encoding.",
        },
    },
    "range_not_satisfiable": {
        "summary": "Status 416. The Range begins behind the end of the package.",
        "points": [
            {
                "title": "What to do",
                "text": "Compare what you have with the length of the package: the download may be whole already.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "range_not_satisfiable",
            "status": 416,
            "meaning": "The Range begins behind the end of the package.",
            "retryable": False,
            "action": "Compare what you have with the length of the package: the download may be whole already.",
        },
    },
    "expectation_failed": {
        "summary": "Status 417. The Expect header asks for something else than 100-continue.",
        "points": [
            {"title": "What to do", "text": "Send Expect: 100-continue, or no such header."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "expectation_failed",
            "status": 417,
            "meaning": "The Expect header asks for something else than 100-continue.",
            "retryable": False,
            "action": "Send Expect: 100-continue, or no such header.",
        },
    },
    "invalid_request": {
        "summary": "Status 422. The request breaks the route's contract.",
        "points": [
            {"title": "What to do", "text": "Correct what each entry of problems names, by the place in its path."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "invalid_request",
            "status": 422,
            "meaning": "The request breaks the route's contract.",
            "retryable": False,
            "action": "Correct what each entry of problems names, by the place in its path.",
        },
    },
    "timezone_required": {
        "summary": "Status 422. An occurred_at has no offset from UTC.",
        "points": [
            {"title": "What to do", "text": "Send the time with its offset, as 2026-03-01T10:15:30+01:00, or with Z."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "timezone_required",
            "status": 422,
            "meaning": "An occurred_at has no offset from UTC.",
            "retryable": False,
            "action": "Send the time with its offset, as 2026-03-01T10:15:30+01:00, or with Z.",
        },
    },
    "wrong_kind": {
        "summary": "Status 422. The object is of another kind than the route verifies.",
        "points": [
            {
                "title": "What to do",
                "text": "Send the object to the route of its kind, or to POST /v2/verify, which takes every kind.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "wrong_kind",
            "status": 422,
            "meaning": "The object is of another kind than the route verifies.",
            "retryable": False,
            "action": "Send the object to the route of its kind, or to POST /v2/verify, which takes every kind.",
        },
    },
    "fork_not_proved": {
        "summary": "Status 422. The evidence of a fork does not hold.",
        "points": [
            {"title": "What to do", "text": "Verify the evidence with svc forks verify, which says what does not hold."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "fork_not_proved",
            "status": 422,
            "meaning": "The evidence of a fork does not hold.",
            "retryable": False,
            "action": "Verify the evidence with svc forks verify, which says what does not hold.",
        },
    },
    "fork_untrusted": {
        "summary": "Status 422. The evidence of a fork holds, and not under keys of this service or of a witness of the stream.",
        "points": [
            {
                "title": "What to do",
                "text": "Check which service or witness signed the two sides, and hand the evidence in there.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "fork_untrusted",
            "status": 422,
            "meaning": "The evidence of a fork holds, and not under keys of this service or of a witness of the stream.",
            "retryable": False,
            "action": "Check which service or witness signed the two sides, and hand the evidence in there.",
        },
    },
    "fork_foreign": {
        "summary": "Status 422. The evidence of a fork is about a stream or a log of another service.",
        "points": [
            {"title": "What to do", "text": "Hand the evidence in at the service that it is about."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "fork_foreign",
            "status": 422,
            "meaning": "The evidence of a fork is about a stream or a log of another service.",
            "retryable": False,
            "action": "Hand the evidence in at the service that it is about.",
        },
    },
    "checkpoint_not_earlier": {
        "summary": "Status 422. The two checkpoints are not an earlier and a later one of one stream.",
        "points": [
            {"title": "What to do", "text": "Name the earlier checkpoint first, and both of the same stream."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "checkpoint_not_earlier",
            "status": 422,
            "meaning": "The two checkpoints are not an earlier and a later one of one stream.",
            "retryable": False,
            "action": "Name the earlier checkpoint first, and both of the same stream.",
        },
    },
    "witness_keys_missing": {
        "summary": "Status 422. The witness policy is independent, and lists no witness.",
        "points": [
            {"title": "What to do", "text": "List at least one witness with its key, or choose another mode."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "witness_keys_missing",
            "status": 422,
            "meaning": "The witness policy is independent, and lists no witness.",
            "retryable": False,
            "action": "List at least one witness with its key, or choose another mode.",
        },
    },
    "witness_threshold_unreachable": {
        "summary": "Status 422. The witness policy asks for more cosignatures than it lists witnesses.",
        "points": [
            {"title": "What to do", "text": "Lower the threshold, or list more witnesses."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "witness_threshold_unreachable",
            "status": 422,
            "meaning": "The witness policy asks for more cosignatures than it lists witnesses.",
            "retryable": False,
            "action": "Lower the threshold, or list more witnesses.",
        },
    },
    "witness_key_repeated": {
        "summary": "Status 422. A public key stands twice in the witness policy.",
        "points": [
            {"title": "What to do", "text": "List each key once."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "witness_key_repeated",
            "status": 422,
            "meaning": "A public key stands twice in the witness policy.",
            "retryable": False,
            "action": "List each key once.",
        },
    },
    "witness_name_repeated": {
        "summary": "Status 422. Two witnesses of the witness policy sign under one name.",
        "points": [
            {"title": "What to do", "text": "Give each witness the name that it signs under."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "witness_name_repeated",
            "status": 422,
            "meaning": "Two witnesses of the witness policy sign under one name.",
            "retryable": False,
            "action": "Give each witness the name that it signs under.",
        },
    },
    "witness_epochs_overlap": {
        "summary": "Status 422. Two keys of one witness have one epoch, or times that overlap or are not in the order of their epochs.",
        "points": [
            {
                "title": "What to do",
                "text": "Number the keys of a witness in the order of their times, and end each before the next one begins.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "witness_epochs_overlap",
            "status": 422,
            "meaning": "Two keys of one witness have one epoch, or times that overlap or are not in the order of their epochs.",
            "retryable": False,
            "action": "Number the keys of a witness in the order of their times, and end each before the next one begins.",
        },
    },
    "witness_validity_backwards": {
        "summary": "Status 422. The time of a witness's key ends before it begins.",
        "points": [
            {"title": "What to do", "text": "Correct the two times: valid_from comes before valid_to."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "witness_validity_backwards",
            "status": 422,
            "meaning": "The time of a witness's key ends before it begins.",
            "retryable": False,
            "action": "Correct the two times: valid_from comes before valid_to.",
        },
    },
    "witness_not_managed": {
        "summary": "Status 422. A key is said to be the service's own witness, and is another key or has another name.",
        "points": [
            {
                "title": "What to do",
                "text": "Leave managed out for witnesses of others, or give the name and the key of the service's own one.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "witness_not_managed",
            "status": 422,
            "meaning": "A key is said to be the service's own witness, and is another key or has another name.",
            "retryable": False,
            "action": "Leave managed out for witnesses of others, or give the name and the key of the service's own one.",
        },
    },
    "witness_not_independent": {
        "summary": "Status 422. A key is one by which this service seals, or its own witness where the witness policy counts it as an outside one.",
        "points": [
            {"title": "What to do", "text": "Take the key out, or say that it is managed, in mode managed-shadow."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "witness_not_independent",
            "status": 422,
            "meaning": "A key is one by which this service seals, or its own witness where the witness policy counts it as an outside one.",
            "retryable": False,
            "action": "Take the key out, or say that it is managed, in mode managed-shadow.",
        },
    },
    "anchor_not_earlier": {
        "summary": "Status 422. The two anchors are not an earlier and a later epoch.",
        "points": [
            {"title": "What to do", "text": "Name the earlier epoch first."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "anchor_not_earlier",
            "status": 422,
            "meaning": "The two anchors are not an earlier and a later epoch.",
            "retryable": False,
            "action": "Name the earlier epoch first.",
        },
    },
    "range_too_large": {
        "summary": "Status 422. The range holds more events than one audit pack or export may.",
        "points": [
            {"title": "What to do", "text": "Ask for several smaller ranges, which join without a gap."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "range_too_large",
            "status": 422,
            "meaning": "The range holds more events than one audit pack or export may.",
            "retryable": False,
            "action": "Ask for several smaller ranges, which join without a gap.",
        },
    },
    "export_empty": {
        "summary": "Status 422. No event is in what the export is asked for.",
        "points": [
            {"title": "What to do", "text": "Widen the range, or export when there are events."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "export_empty",
            "status": 422,
            "meaning": "No event is in what the export is asked for.",
            "retryable": False,
            "action": "Widen the range, or export when there are events.",
        },
    },
    "report_not_ok": {
        "summary": "Status 422. The report says that the package did not verify.",
        "points": [
            {
                "title": "What to do",
                "text": "If the file is the one that you downloaded, keep it with the report, and tell the operator.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "report_not_ok",
            "status": 422,
            "meaning": "The report says that the package did not verify.",
            "retryable": False,
            "action": "If the file is the one that you downloaded, keep it with the report, and tell the operator.",
        },
    },
    "report_mismatch": {
        "summary": "Status 422. The report is about another package or access than the export's, or does not show that the package is held.",
        "points": [
            {
                "title": "What to do",
                "text": "Verify the file that you downloaded, with the access id and the challenge of its ticket, and send that report.",
            },
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "report_mismatch",
            "status": 422,
            "meaning": "The report is about another package or access than the export's, or does not show that the package is held.",
            "retryable": False,
            "action": "Verify the file that you downloaded, with the access id and the challenge of its ticket, and send that report.",
        },
    },
    "rate_limited": {
        "summary": "Status 429. Too many requests of one key, or from one address. Retry-After says when to try again.",
        "points": [
            {
                "title": "What to do",
                "text": "Wait as long as Retry-After says, then send the same request; send several events in one request.",
            },
            {
                "title": "To send it again",
                "text": "the same request may succeed later, not before the time in Retry-After.",
            },
        ],
        "facts": {
            "code": "rate_limited",
            "status": 429,
            "meaning": "Too many requests of one key, or from one address. Retry-After says when to try again.",
            "retryable": True,
            "action": "Wait as long as Retry-After says, then send the same request; send several events in one request.",
        },
    },
    "key_busy": {
        "summary": "Status 429. The key has as many packs, or large bodies, under way as it may. Retry-After says when to try again.",
        "points": [
            {
                "title": "What to do",
                "text": "Wait as long as Retry-After says, then send the same request; send fewer of them at once.",
            },
            {
                "title": "To send it again",
                "text": "the same request may succeed later, not before the time in Retry-After.",
            },
        ],
        "facts": {
            "code": "key_busy",
            "status": 429,
            "meaning": "The key has as many packs, or large bodies, under way as it may. Retry-After says when to try again.",
            "retryable": True,
            "action": "Wait as long as Retry-After says, then send the same request; send fewer of them at once.",
        },
    },
    "headers_too_large": {
        "summary": "Status 431. The request line and the headers are longer than the server reads.",
        "points": [
            {"title": "What to do", "text": "Send fewer or shorter headers, and a shorter query."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "headers_too_large",
            "status": 431,
            "meaning": "The request line and the headers are longer than the server reads.",
            "retryable": False,
            "action": "Send fewer or shorter headers, and a shorter query.",
        },
    },
    "internal_error": {
        "summary": "Status 500. The server failed. Its log has the request id.",
        "points": [
            {
                "title": "What to do",
                "text": "Send the same request again; if it fails again, give the operator the request id.",
            },
            {"title": "To send it again", "text": "the same request may succeed later."},
        ],
        "facts": {
            "code": "internal_error",
            "status": 500,
            "meaning": "The server failed. Its log has the request id.",
            "retryable": True,
            "action": "Send the same request again; if it fails again, give the operator the request id.",
        },
    },
    "archive_damaged": {
        "summary": "Status 500. The file of the archive that holds a payload is not the one that was written.",
        "points": [
            {
                "title": "What to do",
                "text": "Tell the operator to put the original file of the archive back; keep your receipts.",
            },
            {"title": "To send it again", "text": "the same request may succeed later."},
        ],
        "facts": {
            "code": "archive_damaged",
            "status": 500,
            "meaning": "The file of the archive that holds a payload is not the one that was written.",
            "retryable": True,
            "action": "Tell the operator to put the original file of the archive back; keep your receipts.",
        },
    },
    "transfer_coding_unsupported": {
        "summary": "Status 501. The body is sent in another transfer coding than chunked.",
        "points": [
            {"title": "What to do", "text": "Send Transfer-Encoding: chunked, or a Content-Length."},
            {
                "title": "To send it again",
                "text": "not as it is: the answer stays until the request, or what it is about, has changed.",
            },
        ],
        "facts": {
            "code": "transfer_coding_unsupported",
            "status": 501,
            "meaning": "The body is sent in another transfer coding than chunked.",
            "retryable": False,
            "action": "Send Transfer-Encoding: chunked, or a Content-Length.",
        },
    },
    "verifier_busy": {
        "summary": "Status 503. Other large objects are being verified. Retry-After says when to try again.",
        "points": [
            {
                "title": "What to do",
                "text": "Wait as long as Retry-After says, then send it again; svc verify checks it on your own machine.",
            },
            {"title": "To send it again", "text": "the same request may succeed later."},
        ],
        "facts": {
            "code": "verifier_busy",
            "status": 503,
            "meaning": "Other large objects are being verified. Retry-After says when to try again.",
            "retryable": True,
            "action": "Wait as long as Retry-After says, then send it again; svc verify checks it on your own machine.",
        },
    },
    "store_unavailable": {
        "summary": "Status 503. The database could not be read or written, or not in time. Nothing was recorded; try again.",
        "points": [
            {"title": "What to do", "text": "Send the same request again; if it goes on, tell the operator."},
            {"title": "To send it again", "text": "the same request may succeed later."},
        ],
        "facts": {
            "code": "store_unavailable",
            "status": 503,
            "meaning": "The database could not be read or written, or not in time. Nothing was recorded; try again.",
            "retryable": True,
            "action": "Send the same request again; if it goes on, tell the operator.",
        },
    },
    "store_uncertain": {
        "summary": "Status 503. The disk failed: the request may have been recorded. Send it again with its Idempotency-Key.",
        "points": [
            {
                "title": "What to do",
                "text": "Send the same request again under its Idempotency-Key: it is recorded once.",
            },
            {"title": "To send it again", "text": "the same request may succeed later."},
        ],
        "facts": {
            "code": "store_uncertain",
            "status": 503,
            "meaning": "The disk failed: the request may have been recorded. Send it again with its Idempotency-Key.",
            "retryable": True,
            "action": "Send the same request again under its Idempotency-Key: it is recorded once.",
        },
    },
    "store_full": {
        "summary": "Status 503. The disk behind the database is full. Nothing was recorded; reading goes on.",
        "points": [
            {"title": "What to do", "text": "Tell the operator to make room, then send the same request again."},
            {"title": "To send it again", "text": "the same request may succeed later."},
        ],
        "facts": {
            "code": "store_full",
            "status": 503,
            "meaning": "The disk behind the database is full. Nothing was recorded; reading goes on.",
            "retryable": True,
            "action": "Tell the operator to make room, then send the same request again.",
        },
    },
    "archive_unavailable": {
        "summary": "Status 503. The file of the archive that holds a payload cannot be read. Nothing is lost as long as it exists.",
        "points": [
            {
                "title": "What to do",
                "text": "Tell the operator to bring the folder of the archive back, then ask again.",
            },
            {"title": "To send it again", "text": "the same request may succeed later."},
        ],
        "facts": {
            "code": "archive_unavailable",
            "status": 503,
            "meaning": "The file of the archive that holds a payload cannot be read. Nothing is lost as long as it exists.",
            "retryable": True,
            "action": "Tell the operator to bring the folder of the archive back, then ask again.",
        },
    },
}

CHECKS: dict[str, Any] = {
    "json": {
        "summary": "The bytes are one JSON text that every reader reads alike.",
        "points": [
            {
                "title": "Codes",
                "text": "`json_malformed`, `duplicate_name`, `lossy_number`, `invalid_unicode`, `too_deep`.",
            },
            {"title": "Kinds", "text": "every kind."},
            {"title": "Protocol", "text": "section 2."},
        ],
        "facts": {
            "check": "json",
            "meaning": "The bytes are one JSON text that every reader reads alike.",
            "codes": ["json_malformed", "duplicate_name", "lossy_number", "invalid_unicode", "too_deep"],
            "kinds": [
                "receipt",
                "portable-receipt",
                "stream",
                "window",
                "inclusion",
                "checkpoint",
                "consistency",
                "witness",
                "anchor",
                "fork",
                "key",
                "bundle",
                "truth-package",
                "envelope",
                "vault-attestation",
                "provenance-inclusion",
                "disclosure",
                "key-status",
                "provider-result",
                "ivc-epoch",
            ],
            "section": 2,
        },
    },
    "shape": {
        "summary": "Every part has the form that the protocol gives it, and nothing else is there.",
        "points": [
            {
                "title": "Codes",
                "text": "`unknown_member`, `missing_member`, `malformed`, `unsupported_object`, `provenance_metadata_not_permitted`.",
            },
            {"title": "Kinds", "text": "every kind."},
            {"title": "Protocol", "text": "section 16."},
        ],
        "facts": {
            "check": "shape",
            "meaning": "Every part has the form that the protocol gives it, and nothing else is there.",
            "codes": ["unknown_member", "missing_member", "malformed", "unsupported_object", "provenance_metadata_not_permitted"],
            "kinds": [
                "receipt",
                "portable-receipt",
                "stream",
                "window",
                "inclusion",
                "checkpoint",
                "consistency",
                "witness",
                "anchor",
                "fork",
                "key",
                "bundle",
                "truth-package",
                "envelope",
                "vault-attestation",
                "provenance-inclusion",
                "disclosure",
                "key-status",
                "provider-result",
                "ivc-epoch",
            ],
            "section": 16,
        },
    },
    "archive": {
        "summary": "The package is a ZIP archive that can be unpacked without danger, and holds what it lists.",
        "points": [
            {
                "title": "Codes",
                "text": "`archive_malformed`, `archive_path_forbidden`, `archive_entry_unlisted`, `archive_entry_missing`, `archive_too_large`.",
            },
            {"title": "Kinds", "text": "`truth-package`."},
            {"title": "Protocol", "text": "section 15."},
        ],
        "facts": {
            "check": "archive",
            "meaning": "The package is a ZIP archive that can be unpacked without danger, and holds what it lists.",
            "codes": [
                "archive_malformed",
                "archive_path_forbidden",
                "archive_entry_unlisted",
                "archive_entry_missing",
                "archive_too_large",
            ],
            "kinds": ["truth-package"],
            "section": 15,
        },
    },
    "manifest": {
        "summary": "The parts of the file are those that its manifest names by their hashes.",
        "points": [
            {"title": "Codes", "text": "`artifact_hash_mismatch`."},
            {"title": "Kinds", "text": "`bundle`, `truth-package`."},
            {"title": "Protocol", "text": "section 14."},
        ],
        "facts": {
            "check": "manifest",
            "meaning": "The parts of the file are those that its manifest names by their hashes.",
            "codes": ["artifact_hash_mismatch"],
            "kinds": ["bundle", "truth-package"],
            "section": 14,
        },
    },
    "payload_hash": {
        "summary": "Each payload is the one whose hash was recorded.",
        "points": [
            {"title": "Codes", "text": "`payload_hash_mismatch`."},
            {
                "title": "Kinds",
                "text": "`receipt`, `portable-receipt`, `stream`, `bundle`, `truth-package`, `disclosure`.",
            },
            {"title": "Protocol", "text": "section 7."},
        ],
        "facts": {
            "check": "payload_hash",
            "meaning": "Each payload is the one whose hash was recorded.",
            "codes": ["payload_hash_mismatch"],
            "kinds": ["receipt", "portable-receipt", "stream", "bundle", "truth-package", "disclosure"],
            "section": 7,
        },
    },
    "event_hash": {
        "summary": "Each event's own data gives its hash, which holds that of the event before.",
        "points": [
            {"title": "Codes", "text": "`event_hash_mismatch`, `head_hash_mismatch`."},
            {
                "title": "Kinds",
                "text": "`receipt`, `portable-receipt`, `stream`, `bundle`, `truth-package`, `disclosure`.",
            },
            {"title": "Protocol", "text": "section 7."},
        ],
        "facts": {
            "check": "event_hash",
            "meaning": "Each event's own data gives its hash, which holds that of the event before.",
            "codes": ["event_hash_mismatch", "head_hash_mismatch"],
            "kinds": ["receipt", "portable-receipt", "stream", "bundle", "truth-package", "disclosure"],
            "section": 7,
        },
    },
    "sequence": {
        "summary": "Events follow each other by number, by hash and in time.",
        "points": [
            {"title": "Codes", "text": "`previous_hash_mismatch`, `sequence_broken`, `stream_mismatch`."},
            {"title": "Kinds", "text": "`stream`, `bundle`, `truth-package`."},
            {"title": "Protocol", "text": "section 7."},
        ],
        "facts": {
            "check": "sequence",
            "meaning": "Events follow each other by number, by hash and in time.",
            "codes": ["previous_hash_mismatch", "sequence_broken", "stream_mismatch"],
            "kinds": ["stream", "bundle", "truth-package"],
            "section": 7,
        },
    },
    "receipt_signature": {
        "summary": "The service signed each receipt.",
        "points": [
            {"title": "Codes", "text": "`signature_invalid`."},
            {
                "title": "Kinds",
                "text": "`receipt`, `portable-receipt`, `stream`, `bundle`, `truth-package`, `disclosure`.",
            },
            {"title": "Protocol", "text": "section 7."},
        ],
        "facts": {
            "check": "receipt_signature",
            "meaning": "The service signed each receipt.",
            "codes": ["signature_invalid"],
            "kinds": ["receipt", "portable-receipt", "stream", "bundle", "truth-package", "disclosure"],
            "section": 7,
        },
    },
    "inclusion": {
        "summary": "Each inclusion proof leads from its event to the window's root.",
        "points": [
            {"title": "Codes", "text": "`inclusion_invalid`."},
            {
                "title": "Kinds",
                "text": "`portable-receipt`, `window`, `inclusion`, `bundle`, `truth-package`, `disclosure`.",
            },
            {"title": "Protocol", "text": "section 8."},
        ],
        "facts": {
            "check": "inclusion",
            "meaning": "Each inclusion proof leads from its event to the window's root.",
            "codes": ["inclusion_invalid"],
            "kinds": ["portable-receipt", "window", "inclusion", "bundle", "truth-package", "disclosure"],
            "section": 8,
        },
    },
    "window_root": {
        "summary": "The events of each window give its Merkle root.",
        "points": [
            {"title": "Codes", "text": "`window_root_mismatch`."},
            {"title": "Kinds", "text": "`window`, `bundle`, `truth-package`."},
            {"title": "Protocol", "text": "section 8."},
        ],
        "facts": {
            "check": "window_root",
            "meaning": "The events of each window give its Merkle root.",
            "codes": ["window_root_mismatch"],
            "kinds": ["window", "bundle", "truth-package"],
            "section": 8,
        },
    },
    "window_seal": {
        "summary": "The service signed each window.",
        "points": [
            {"title": "Codes", "text": "none of its own; what it finds has a code of another check."},
            {"title": "Kinds", "text": "`portable-receipt`, `window`, `bundle`, `truth-package`, `disclosure`."},
            {"title": "Protocol", "text": "section 8."},
        ],
        "facts": {
            "check": "window_seal",
            "meaning": "The service signed each window.",
            "codes": [],
            "kinds": ["portable-receipt", "window", "bundle", "truth-package", "disclosure"],
            "section": 8,
        },
    },
    "window_tiling": {
        "summary": "The windows follow each other without gap and without overlap.",
        "points": [
            {"title": "Codes", "text": "none of its own; what it finds has a code of another check."},
            {"title": "Kinds", "text": "`bundle`, `truth-package`."},
            {"title": "Protocol", "text": "section 8."},
        ],
        "facts": {
            "check": "window_tiling",
            "meaning": "The windows follow each other without gap and without overlap.",
            "codes": [],
            "kinds": ["bundle", "truth-package"],
            "section": 8,
        },
    },
    "completeness": {
        "summary": "Every event of the range is there: none missing, none added.",
        "points": [
            {"title": "Codes", "text": "`range_incomplete`."},
            {"title": "Kinds", "text": "`bundle`, `truth-package`."},
            {"title": "Protocol", "text": "section 14."},
        ],
        "facts": {
            "check": "completeness",
            "meaning": "Every event of the range is there: none missing, none added.",
            "codes": ["range_incomplete"],
            "kinds": ["bundle", "truth-package"],
            "section": 14,
        },
    },
    "checkpoint_root": {
        "summary": "The windows under each checkpoint give its Merkle root.",
        "points": [
            {"title": "Codes", "text": "`checkpoint_root_mismatch`, `checkpoint_window_mismatch`."},
            {
                "title": "Kinds",
                "text": "`portable-receipt`, `checkpoint`, `consistency`, `bundle`, `truth-package`, `disclosure`, `ivc-epoch`.",
            },
            {"title": "Protocol", "text": "section 9."},
        ],
        "facts": {
            "check": "checkpoint_root",
            "meaning": "The windows under each checkpoint give its Merkle root.",
            "codes": ["checkpoint_root_mismatch", "checkpoint_window_mismatch"],
            "kinds": ["portable-receipt", "checkpoint", "consistency", "bundle", "truth-package", "disclosure", "ivc-epoch"],
            "section": 9,
        },
    },
    "checkpoint_chain": {
        "summary": "Each checkpoint names the one before it, and grew out of it.",
        "points": [
            {"title": "Codes", "text": "`previous_checkpoint_mismatch`, `checkpoint_stale`, `origin_changed`."},
            {"title": "Kinds", "text": "`consistency`, `bundle`, `truth-package`, `ivc-epoch`."},
            {"title": "Protocol", "text": "section 9."},
        ],
        "facts": {
            "check": "checkpoint_chain",
            "meaning": "Each checkpoint names the one before it, and grew out of it.",
            "codes": ["previous_checkpoint_mismatch", "checkpoint_stale", "origin_changed"],
            "kinds": ["consistency", "bundle", "truth-package", "ivc-epoch"],
            "section": 9,
        },
    },
    "checkpoint_seal": {
        "summary": "The service signed each checkpoint.",
        "points": [
            {"title": "Codes", "text": "none of its own; what it finds has a code of another check."},
            {
                "title": "Kinds",
                "text": "`portable-receipt`, `checkpoint`, `consistency`, `bundle`, `truth-package`, `disclosure`, `ivc-epoch`.",
            },
            {"title": "Protocol", "text": "section 9."},
        ],
        "facts": {
            "check": "checkpoint_seal",
            "meaning": "The service signed each checkpoint.",
            "codes": [],
            "kinds": ["portable-receipt", "checkpoint", "consistency", "bundle", "truth-package", "disclosure", "ivc-epoch"],
            "section": 9,
        },
    },
    "note": {
        "summary": "The checkpoint's signed note, which witnesses cosign, says the same as the checkpoint.",
        "points": [
            {"title": "Codes", "text": "`note_malformed`, `note_mismatch`."},
            {
                "title": "Kinds",
                "text": "`portable-receipt`, `checkpoint`, `consistency`, `anchor`, `bundle`, `truth-package`, `disclosure`, `ivc-epoch`.",
            },
            {"title": "Protocol", "text": "section 9."},
        ],
        "facts": {
            "check": "note",
            "meaning": "The checkpoint's signed note, which witnesses cosign, says the same as the checkpoint.",
            "codes": ["note_malformed", "note_mismatch"],
            "kinds": [
                "portable-receipt",
                "checkpoint",
                "consistency",
                "anchor",
                "bundle",
                "truth-package",
                "disclosure",
                "ivc-epoch",
            ],
            "section": 9,
        },
    },
    "consistency": {
        "summary": "The later one extends the earlier one: nothing before it was changed.",
        "points": [
            {"title": "Codes", "text": "`consistency_invalid`."},
            {"title": "Kinds", "text": "`consistency`."},
            {"title": "Protocol", "text": "section 9."},
        ],
        "facts": {
            "check": "consistency",
            "meaning": "The later one extends the earlier one: nothing before it was changed.",
            "codes": ["consistency_invalid"],
            "kinds": ["consistency"],
            "section": 9,
        },
    },
    "policy": {
        "summary": "The policies that windows and checkpoints name are there, and are those.",
        "points": [
            {
                "title": "Codes",
                "text": "`policy_digest_mismatch`, `policy_changed`, `policy_version_decreased`, `witness_not_independent`.",
            },
            {"title": "Kinds", "text": "`portable-receipt`, `bundle`, `truth-package`, `disclosure`."},
            {"title": "Protocol", "text": "section 6."},
        ],
        "facts": {
            "check": "policy",
            "meaning": "The policies that windows and checkpoints name are there, and are those.",
            "codes": ["policy_digest_mismatch", "policy_changed", "policy_version_decreased", "witness_not_independent"],
            "kinds": ["portable-receipt", "bundle", "truth-package", "disclosure"],
            "section": 6,
        },
    },
    "witness": {
        "summary": "Each cosignature is by a witness of the policy, and enough of them are there.",
        "points": [
            {
                "title": "Codes",
                "text": "`witness_signature_invalid`, `witness_key_epoch_invalid`, `witness_statement_mismatch`, `witness_quorum_unmet`.",
            },
            {
                "title": "Kinds",
                "text": "`portable-receipt`, `checkpoint`, `consistency`, `witness`, `bundle`, `truth-package`, `disclosure`, `ivc-epoch`.",
            },
            {"title": "Protocol", "text": "section 10."},
        ],
        "facts": {
            "check": "witness",
            "meaning": "Each cosignature is by a witness of the policy, and enough of them are there.",
            "codes": [
                "witness_signature_invalid",
                "witness_key_epoch_invalid",
                "witness_statement_mismatch",
                "witness_quorum_unmet",
            ],
            "kinds": [
                "portable-receipt",
                "checkpoint",
                "consistency",
                "witness",
                "bundle",
                "truth-package",
                "disclosure",
                "ivc-epoch",
            ],
            "section": 10,
        },
    },
    "anchor": {
        "summary": "Each anchor leads from the checkpoint to the block that it names.",
        "points": [
            {"title": "Codes", "text": "`anchor_missing`, `anchor_does_not_bind`, `anchor_evidence_invalid`."},
            {
                "title": "Kinds",
                "text": "`portable-receipt`, `consistency` over anchors, `anchor`, `bundle`, `truth-package`, `disclosure`.",
            },
            {"title": "Protocol", "text": "section 12."},
        ],
        "facts": {
            "check": "anchor",
            "meaning": "Each anchor leads from the checkpoint to the block that it names.",
            "codes": ["anchor_missing", "anchor_does_not_bind", "anchor_evidence_invalid"],
            "kinds": ["portable-receipt", "consistency", "anchor", "bundle", "truth-package", "disclosure"],
            "section": 12,
        },
    },
    "fork": {
        "summary": "Two statements that were both signed cannot both be true.",
        "points": [
            {"title": "Codes", "text": "`fork_evidence_invalid`, `fork_detected`."},
            {"title": "Kinds", "text": "`fork`, `bundle`, `truth-package`."},
            {"title": "Protocol", "text": "section 11."},
        ],
        "facts": {
            "check": "fork",
            "meaning": "Two statements that were both signed cannot both be true.",
            "codes": ["fork_evidence_invalid", "fork_detected"],
            "kinds": ["fork", "bundle", "truth-package"],
            "section": 11,
        },
    },
    "bundle_seal": {
        "summary": "The service signed the whole.",
        "points": [
            {"title": "Codes", "text": "none of its own; what it finds has a code of another check."},
            {"title": "Kinds", "text": "`bundle`, `truth-package`, `provenance-inclusion`."},
            {"title": "Protocol", "text": "section 14."},
        ],
        "facts": {
            "check": "bundle_seal",
            "meaning": "The service signed the whole.",
            "codes": [],
            "kinds": ["bundle", "truth-package", "provenance-inclusion"],
            "section": 14,
        },
    },
    "export": {
        "summary": "The table of events is the one that the proofs give.",
        "points": [
            {"title": "Codes", "text": "`export_mismatch`."},
            {"title": "Kinds", "text": "`truth-package`."},
            {"title": "Protocol", "text": "section 15."},
        ],
        "facts": {
            "check": "export",
            "meaning": "The table of events is the one that the proofs give.",
            "codes": ["export_mismatch"],
            "kinds": ["truth-package"],
            "section": 15,
        },
    },
    "envelope": {
        "summary": "Each envelope is as its vault sealed it; a record and a content beside it are its own.",
        "points": [
            {
                "title": "Codes",
                "text": "`envelope_signature_invalid`, `envelope_record_mismatch`, `provenance_envelope_missing`, `content_hash_mismatch`, `capsule_path_invalid`, `vault_clock_ahead`.",
            },
            {
                "title": "Kinds",
                "text": "`bundle` of envelopes, `truth-package` with a bundle of envelopes, `envelope`, `disclosure`.",
            },
            {"title": "Protocol", "text": "section 20."},
        ],
        "facts": {
            "check": "envelope",
            "meaning": "Each envelope is as its vault sealed it; a record and a content beside it are its own.",
            "codes": [
                "envelope_signature_invalid",
                "envelope_record_mismatch",
                "provenance_envelope_missing",
                "content_hash_mismatch",
                "capsule_path_invalid",
                "vault_clock_ahead",
            ],
            "kinds": ["bundle", "truth-package", "envelope", "disclosure"],
            "section": 20,
        },
    },
    "vault_key": {
        "summary": "Each vault's key is the one that is known for it, and no status here has it ended at the time.",
        "points": [
            {
                "title": "Codes",
                "text": "`vault_key_mismatch`, `vault_key_not_yet_enrolled`, `vault_key_revoked`, `vault_revocation_time_uncertain`, `vault_status_stale`, `vault_lifecycle_conflict`, `vault_lifecycle_mismatch`, `handover_invalid`.",
            },
            {
                "title": "Kinds",
                "text": "`bundle` of envelopes, `truth-package` with a bundle of envelopes, `envelope`, `vault-attestation`, `disclosure`, `key-status`.",
            },
            {"title": "Protocol", "text": "section 26."},
        ],
        "facts": {
            "check": "vault_key",
            "meaning": "Each vault's key is the one that is known for it, and no status here has it ended at the time.",
            "codes": [
                "vault_key_mismatch",
                "vault_key_not_yet_enrolled",
                "vault_key_revoked",
                "vault_revocation_time_uncertain",
                "vault_status_stale",
                "vault_lifecycle_conflict",
                "vault_lifecycle_mismatch",
                "handover_invalid",
            ],
            "kinds": ["bundle", "truth-package", "envelope", "vault-attestation", "disclosure", "key-status"],
            "section": 26,
        },
    },
    "vault_chain": {
        "summary": "The envelopes of each vault follow one another, none missing between, none repeated.",
        "points": [
            {"title": "Codes", "text": "`vault_chain_broken`, `provenance_source_ref_conflict`."},
            {"title": "Kinds", "text": "`bundle` of envelopes, `truth-package` with a bundle of envelopes."},
            {"title": "Protocol", "text": "section 27."},
        ],
        "facts": {
            "check": "vault_chain",
            "meaning": "The envelopes of each vault follow one another, none missing between, none repeated.",
            "codes": ["vault_chain_broken", "provenance_source_ref_conflict"],
            "kinds": ["bundle", "truth-package"],
            "section": 27,
        },
    },
    "provenance": {
        "summary": "The envelopes of the range give the root and the count in the manifest.",
        "points": [
            {
                "title": "Codes",
                "text": "`provenance_root_mismatch`, `provenance_count_mismatch`, `provenance_range_mismatch`.",
            },
            {
                "title": "Kinds",
                "text": "`bundle` of envelopes, `truth-package` with a bundle of envelopes, `provenance-inclusion`.",
            },
            {"title": "Protocol", "text": "section 27."},
        ],
        "facts": {
            "check": "provenance",
            "meaning": "The envelopes of the range give the root and the count in the manifest.",
            "codes": ["provenance_root_mismatch", "provenance_count_mismatch", "provenance_range_mismatch"],
            "kinds": ["bundle", "truth-package", "provenance-inclusion"],
            "section": 27,
        },
    },
    "attestation": {
        "summary": "Each attestation is sealed by the vault's key, and the service's result is about it.",
        "points": [
            {
                "title": "Codes",
                "text": "`attestation_signature_invalid`, `evidence_hash_mismatch`, `attestation_result_mismatch`.",
            },
            {
                "title": "Kinds",
                "text": "`bundle` of envelopes, `truth-package` with a bundle of envelopes, `vault-attestation`, `disclosure`.",
            },
            {"title": "Protocol", "text": "section 23."},
        ],
        "facts": {
            "check": "attestation",
            "meaning": "Each attestation is sealed by the vault's key, and the service's result is about it.",
            "codes": ["attestation_signature_invalid", "evidence_hash_mismatch", "attestation_result_mismatch"],
            "kinds": ["bundle", "truth-package", "vault-attestation", "disclosure"],
            "section": 23,
        },
    },
    "assurance": {
        "summary": "Each level that counts is substantiated at the time of its event.",
        "points": [
            {
                "title": "Codes",
                "text": "`assurance_insufficient`, `provenance_assurance_not_substantiated`, `start_signature_invalid`.",
            },
            {
                "title": "Kinds",
                "text": "`bundle` of envelopes, `truth-package` with a bundle of envelopes, `disclosure`. Every other kind too, where the trust policy demands a level.",
            },
            {"title": "Protocol", "text": "section 33."},
        ],
        "facts": {
            "check": "assurance",
            "meaning": "Each level that counts is substantiated at the time of its event.",
            "codes": ["assurance_insufficient", "provenance_assurance_not_substantiated", "start_signature_invalid"],
            "kinds": ["bundle", "truth-package", "disclosure"],
            "section": 33,
        },
    },
    "disclosure": {
        "summary": "Each opened field stands at the only place of its name, and is what the vault committed to.",
        "points": [
            {
                "title": "Codes",
                "text": "`commitment_mismatch`, `disclosure_field_invalid`, `disclosure_signature_invalid`, `disclosure_audience_mismatch`, `content_mismatch`.",
            },
            {"title": "Kinds", "text": "`disclosure`."},
            {"title": "Protocol", "text": "section 28."},
        ],
        "facts": {
            "check": "disclosure",
            "meaning": "Each opened field stands at the only place of its name, and is what the vault committed to.",
            "codes": [
                "commitment_mismatch",
                "disclosure_field_invalid",
                "disclosure_signature_invalid",
                "disclosure_audience_mismatch",
                "content_mismatch",
            ],
            "kinds": ["disclosure"],
            "section": 28,
        },
    },
    "provider": {
        "summary": "Where a provider policy is here, it allows what was done; no result contradicts itself.",
        "points": [
            {"title": "Codes", "text": "`provider_not_allowed`, `provider_result_inconsistent`."},
            {
                "title": "Kinds",
                "text": "`bundle` of envelopes, `truth-package` with a bundle of envelopes, `envelope`, `disclosure`, `provider-result`.",
            },
            {"title": "Protocol", "text": "section 29."},
        ],
        "facts": {
            "check": "provider",
            "meaning": "Where a provider policy is here, it allows what was done; no result contradicts itself.",
            "codes": ["provider_not_allowed", "provider_result_inconsistent"],
            "kinds": ["bundle", "truth-package", "envelope", "disclosure", "provider-result"],
            "section": 29,
        },
    },
    "ivc": {
        "summary": "The checkpoints of the epoch give its final state when they are computed again.",
        "points": [
            {
                "title": "Codes",
                "text": "`ivc_program_unknown`, `ivc_construction_not_reviewed`, `ivc_epoch_chain_broken`, `ivc_steps_incomplete`, `ivc_steps_absent`, `ivc_state_mismatch`.",
            },
            {"title": "Kinds", "text": "`ivc-epoch`."},
            {"title": "Protocol", "text": "section 32."},
        ],
        "facts": {
            "check": "ivc",
            "meaning": "The checkpoints of the epoch give its final state when they are computed again.",
            "codes": [
                "ivc_program_unknown",
                "ivc_construction_not_reviewed",
                "ivc_epoch_chain_broken",
                "ivc_steps_incomplete",
                "ivc_steps_absent",
                "ivc_state_mismatch",
            ],
            "kinds": ["ivc-epoch"],
            "section": 32,
        },
    },
    "key_endorsements": {
        "summary": "Where a key hands its trust on to another, it signed that.",
        "points": [
            {"title": "Codes", "text": "`key_endorsement_conflict`."},
            {"title": "Kinds", "text": "every kind."},
            {"title": "Protocol", "text": "section 4."},
        ],
        "facts": {
            "check": "key_endorsements",
            "meaning": "Where a key hands its trust on to another, it signed that.",
            "codes": ["key_endorsement_conflict"],
            "kinds": [
                "receipt",
                "portable-receipt",
                "stream",
                "window",
                "inclusion",
                "checkpoint",
                "consistency",
                "witness",
                "anchor",
                "fork",
                "key",
                "bundle",
                "truth-package",
                "envelope",
                "vault-attestation",
                "provenance-inclusion",
                "disclosure",
                "key-status",
                "provider-result",
                "ivc-epoch",
            ],
            "section": 4,
        },
    },
    "trust": {
        "summary": "A key that you pinned sealed this, or endorsed the key that did.",
        "points": [
            {
                "title": "Codes",
                "text": "`key_not_pinned`, `key_revoked`, `signer_not_for_stream`, `key_time_unproven`, `key_not_valid_at_time`, `kid_mismatch`.",
            },
            {"title": "Kinds", "text": "every kind."},
            {"title": "Protocol", "text": "section 4."},
        ],
        "facts": {
            "check": "trust",
            "meaning": "A key that you pinned sealed this, or endorsed the key that did.",
            "codes": [
                "key_not_pinned",
                "key_revoked",
                "signer_not_for_stream",
                "key_time_unproven",
                "key_not_valid_at_time",
                "kid_mismatch",
            ],
            "kinds": [
                "receipt",
                "portable-receipt",
                "stream",
                "window",
                "inclusion",
                "checkpoint",
                "consistency",
                "witness",
                "anchor",
                "fork",
                "key",
                "bundle",
                "truth-package",
                "envelope",
                "vault-attestation",
                "provenance-inclusion",
                "disclosure",
                "key-status",
                "provider-result",
                "ivc-epoch",
            ],
            "section": 4,
        },
    },
    "known_checkpoint": {
        "summary": "It agrees with the checkpoints that you know of this stream.",
        "points": [
            {"title": "Codes", "text": "`known_checkpoint_unlinked`."},
            {
                "title": "Kinds",
                "text": "`portable-receipt`, `checkpoint`, `consistency`, `bundle`, `truth-package`, `disclosure`, `ivc-epoch`.",
            },
            {"title": "Protocol", "text": "section 16."},
        ],
        "facts": {
            "check": "known_checkpoint",
            "meaning": "It agrees with the checkpoints that you know of this stream.",
            "codes": ["known_checkpoint_unlinked"],
            "kinds": ["portable-receipt", "checkpoint", "consistency", "bundle", "truth-package", "disclosure", "ivc-epoch"],
            "section": 16,
        },
    },
    "expectation": {
        "summary": "It is of the stream and the range that you expect, and shows what you require.",
        "points": [
            {"title": "Codes", "text": "`evidence_missing`, `stream_unexpected`."},
            {"title": "Kinds", "text": "every kind."},
            {"title": "Protocol", "text": "section 16."},
        ],
        "facts": {
            "check": "expectation",
            "meaning": "It is of the stream and the range that you expect, and shows what you require.",
            "codes": ["evidence_missing", "stream_unexpected"],
            "kinds": [
                "receipt",
                "portable-receipt",
                "stream",
                "window",
                "inclusion",
                "checkpoint",
                "consistency",
                "witness",
                "anchor",
                "fork",
                "key",
                "bundle",
                "truth-package",
                "envelope",
                "vault-attestation",
                "provenance-inclusion",
                "disclosure",
                "key-status",
                "provider-result",
                "ivc-epoch",
            ],
            "section": 16,
        },
    },
    "cross-check": {
        "summary": "Two kernels give the same report about the same bytes.",
        "points": [
            {"title": "Codes", "text": "`kernels_disagree`."},
            {
                "title": "Kinds",
                "text": "every kind. It is no check of a report, but an option of the call: `--cross-check`.",
            },
            {"title": "Protocol", "text": "section 16."},
        ],
        "facts": {
            "check": "cross-check",
            "meaning": "Two kernels give the same report about the same bytes.",
            "codes": ["kernels_disagree"],
            "kinds": [
                "receipt",
                "portable-receipt",
                "stream",
                "window",
                "inclusion",
                "checkpoint",
                "consistency",
                "witness",
                "anchor",
                "fork",
                "key",
                "bundle",
                "truth-package",
                "envelope",
                "vault-attestation",
                "provenance-inclusion",
                "disclosure",
                "key-status",
                "provider-result",
                "ivc-epoch",
            ],
            "section": 16,
        },
    },
}
