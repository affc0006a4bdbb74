"""Who made the sides of fork evidence, and whether one signer made both (section 11)."""

from __future__ import annotations

from typing import NamedTuple

from ..._generated.codes import OWN_ACTIONS
from ..._notes.cosignature import cosigned, parse_cosignature
from ..._notes.signed_note import NoteLine
from ..._notes.verification_key import COSIGNATURE, ED25519, key_id_of
from ..._report.examination import Examination, Finding, Sealed
from ..._trust.key_ring import Scope
from ..._trust.policy import Witness, kid_of
from .side import Side

CHECK = "fork"


class Signer(NamedTuple):
    """Who signed a side: its key, and for a witness whether the verifier pins it.

    `key`: None where nobody told it. Of a line of a note `kid` then is its key id and its name.
    """

    kid: str
    key: bytes | None
    role: str
    is_pinned_witness: bool = False


def log_signers(part: Examination, side: Side, path: str) -> list[Signer]:
    """Return the signers of the log lines of a note, in order. Every line by a key that somebody told must verify."""
    note = side.note
    assert note is not None
    told = _told(part)
    found: list[Signer] = []
    for line in note.note.lines:
        if line.name != note.says.origin:
            continue
        fitting = [one for one in told.items() if key_id_of(line.name, ED25519, one[1]) == line.key_id]
        if not fitting and len(line.signature) == 64:
            found.append(_stranger(line, "note"))
        for kid, key in fitting:
            part.looked(CHECK, 0)
            part.signatures_checked += 1
            holds = len(line.signature) == 64 and part.holds(key, note.note.text.encode(), line.signature)
            if not holds:
                part.reject(
                    CHECK, Finding("signature_invalid", path, f"A line of the note does not verify under {kid}.")
                )
            else:
                found.append(Signer(kid, key, "note"))
    return list(dict.fromkeys(found))


def cosigners(
    part: Examination, side: Side, path: str, witnesses: list[Witness], with_hints: bool
) -> dict[Signer, int]:
    """Return who cosigned a note, in order, with the times. Every line by a known witness key must be one and verify.

    `witnesses`: the known ones by name and key; `with_hints`: every key that somebody told is known under any name.
    """
    note = side.note
    assert note is not None
    pinned = set(part.trust.witnesses)
    found: dict[Signer, int] = {}
    for line in note.note.lines:
        cosignature = parse_cosignature(line.signature)
        known = _known(line, [one for one in witnesses if one.name == line.name])
        if not known and line.name != note.says.origin:
            told = _told(part).values() if with_hints else ()
            known = _known(line, [Witness(line.name, key) for key in told])
            if not known and cosignature is not None:
                found[_stranger(line, "witness")] = cosignature.time
        for witness in known:
            holds = False
            if cosignature is not None:
                item = cosigned(witness.key, note.note.text, *cosignature)
                part.signatures_checked += 1
                holds = part.holds(item.public_key, item.message, item.signature)
            if not holds or cosignature is None:
                message = f"The cosignature of {witness.name} does not verify."
                part.reject(CHECK, Finding("witness_signature_invalid", path, message))
                continue
            signer = Signer(kid_of(witness.key), witness.key, "witness", witness in pinned)
            found[signer] = min(cosignature.time, found.get(signer, cosignature.time))
    return found


def _told(part: Examination) -> dict[str, bytes]:
    """Return the keys that somebody told, by kid."""
    told = {kid: key for known in (part.keys.hints, part.keys.endorsed) for kid, key in known.items()}
    return told | {kid: pins[0].key for kid, pins in part.trust.pins.items()}


def _known(line: NoteLine, witnesses: list[Witness]) -> list[Witness]:
    """Return the witnesses whose key may have signed a line."""
    return [one for one in dict.fromkeys(witnesses) if key_id_of(line.name, COSIGNATURE, one.key) == line.key_id]


def _stranger(line: NoteLine, role: str) -> Signer:
    """Return the signer of a line whose key nobody gave."""
    return Signer(f"{line.key_id.hex()} {line.name}", None, role)


def scope_of(side: Side) -> Scope:
    """Return for what the signer of a note must be trusted."""
    stream = side.stream
    return Scope(stream, side.origin, is_service_origin=stream is None)


def are_one(ex: Examination, left: str, right: str, *, is_witness: bool) -> bool:
    """Return whether two keys are one signer's."""
    if left == right or ex.keys.leads(left, right) or ex.keys.leads(right, left):
        return True
    return not is_witness and _is_vouched(ex, left) and _is_vouched(ex, right)


def _is_vouched(ex: Examination, kid: str) -> bool:
    """Return whether a key is pinned, or endorsements lead to it from a pinned one."""
    return kid in ex.trust.pins or any(ex.keys.leads(pinned, kid) for pinned in ex.trust.pins)


def seal_note(part: Examination, side: Side, signer: Signer, path: str, dated: int | None) -> None:
    """Note the signer of a note, whom trust must reach."""
    what = f"the note of {side.origin}"
    if signer.key is None:
        part.trusted_count += 1
        part.unknown_keys = True
        message = f"Nobody gave the key that sealed {what}."
        action = OWN_ACTIONS["ask_witness"] if signer.role == "witness" else None
        part.distrust(Finding("key_not_pinned", path, message, action=action), signer.kid)
        return
    if signer.role == "note":
        part.must_reach(Sealed(signer.kid, "note", path, what, scope_of(side), True, None, None, dated))
        return
    part.trusted_count += 1
    part.sealed_by(signer.kid, "witness", signer.key, "pinned" if signer.is_pinned_witness else "none")
    if not signer.is_pinned_witness:
        code = "key_revoked" if signer.kid in part.trust.revoked else "key_not_pinned"
        message = f"You do not pin the witness {signer.kid}, which cosigned {what}."
        action = OWN_ACTIONS["ask_witness"] if code == "key_not_pinned" else None
        part.distrust(Finding(code, path, message, kid=signer.kid, action=action), signer.kid)
