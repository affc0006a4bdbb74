"""The keys that travel with an object, read into the key ring (section 4); a lone endorsement is the kind `key`."""

from __future__ import annotations

from typing import Any

from .._report.examination import Examination, Finding
from .._report.model import Subject
from .._trust.key_ring import Endorsement, Scope
from .._trust.policy import kid_of
from .hashing import sealed_bytes, without
from .seal import Use, check_seal

CHECK = "key_endorsements"


def read_keys(ex: Examination, holder: dict[str, Any], path: str = "") -> None:
    """Read the hints and endorsements of an object. Problems: those of the table in section 4."""
    hints, endorsements = holder.get("key_hints", ()), holder.get("key_endorsements", ())
    for index, hint in enumerate(hints):
        key = bytes.fromhex(hint["public_key_hex"])
        _is_named(ex, hint["kid"], key, f"{path}/key_hints/{index}/kid")
        ex.keys.hints[hint["kid"]] = key
    named: list[bool] = []
    for index, one in enumerate(endorsements):
        key = bytes.fromhex(one["public_key_hex"])
        named.append(_is_named(ex, one["endorsed_kid"], key, f"{path}/key_endorsements/{index}/endorsed_kid"))
        ex.keys.endorsed[one["endorsed_kid"]] = key
    endorsed: dict[str, str] = {}
    for index, (one, is_named) in enumerate(zip(endorsements, named, strict=True)):
        if not _holds(ex, one, f"{path}/key_endorsements/{index}"):
            continue
        endorser, key_hex = one["seal"]["kid"], one["public_key_hex"]
        if endorsed.setdefault(endorser, key_hex) != key_hex:
            message = f"{endorser} endorses two different keys."
            ex.reject(CHECK, Finding("key_endorsement_conflict", f"{path}/key_endorsements/{index}", message))
        elif is_named:
            ex.keys.endorsements.append(Endorsement(endorser, one["endorsed_kid"], one["valid_from"]))
    if not endorsements:
        ex.note(CHECK, "no key endorsements")
    ex.keys.changed()


def _is_named(ex: Examination, kid: str, key: bytes, path: str) -> bool:
    message = "A key that came with the object has an identifier that is not its own."
    return ex.expect(CHECK, kid_of(key) == kid, "kid_mismatch", path, message)


def _holds(ex: Examination, one: dict[str, Any], path: str) -> bool:
    """Return whether an endorsement verifies. One whose endorser's key nobody told is left out."""
    kid = one["seal"]["kid"]
    key = ex.keys.key(kid)
    if key is None:
        ex.note(CHECK, "an endorsement is left out: the endorsing key is unknown")
        return False
    ex.looked(CHECK)
    ex.signatures_checked += 1
    message = sealed_bytes("key", without(one, "seal"), kid)
    holds = ex.holds(key, message, bytes.fromhex(one["seal"]["signature"]))
    if not holds:
        ex.seal_broken = True
    text = f"The endorsement of {one['endorsed_kid']} does not verify under {kid}."
    return ex.expect(CHECK, holds, "signature_invalid", f"{path}/seal/signature", text)


def examine_key(ex: Examination, one: dict[str, Any]) -> None:
    """Examine a lone endorsement."""
    ex.subject = Subject(id=one["endorsed_kid"])
    _is_named(ex, one["endorsed_kid"], bytes.fromhex(one["public_key_hex"]), "/endorsed_kid")
    kid = one["seal"]["kid"]
    pins = ex.trust.pins.get(kid, ())
    use = Use(CHECK, "key", "/seal", f"the endorsement of {one['endorsed_kid']}", Scope(None, None))
    check_seal(ex, "key", without(one, "seal"), one["seal"], use)
    if any(not pin.may_endorse for pin in pins):
        message = f"You pin {kid}, and let it endorse no key."
        ex.distrust(Finding("key_not_pinned", "/seal/kid", message, kid=kid), kid)
