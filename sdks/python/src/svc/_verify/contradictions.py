"""Compares what many objects show of the history of a stream.

Each hash commits to all before it: two runs of events that are the same at the last place that both show are the same
before it, and one comparison is enough for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .._report.history import History
from .._report.model import Signer

# They seal nothing of a stream's history.
_OTHERS = ("vault", "witness")


class Contradiction(NamedTuple):
    """Two objects that cannot both be of one history. `left`, `right`: their places in the list that was compared.

    `place`, `at`: the earliest place that shows it, as `seq_no`, `window_no` or `window_count`; events are looked at
    before windows, and windows before trees. `reached`: whether trust reaches everybody who sealed the two.
    """

    stream_id: str
    left: int
    right: int
    place: str
    at: int
    reached: bool


class _Shown(NamedTuple):
    place: int
    history: History
    kids: tuple[str, ...]


def contradictions(objects: Sequence[tuple[Sequence[History], Sequence[Signer]]]) -> list[Contradiction]:
    """Return for each object that contradicts an earlier one of the same stream under the same keys one contradiction.

    Keys are the same if an object has signatures of both, or if trust reaches them and one endorses the other, so a
    stranger's object contradicts nobody. The objects must hold by themselves. To find none is no proof of one history.
    """
    streams: dict[tuple[bool, str], list[_Shown]] = {}
    for place, (histories, signers) in enumerate(objects):
        own = [one for one in signers if one.role not in _OTHERS]
        kids = [one.kid for one in own]
        reached = all(one.reached != "none" for one in own)
        if reached:
            # An endorsement alone is anybody's word, so that a stranger's object would be taken for the service's.
            _add_endorsing(kids, histories)
        for history in histories:
            shown = _Shown(place, history, tuple(kids))
            streams.setdefault((reached, history.stream_id), []).append(shown)
    found: list[Contradiction] = []
    for (reached, stream_id), all_shown in streams.items():
        if len(all_shown) > 1:
            for group in _by_signer(all_shown):
                found += _in_stream(stream_id, group, reached)
    return found


def _add_endorsing(kids: list[str], histories: Sequence[History]) -> None:
    """Add each key that endorses one of these, and those that endorse it."""
    endorsing: dict[str, list[str]] = {}
    for history in histories:
        for by, kid in history.endorsed:
            endorsing.setdefault(kid, []).append(by)
    known = set(kids)
    # A list that grows while it is gone through is gone through to its end.
    for kid in kids:
        for by in endorsing.get(kid, ()):
            if by not in known:
                known.add(by)
                kids.append(by)


def _by_signer(all_shown: list[_Shown]) -> list[list[_Shown]]:
    """Divide what is shown into groups that share no key."""
    # Leads from a key to another one of its group, and from the last of them nowhere. Each search halves its way.
    onward: dict[str, str] = {}

    def last(kid: str) -> str:
        while kid in onward:
            further = onward.get(onward[kid])
            if further is not None:
                onward[kid] = further
            kid = onward[kid]
        return kid

    for one in all_shown:
        for kid in one.kids:
            start, end = last(kid), last(one.kids[0])
            if start != end:
                onward[start] = end
    groups: dict[str, list[_Shown]] = {}
    for one in all_shown:
        if one.kids:
            groups.setdefault(last(one.kids[0]), []).append(one)
    return list(groups.values())


def _in_stream(stream_id: str, group: list[_Shown], reached: bool) -> list[Contradiction]:
    found: dict[int, Contradiction] = {}
    places = {
        "seq_no": _differing_events(group),
        "window_no": _differing((one.place, one.history.windows) for one in group),
        "window_count": _differing((one.place, one.history.roots) for one in group),
    }
    for place, differences in places.items():
        for at, one, other in differences:
            left, right = min(one, other), max(one, other)
            # Places come in order, so the first is kept.
            if left != right and right not in found:
                found[right] = Contradiction(stream_id, left, right, place, at, reached)
    return [found[right] for right in sorted(found)]


# The place, and the two objects.
_Difference = tuple[int, int, int]


def _by_place(difference: _Difference) -> tuple[int, int]:
    at, _, other = difference
    return at, other


def _differing(shown: Iterator[tuple[int, dict[int, str]]]) -> list[_Difference]:
    known: dict[int, tuple[str, int]] = {}
    found: list[_Difference] = []
    for index, hashes in shown:
        for at, own in hashes.items():
            before, first = known.setdefault(at, (own, index))
            if before != own:
                found.append((at, first, index))
    return sorted(found, key=_by_place)


def _differing_events(group: list[_Shown]) -> list[_Difference]:
    runs = [(one.history, one.place) for one in group if one.history.events]
    # The longest of those that begin together comes first, so that it covers the others.
    runs.sort(key=lambda run: (run[0].first, -run[0].last, run[1]))
    found: list[_Difference] = []
    # The run that reaches furthest so far.
    furthest: tuple[History, int] | None = None
    for history, index in runs:
        if furthest is not None:
            before, first = furthest
            last = min(before.last, history.last)
            if last >= history.first and before.at(last) != history.at(last):
                found.append((_first_difference(before, history, last), first, index))
                continue
        if furthest is None or history.last > furthest[0].last:
            furthest = history, index
    return sorted(found, key=_by_place)


def _first_difference(one: History, other: History, last: int) -> int:
    """Return the first event that both show and that differs; the one at `last` does."""
    same, different = max(one.first, other.first) - 1, last
    while different - same > 1:
        middle = (same + different) // 2
        if one.at(middle) == other.at(middle):
            same = middle
        else:
            different = middle
    return different
