"""Handovers from one key of a vault to the next (section 26)."""

from __future__ import annotations

from typing import Any

from .._generated.limits import VERIFIER
from .._objects.hashing import sealed_bytes, without
from .._report.examination import Examination, Finding
from .._trust.policy import kid_of

CHECK = "vault_key"
MAX_CHAIN: int = VERIFIER["max_handover_chain"]
Handover = dict[str, Any]


def check_handovers(ex: Examination, handovers: list[Handover], path: str) -> list[Handover]:
    """Check handovers. Returns those that hold, and that are the only one of their key."""
    found: list[Handover] = []
    successors: dict[str, str] = {}
    for index, one in enumerate(handovers):
        where = f"{path}/{index}"
        holds = _holds(ex, one, where)
        is_only = successors.setdefault(one["publicKeyHex"], one["newPublicKeyHex"]) == one["newPublicKeyHex"]
        if ex.expect(CHECK, is_only, "handover_invalid", where, "A key hands over to two keys.") and holds:
            found.append(one)
    return found


def _holds(ex: Examination, one: Handover, path: str) -> bool:
    key = bytes.fromhex(one["publicKeyHex"])
    kid = one["seal"]["kid"]
    if kid != kid_of(key):
        message = "The handover is not sealed by the key that hands over."
        ex.reject(CHECK, Finding("handover_invalid", f"{path}/seal/kid", message))
        return False
    ex.looked(CHECK)
    signed = sealed_bytes("handover", without(one, "seal"), kid)
    message = "The handover does not verify under the key that hands over."
    holds = ex.holds(key, signed, bytes.fromhex(one["seal"]["signature"]))
    return ex.expect(CHECK, holds, "handover_invalid", f"{path}/seal/signature", message)
