"""Examines fork evidence: alone, and in a bundle."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..._generated.checks import ORDER
from ..._notes.cosignature import parse_cosignature
from ..._report.examination import Examination, Finding
from ..._report.model import Subject
from ..._trust.key_ring import KeyRing
from ..._trust.policy import TrustPolicy, Witness
from ..anchor import check_anchor
from ..checkpoint import check_alone
from ..receipt import check_record
from ..travelling_keys import read_keys
from ..window import check_inclusions, check_leaves, check_place, check_window_seal
from .exclusion import WITH_DIVERGENCE, are_of_kind, divergence_holds, exclude
from .side import Side, side_of
from .signers import CHECK, Signer, are_one, cosigners, log_signers, seal_note

INVALID = "fork_evidence_invalid"
Evidence = dict[str, Any]


@dataclass
class Judged:
    """The outcome for one piece of evidence. `signers`: the kids of both sides, where the evidence is valid."""

    signers: tuple[str, str] | None = None
    # Nobody told one of the keys, so whether the signers are one cannot be known.
    is_unknown: bool = False
    witness: Signer | None = None
    parts: list[tuple[Examination, str]] = field(default_factory=list)


def examine_fork(ex: Examination, evidence: Evidence) -> None:
    """Examine fork evidence by itself."""
    sides = [side_of(evidence, name) for name in ("left", "right")]
    origins = [side.origin for side in sides if side is not None and side.origin is not None]
    stream = evidence["stream_id"]
    ex.subject = Subject(
        id=evidence["fork_id"],
        stream_id=stream,
        origin=origins[0].removesuffix(f"/{stream}") if origins else None,
    )
    read_keys(ex, evidence)
    ex.looked(CHECK)
    with_hints = evidence["kind"] == "witness"
    judged = judge(ex, evidence, "", list(ex.trust.witnesses), with_hints=with_hints, late_check="trust")
    if ex.rejections and any(check != "key_endorsements" for check, _, _ in ex.rejections):
        return
    for part, path in judged.parts:
        ex.adopt_signers(part, path)
        ex.signatures_checked += part.signatures_checked
    if judged.is_unknown:
        ex.cannot_evaluate(CHECK, "nobody told one of the keys, so whether one signer made both cannot be known")


def judge(
    ex: Examination, evidence: Evidence, path: str, witnesses: list[Witness], *, with_hints: bool, late_check: str
) -> Judged:
    """Judge a piece of evidence. Rejects for the first thing that does not hold, at a path below `path`.

    `late_check`: the check under which a side that was sealed outside of its key's time rejects: `trust` or `fork`.
    """
    judged = Judged()
    sides: list[Side] = []
    for name in ("left", "right"):
        side = side_of(evidence, name)
        if side is None:
            ex.reject(CHECK, Finding(INVALID, f"{path}/{name}", "The note cannot be read."))
            return judged
        sides.append(side)
    left, right = sides
    fault = _fault(ex, evidence, left, right)
    if fault is not None:
        ex.reject(CHECK, Finding(INVALID, path + fault[0], fault[1]))
        return judged
    made: list[list[Signer]] = []
    dates: list[int | None] = []
    for side in sides:
        part, signers, dated = _examine_side(ex, evidence, side, witnesses, with_hints)
        judged.parts.append((part, f"{path}/{side.name}"))
        made.append(signers)
        dates.append(dated)
        if _rejects(ex, part, f"{path}/{side.name}", late_check):
            return judged
    _judge_signers(ex, evidence, judged, sides, made, dates, path)
    for part, _ in judged.parts:
        part.judge_trust()
    return judged


def _rejects(ex: Examination, part: Examination, path: str, late_check: str) -> bool:
    """Reject for the first problem of a side. Returns whether there is one."""
    part.judge_trust()
    ordered = sorted(part.rejections, key=lambda one: ORDER.index(one[0]))
    for check, finding, _ in ordered:
        if check != "trust" or late_check != "trust":
            text = f"The side does not hold: {finding.message}"
            ex.reject(CHECK, Finding(INVALID, path + finding.path, text))
        else:
            ex.reject("trust", finding._replace(path=path + finding.path))
        return True
    return False


def _fault(ex: Examination, evidence: Evidence, left: Side, right: Side) -> tuple[str, str] | None:
    """Return the path and the reason of what is wrong with evidence, before its sides are examined."""
    kind, divergence = evidence["kind"], evidence["divergence"]
    if {left.stream, right.stream} != {evidence["stream_id"]}:
        return "/stream_id", "The sides are of another stream than the evidence names."
    if divergence is not None and kind not in WITH_DIVERGENCE:
        return "/divergence", f"Evidence of the kind {kind} has no divergence."
    if not are_of_kind(kind, left, right):
        return "", f"The sides are not of the types of the kind {kind}."
    if kind in ("note", "epoch", "witness") and left.origin != right.origin:
        return "", "The sides are of two origins."
    if divergence is not None:
        if not divergence_holds(ex, divergence, left, right):
            return "", "The divergence does not hold."
        return None
    if not exclude(kind, evidence, left, right):
        return "", f"It shows no fork of the kind {kind}: the two sides do not exclude each other."
    return None


def _examine_side(
    ex: Examination, evidence: Evidence, side: Side, witnesses: list[Witness], with_hints: bool
) -> tuple[Examination, list[Signer], int | None]:
    """Examine a side as a lone object of which nothing is demanded. Returns its signers, and what dates a note."""
    trust = ex.trust
    part = Examination(ex.kernel, TrustPolicy(_without_demands(trust), trust.pins, trust.revoked, trust.witnesses))
    part.keys, part.value = ex.keys, side.value
    value = side.value
    if side.type == "receipt":
        check_record(part, value, "")
    elif side.type == "window":
        check_leaves(part, value, "")
        check_place(part, value, "")
        check_window_seal(part, value, "")
        check_inclusions(part, value, "")
    elif side.type == "checkpoint":
        check_alone(part, value, "")
    elif side.type == "anchor":
        check_anchor(part, value, "", dict.fromkeys(trust.witnesses))
    else:
        logs = log_signers(part, side, "")
        seen = cosigners(part, side, "", witnesses, with_hints)
        dated = min((time for signer, time in seen.items() if signer.is_pinned_witness), default=None)
        return part, list(seen) if evidence["kind"] == "witness" else logs, dated
    kid = value["receipt" if side.type == "receipt" else "seal"]["kid"]
    key = ex.keys.key(kid)
    return part, [] if key is None else [Signer(kid, key, side.type)], None


def _without_demands(trust: TrustPolicy) -> dict[str, Any]:
    return {name: trust.value[name] for name in ("signers", "blocks", "contracts") if name in trust.value}


def _judge_signers(
    ex: Examination,
    evidence: Evidence,
    judged: Judged,
    sides: list[Side],
    made: list[list[Signer]],
    dates: list[int | None],
    path: str,
) -> None:
    """Find the pair of signers that is one, and trusted most."""
    is_witness = evidence["kind"] == "witness"
    if not made[0] or not made[1]:
        if is_witness and not all(made[at] or _has_strangers(side) for at, side in enumerate(sides)):
            ex.reject(CHECK, Finding(INVALID, path, "No witness that is known here cosigned both notes."))
            return
        judged.is_unknown = True
        for signers, side, (part, _), dated in zip(made, sides, judged.parts, dates, strict=True):
            if side.type == "note" and signers:
                seal_note(part, side, signers[0], "", dated)
            elif side.type == "note":
                part.trusted_count += 1
                message = f"Nobody told the key that sealed the note of {side.origin}."
                part.unknown_keys = True
                part.distrust(Finding("key_not_pinned", "", message), "")
        return
    pairs = [
        (left, right)
        for left in made[0]
        for right in made[1]
        if are_one(ex, left.kid, right.kid, is_witness=is_witness)
    ]
    if not pairs:
        ex.reject(CHECK, Finding(INVALID, path, "Nothing shows that one signer made both sides."))
        return
    left, right = max(pairs, key=lambda pair: [_rank(ex, one, side) for one, side in zip(pair, sides, strict=True)])
    judged.signers = left.kid, right.kid
    judged.witness = left if is_witness else None
    for signer, side, (part, _), dated in zip((left, right), sides, judged.parts, dates, strict=True):
        if side.type == "note":
            seal_note(part, side, signer, "", dated)


def _has_strangers(side: Side) -> bool:
    """Return whether a note has lines that could be cosignatures by keys that nobody told."""
    note = side.note
    return note is not None and any(
        line.name != note.says.origin and parse_cosignature(line.signature) is not None for line in note.note.lines
    )


def _rank(ex: Examination, signer: Signer, side: Side) -> int:
    """Return how much a signer of a note is trusted."""
    if side.type != "note":
        return 0
    if signer.role == "witness":
        return int(signer.is_pinned_witness)
    from .signers import scope_of

    return ("none", "endorsed", "pinned").index(ex.keys.reach(signer.kid, scope_of(side)).reached)


def merged_keys(ex: Examination, holders: list[Evidence]) -> tuple[KeyRing, bool]:
    """Return a ring with the keys of an object and of evidence in it, and whether the latter's hold."""
    reader = Examination(ex.kernel, ex.trust)
    ring = reader.keys
    ring.hints, ring.endorsed = dict(ex.keys.hints), dict(ex.keys.endorsed)
    ring.endorsements = list(ex.keys.endorsements)
    both = {
        name: [one for holder in holders for one in holder.get(name, ())] for name in ("key_hints", "key_endorsements")
    }
    read_keys(reader, both)
    return ring, not reader.rejections
