"""Witness statements beside checkpoints (section 10)."""

from __future__ import annotations

from typing import Any

from .._notes.checkpoint_text import checkpoint_text
from .._report.examination import Examination, Finding
from .cosignatures import Cosignatures, check_cosignature, policy_witness

_EQUAL = ("stream_id", "checkpoint_id", "checkpoint_hash", "window_count", "checkpoint_root")


def check_statement(
    ex: Examination,
    statement: dict[str, Any],
    checkpoint: dict[str, Any],
    own_hash: str,
    found: Cosignatures,
    path: str,
) -> None:
    """Check a statement about a checkpoint. `own_hash`: the checkpoint's; `found`: the cosignatures of it."""
    wanted = {**checkpoint, "checkpoint_hash": own_hash}
    for name in _EQUAL:
        if statement[name] != wanted[name]:
            message = f"The statement is about another {name} than the checkpoint's."
            finding = Finding(
                "witness_statement_mismatch", f"{path}/{name}", message, str(wanted[name]), str(statement[name])
            )
            ex.reject("witness", finding)
            return
    entry = next(
        (
            one
            for one in (found.policy["witnessKeys"] if found.policy is not None else ())
            if one["witness_id"] == statement["witness_id"] and one["key_epoch"] == statement["key_epoch"]
        ),
        None,
    )
    if entry is None:
        message = f"The policy lists no key {statement['key_epoch']} of {statement['witness_id']}."
        ex.reject("witness", Finding("witness_key_epoch_invalid", f"{path}/key_epoch", message))
        return
    root = bytes.fromhex(checkpoint["checkpoint_root"])
    text = checkpoint_text(checkpoint["origin"], checkpoint["window_count"], root)
    cosignature = statement["cosigned_at"], bytes.fromhex(statement["signature"])
    check_cosignature(ex, found, policy_witness(entry), entry, text, cosignature, path, checkpoint["created_at"])
