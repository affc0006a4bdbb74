"""The verifier's quorum (section 16): a number of pinned witnesses, or what a tlog-policy text asks for."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import product

from .._generated.limits import VERIFIER
from .._notes.verification_key import ML_DSA_44
from .._trust.policy import TrustPolicy, Witness
from .._trust.tlog_policy import TlogPolicy
from .same_witness import groups_of

MAX_CHOICES: int = VERIFIER["max_quorum_choices"]
Marks = Callable[[Witness], Iterable[Hashable]]


def has_demand(trust: TrustPolicy) -> bool:
    """Return whether the verifier demands cosignatures at all."""
    return trust.quorum is not None or (trust.text is not None and trust.text.quorum is not None)


def required(trust: TrustPolicy) -> int:
    """Return the least number of witnesses that can meet the quorum; 0 without one."""
    if trust.text is not None:
        return _least(trust.text, trust.text.quorum)
    return trust.quorum or 0


def _least(text: TlogPolicy, name: str | None) -> int:
    if name is None:
        return 0
    group = text.groups.get(name)
    if group is None:
        return 1
    return sum(sorted(_least(text, member) for member in group.members)[: group.threshold])


def is_met(trust: TrustPolicy, cosigners: set[Witness], pinned: int, marks: Marks) -> bool:
    """Return whether the quorum is met. `cosigners`: pinned witnesses that cosigned; `pinned`: how many."""
    if trust.text is None:
        return pinned >= (trust.quorum or 0)
    return _text_is_met(trust.text, cosigners, trust, marks)


def _text_is_met(text: TlogPolicy, cosigners: set[Witness], trust: TrustPolicy, marks: Marks) -> bool:
    present = {
        name
        for name, key in text.witnesses.items()
        if key.type != ML_DSA_44 and Witness(key.name, key.key) in cosigners
    }
    if not _is_met(text, text.quorum, present):
        return False
    # Several that are one witness count in one place only: try which.
    witnesses = list(trust.witnesses)
    group_of = dict(zip(witnesses, groups_of([marks(one) for one in witnesses]), strict=True))
    by_group: dict[int, list[str]] = {}
    for name in text.witnesses:
        if name in present:
            key = text.witnesses[name]
            by_group.setdefault(group_of[Witness(key.name, key.key)], []).append(name)
    for tried, choice in enumerate(product(*by_group.values())):
        if tried == MAX_CHOICES:
            return False
        if _is_met(text, text.quorum, set(choice)):
            return True
    return False


def _is_met(text: TlogPolicy, name: str | None, present: set[str]) -> bool:
    if name is None:
        return True
    group = text.groups.get(name)
    if group is None:
        return name in present
    met = 0
    for member in group.members:
        met += _is_met(text, member, present)
        if met == group.threshold:
            return True
    return False
