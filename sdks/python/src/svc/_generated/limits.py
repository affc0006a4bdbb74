"""Named constants: those that decide verdicts or bound reports, and the defaults of clients."""

# Written by `pnpm spec` from spec/. Do not edit it.

from __future__ import annotations

from typing import Any

VERIFIER: dict[str, Any] = {
    "max_nesting": 64,
    "max_safe_integer": 9007199254740991,
    "max_payload_depth": 32,
    "max_windows_per_checkpoint": 1024,
    "max_endorsement_chain": 32,
    "max_handover_chain": 32,
    "cosignature_skew_seconds": 300,
    "max_note_lines": 64,
    "max_path_hashes": 53,
    "max_tlog_definitions": 1024,
    "max_quorum_choices": 4096,
    "max_rlp_depth": 16,
    "max_expanded_bytes": 4294967296,
    "max_expansion_ratio": 200,
    "max_provenance_bundle_bytes": 268435456,
    "max_disclosure_bytes": 1048576,
    "max_attestation_bytes": 1048576,
    "capsule_sizes": [8, 64, 512],
    "max_further_names": {"8": 2, "64": 16, "512": 60},
    "max_value_depth": 16,
    "max_value_bytes": 65536,
    "max_vault_ahead_ms": 300000,
    "longest_result_ms": {"pkcs11-key-custody": 7776000000, "tpm2-quote": 86400000},
    "latest_result_after_ms": 900000,
    "earliest_result_before_ms": 300000,
    "max_ivc_steps": 1024,
    "max_schema_errors": 1000,
    "max_problems": 1000,
    "max_signers": 1000,
    "max_text_utf16_units": 1000,
    "shown_value_utf16_units": 100,
}

CLIENT: dict[str, Any] = {
    "default_timeout_ms": 30000,
    "default_max_attempts": 5,
    "default_max_answer_bytes": 67108864,
    "max_pack_bytes": 536870912,
    "first_pause_ms": 100,
    "longest_pause_ms": 10000,
    "max_retry_after_ms": 60000,
}
