"""Seals (section 4): the signature of a sealed object, and its signer, whom trust must reach."""

from __future__ import annotations

from typing import Any, NamedTuple

from .._report.examination import Examination, Finding, Sealed
from .._trust.key_ring import Scope
from .hashing import sealed_bytes

MISSING_KEY = "a key is missing: neither you nor the object tells it"


class Use(NamedTuple):
    """What a seal is for. `path`: that of the seal; `what`: the object in words."""

    check: str
    role: str
    path: str
    what: str
    scope: Scope
    own_time: str | None = None
    position: int | None = None
    dated: int | None = None


def check_seal(ex: Examination, tag: str, body: dict[str, Any], seal: dict[str, Any], use: Use) -> bool:
    """Check the signature of a seal over a body, and note its signer. Returns whether it holds.

    Problems: `signature_invalid`; a key that nobody told leaves the check unevaluated.
    """
    return check_signature(ex, seal["kid"], sealed_bytes(tag, body, seal["kid"]), seal["signature"], use)


def check_signature(ex: Examination, kid: str, message: bytes, signature: str, use: Use) -> bool:
    """Check a signature as `check_seal` does, over a message of any sort."""
    key = ex.keys.key(kid)
    holds = False
    if key is None:
        ex.unknown_keys = True
        ex.cannot_evaluate(use.check, MISSING_KEY)
    else:
        ex.looked(use.check)
        ex.signatures_checked += 1
        holds = ex.holds(key, message, bytes.fromhex(signature))
        if not holds:
            ex.seal_broken = True
            text = f"The signature on {use.what} does not verify under {kid}."
            ex.reject(use.check, Finding("signature_invalid", f"{use.path}/signature", text))
    ex.must_reach(
        Sealed(
            kid, use.role, f"{use.path}/kid", use.what, use.scope, key is None or holds, use.own_time, use.position,
            use.dated,
        )
    )  # fmt: skip
    return holds
