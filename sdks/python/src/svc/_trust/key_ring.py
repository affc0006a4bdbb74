"""The keys that travel with an object, and whether trust reaches one (section 4)."""

from __future__ import annotations

from typing import NamedTuple

from .._generated.limits import VERIFIER
from .._report.model import Reached
from .policy import Pin, TrustPolicy

MAX_CHAIN: int = VERIFIER["max_endorsement_chain"]


class Endorsement(NamedTuple):
    """An endorsement whose signature holds, from one key to another."""

    endorser: str
    kid: str
    valid_from: str


class Reach(NamedTuple):
    """How trust reaches a key. `reason`: the code of why it does not; None where it does."""

    reached: Reached
    reason: str | None = None
    valid_from: str | None = None
    valid_to: str | None = None


class Scope(NamedTuple):
    """For what a key must be trusted: a stream and an origin, None where the object states none."""

    stream: str | None
    origin: str | None
    # The origin is the service's own, as anchors state it, and not a stream's.
    is_service_origin: bool = False


class KeyRing:
    """Every key that somebody told. `hints` and `endorsed` are by kid; pinned keys come before both."""

    def __init__(self, trust: TrustPolicy) -> None:
        self.trust = trust
        self.hints: dict[str, bytes] = {}
        self.endorsed: dict[str, bytes] = {}
        self.endorsements: list[Endorsement] = []
        self._reaches: dict[tuple[str, Scope], Reach] = {}
        self._near: dict[str, bytes | None] = {}

    def key(self, kid: str) -> bytes | None:
        """Return the public key of a kid; None where nobody told it."""
        pins = self.trust.pins.get(kid)
        if pins:
            return pins[0].key
        return self.endorsed.get(kid) or self.hints.get(kid)

    def near_pin(self, kid: str) -> bytes | None:
        """Return the pinned key that differs from this one in one or two hex digits, or None.

        Nobody can make a key so close to another, so one of the two was copied wrongly.
        """
        if kid not in self._near:
            key = self.key(kid)
            pins = (own[0].key for _, own in sorted(self.trust.pins.items()))
            self._near[kid] = None if key is None else next((pin for pin in pins if _is_near(pin, key)), None)
        return self._near[kid]

    def changed(self) -> None:
        """Forget what was computed, after keys have been added."""
        self._reaches.clear()

    def reach(self, kid: str, scope: Scope) -> Reach:
        """Return how trust reaches a key for this stream and origin."""
        known = self._reaches.get((kid, scope))
        if known is None:
            known = self._reaches[kid, scope] = self._judge(kid, scope)
        return known

    def _judge(self, kid: str, scope: Scope) -> Reach:
        trust = self.trust
        if kid in trust.revoked:
            return Reach("none", "key_revoked")
        pins = trust.pins.get(kid)
        if pins:
            covering = [pin for pin in pins if pin.covers(*scope)]
            if not covering:
                return Reach("none", "signer_not_for_stream")
            ends = [pin.valid_to for pin in covering if pin.valid_to is not None]
            return Reach("pinned", valid_to=min(ends, default=None))
        roots: dict[str, list[str]] = {"": [], "key_time_unproven": [], "signer_not_for_stream": []}
        for pinned, own in trust.pins.items():
            kind = _root_kind(own, scope) if pinned not in trust.revoked else None
            if kind is not None:
                roots[kind].append(pinned)
        valid_from = self._chain(roots[""], kid)
        if valid_from is not None:
            return Reach("endorsed", valid_from=valid_from)
        for reason in ("key_time_unproven", "signer_not_for_stream"):
            if self._chain(roots[reason], kid) is not None:
                return Reach("none", reason)
        if self._chain(list(trust.revoked), kid) is not None:
            return Reach("none", "key_revoked")
        return Reach("none", "key_not_pinned")

    def _chain(self, roots: list[str], kid: str) -> str | None:
        """Return the last link's `valid_from` of the shortest chain from one of these keys; None where none leads."""
        reached, seen = set(roots), set(roots)
        for _ in range(MAX_CHAIN):
            links = [one for one in self.endorsements if one.endorser in reached]
            found = [one.valid_from for one in links if one.kid == kid]
            if found:
                return min(found)
            reached = {
                one.kid
                for one in links
                if one.kid not in seen and one.kid not in self.trust.pins and one.kid not in self.trust.revoked
            }
            seen |= reached
            if not reached:
                return None
        return None

    def leads(self, start: str, end: str) -> bool:
        """Return whether endorsements lead from one key to another, whichever keys are trusted."""
        reached, seen = {start}, {start}
        for _ in range(MAX_CHAIN):
            reached = {one.kid for one in self.endorsements if one.endorser in reached} - seen
            if end in reached:
                return True
            seen |= reached
        return False


def _is_near(left: bytes, right: bytes) -> bool:
    differing = sum(one != other for one, other in zip(left.hex(), right.hex(), strict=True))
    # A slip changes one digit, or swaps two.
    return differing in (1, 2)


def _root_kind(pins: list[Pin], scope: Scope) -> str | None:
    """Return why a pinned key begins no chain: a code, or empty where it begins one; None where it may not."""
    if not all(pin.may_endorse for pin in pins):
        return None
    if not all(pin.covers(*scope) for pin in pins):
        return "signer_not_for_stream"
    return "key_time_unproven" if any(pin.valid_to is not None for pin in pins) else ""
