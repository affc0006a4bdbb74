"""Examines fork evidence: alone, and in a bundle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..._report.examination import Examination, Finding, in_order
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
    """The outcome for one piece of evidence."""

    # Nobody told one of the keys, so whether the signers are one cannot be known.
    is_unknown: bool = False
    parts: list[tuple[Examination, str]] = field(default_factory=list)


class Made(NamedTuple):
    """A side that holds: its examination, and the time by which a note is dated."""

    side: Side
    part: Examination
    dated: int | None


Rank = Callable[[tuple[Made, Signer], tuple[Made, Signer]], int]


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
    rank = _rank_alone(ex, is_witness=with_hints)
    judged = judge(ex, evidence, "", list(ex.trust.witnesses), rank, with_hints=with_hints, late_check="trust")
    if ex.rejections and any(check != "key_endorsements" for check, _, _ in ex.rejections):
        return
    for part, path in judged.parts:
        ex.adopt_signers(part, path)
        ex.signatures_checked += part.signatures_checked
    if judged.is_unknown:
        ex.cannot_evaluate(CHECK, "one of the keys was not given, so whether one signer made both cannot be known")


def judge(
    ex: Examination,
    evidence: Evidence,
    path: str,
    witnesses: list[Witness],
    rank: Rank,
    *,
    with_hints: bool,
    late_check: str,
) -> Judged:
    """Judge a piece of evidence. Rejects for the first thing that does not hold, at a path below `path`.

    `rank`: what a signer of each side are worth as one signer of both; 0 if they are not one.
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
    _judge_signers(ex, judged, sides, made, dates, path, rank)
    for part, _ in judged.parts:
        part.judge_trust()
    return judged


def _rejects(ex: Examination, part: Examination, path: str, late_check: str) -> bool:
    """Reject for the first problem of a side. Returns whether there is one."""
    part.judge_trust()
    for check, finding, _ in in_order(part.rejections):
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
    part = _part(ex, side.value)
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
    return part, [Signer(kid, ex.keys.key(kid), side.type)], None


def _part(ex: Examination, value: Any) -> Examination:
    """Return a fresh examination of a side."""
    trust = ex.trust
    part = Examination(ex.kernel, TrustPolicy(_without_demands(trust), trust.pins, trust.revoked, trust.witnesses))
    part.keys, part.value = ex.keys, value
    return part


def _without_demands(trust: TrustPolicy) -> dict[str, Any]:
    return {name: trust.value[name] for name in ("signers", "blocks", "contracts") if name in trust.value}


def _judge_signers(
    ex: Examination,
    judged: Judged,
    sides: list[Side],
    made: list[list[Signer]],
    dates: list[int | None],
    path: str,
    rank: Rank,
) -> None:
    """Find the first pair of signers that is one, and worth most."""
    left, right = (Made(side, part, dated) for side, (part, _), dated in zip(sides, judged.parts, dates, strict=True))
    pairs = [(rank((left, one), (right, other)), one, other) for one in made[0] for other in made[1]]
    worth, first, second = max(pairs, key=lambda pair: pair[0], default=(0, None, None))
    if first is None or second is None or worth == 0:
        ex.reject(CHECK, Finding(INVALID, path, "Nothing shows that one signer made both sides."))
        return
    judged.is_unknown = first.key is None or second.key is None
    for one, signer in ((left, first), (right, second)):
        if one.side.type == "note":
            seal_note(one.part, one.side, signer, "", one.dated)


def _rank_alone(ex: Examination, *, is_witness: bool) -> Rank:
    """Return how the signers of evidence by itself are ranked."""

    def rank(left: tuple[Made, Signer], right: tuple[Made, Signer]) -> int:
        one, other = left[1], right[1]
        if one.key is None or other.key is None:
            # Whether two witnesses are one shows in their names, even where nobody told their keys.
            return int(not is_witness or one.kid == other.kid)
        if not are_one(ex, one.kid, other.kid, is_witness=is_witness):
            return 0
        return 3 if _is_trusted(ex, *left) and _is_trusted(ex, *right) else 2

    return rank


def _is_trusted(ex: Examination, made: Made, signer: Signer) -> bool:
    """Return whether trust reaches a signer of a side that holds."""
    part = made.part
    if made.side.type == "note":
        part = _part(ex, made.side.value)
        seal_note(part, made.side, signer, "", made.dated)
        part.judge_trust()
    return not part.distrusts


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
