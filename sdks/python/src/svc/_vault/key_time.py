"""The end of a vault's key and the time of an event (section 26): the table of what is rejected, and what untrusted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Cell(NamedTuple):
    """A cell of the table: a code and whether it rejects; None where the event passes."""

    code: str | None
    rejects: bool = False
    # It passes although the end was stated backwards.
    is_noted: bool = False


def cell(
    status: dict[str, Any],
    told_at: str | None,
    received_at: str | None,
    is_proven: Callable[[str], bool],
    wants_proof: bool,
) -> Cell:
    """Return the cell of an event. `told_at`: the earliest status that tells of the end; `received_at`: None without
    a receipt; `is_proven`: whether time evidence places the event before an instant."""
    end, is_backwards = status["revokedAt"], status["revocationInstantReconstructed"]
    if received_at is not None and received_at < status["enrolledAt"]:
        return Cell("vault_key_not_yet_enrolled", True)
    if end is None:
        return Cell(None)
    if received_at is None:
        return Cell("key_time_unproven")
    if received_at >= end:
        if not is_backwards or (told_at is not None and received_at >= told_at):
            return Cell("vault_key_revoked", True)
        return Cell("vault_revocation_time_uncertain")
    if is_proven(end):
        return Cell(None, is_noted=is_backwards)
    if is_backwards and status["revocationReason"] in ("key_compromise", "unspecified"):
        return Cell("vault_revocation_time_uncertain")
    return Cell("key_time_unproven") if wants_proof else Cell(None)
