"""The words about a fork: where two histories differ, and what evidence of a fork shows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .._generated.words import FORK_WORDS
from .text import counted, escape_text, grouped

if TYPE_CHECKING:
    from .._report.model import Report

# The members of a side that say where it stands, each with the place that it is.
_PLACES = (
    ("seq_no", "seq_no"),
    ("window_no", "window_no"),
    ("window_count", "window_count"),
    ("log_size", "window_count"),
)


def history_place(place: str, at: int) -> str:
    """Return where two histories differ, in words. `place`: `seq_no`, `window_no` or `window_count`."""
    if place == "seq_no":
        return str(FORK_WORDS["event"]).format(number=grouped(at))
    if place == "window_no":
        return str(FORK_WORDS["window"]).format(number=grouped(at))
    return str(FORK_WORDS["tree"]).format(windows=counted(at, "window"))


def fork_shown(report: Report, kind: str | None, data: bytes) -> str:
    """Return what evidence of a fork shows that holds, with its stream and place; empty for anything else.

    It is a good verdict that is bad news. `kind`: the one that the call asked for; a call for forks asks whether such
    evidence holds, and has its answer. It decodes without verifying.
    """
    if kind is not None or report.kind != "fork" or report.verdict != "verified":
        return ""
    stream = report.subject.stream_id
    where = _place_of(json.loads(data), stream)
    words = {"stream": escape_text(stream or FORK_WORDS["log"]), "place": where}
    return str(FORK_WORDS["shown_at" if where else "shown"]).format_map(words)


def _place_of(fork: dict[str, Any], stream: str | None) -> str:
    least: dict[str, int] = {}
    for side in (fork.get("left"), fork.get("right")):
        found: list[tuple[str, int]] = []
        if isinstance(side, str):
            # A signed note has the size of its tree in its second line.
            found = [("window_count", int(side.split("\n")[1]))]
        elif isinstance(side, dict):
            found = [(place, side[name]) for name, place in _PLACES if isinstance(side.get(name), int)]
        for place, at in found:
            least[place] = min(at, least.get(place, at))
    for place in ("seq_no", "window_no", "window_count"):
        if place in least:
            if place == "window_count" and stream is None:
                return str(FORK_WORDS["entries"]).format(number=grouped(least[place]))
            return history_place(place, least[place])
    return ""
