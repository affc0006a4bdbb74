"""Who made the sides of fork evidence, and whether one signer made both (section 11)."""

from __future__ import annotations

from typing import NamedTuple

from ..._notes.cosignature import cosigned, parse_cosignature
from ..._notes.verification_key import COSIGNATURE, ED25519, key_id_of
from ..._report.examination import Examination, Finding, Sealed
from ..._trust.key_ring import Scope
from ..._trust.policy import Witness, kid_of
from .side import Side

CHECK = "fork"


class Signer(NamedTuple):
    """Who signed a note: its key, and for a witness whether the verifier pins it."""

    kid: str
    key: bytes
    role: str
    is_pinned_witness: bool = False


def log_signers(part: Examination, side: Side, path: str) -> list[Signer]:
    """Return the signers of the log lines of a note, by any key that somebody told. Every such line must verify."""
    note = side.note
    assert note is not None
    keys = part.keys
    told = {kid: key for known in (keys.hints, keys.endorsed) for kid, key in known.items()}
    told |= {kid: pins[0].key for kid, pins in part.trust.pins.items()}
    found: dict[str, Signer] = {}
    for line in note.note.lines:
        if line.name != note.says.origin:
            continue
        fitting = [one for one in told.items() if key_id_of(line.name, ED25519, one[1]) == line.key_id]
        for kid, key in fitting:
            part.looked(CHECK, 0)
            part.signatures_checked += 1
            holds = len(line.signature) == 64 and part.holds(key, note.note.text.encode(), line.signature)
            if not holds:
                part.reject(
                    CHECK, Finding("signature_invalid", path, f"A line of the note does not verify under {kid}.")
                )
            else:
                found[kid] = Signer(kid, key, "note")
    return list(found.values())


def cosigners(
    part: Examination, side: Side, path: str, witnesses: list[Witness], with_hints: bool
) -> dict[Signer, int]:
    """Return who cosigned a note, with the times. Every line by a known witness key must be one and verify.

    `witnesses`: the known ones by name and key; `with_hints`: hinted keys are known under any name.
    """
    note = side.note
    assert note is not None
    pinned = set(part.trust.witnesses)
    found: dict[Signer, int] = {}
    for line in note.note.lines:
        candidates = [one for one in witnesses if one.name == line.name]
        if with_hints:
            candidates += [Witness(line.name, key) for key in part.keys.hints.values()]
        for witness in dict.fromkeys(candidates):
            if key_id_of(line.name, COSIGNATURE, witness.key) != line.key_id:
                continue
            cosignature = parse_cosignature(line.signature)
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
    if signer.role == "note":
        part.must_reach(Sealed(signer.kid, "note", path, what, scope_of(side), True, None, None, dated))
        return
    part.trusted_count += 1
    part.sealed_by(signer.kid, "witness", signer.key, "pinned" if signer.is_pinned_witness else "none")
    if not signer.is_pinned_witness:
        code = "key_revoked" if signer.kid in part.trust.revoked else "key_not_pinned"
        message = f"You do not pin the witness {signer.kid}, which cosigned {what}."
        part.distrust(Finding(code, path, message, kid=signer.kid), signer.kid)
