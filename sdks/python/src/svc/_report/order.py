"""The order of a report's problems within one check (section 16)."""

from __future__ import annotations

from .._generated.codes import CODES
from .bounds import cut

_Part = tuple[int, int, bytes]
_RANK = {code: rank for rank, code in enumerate(CODES)}
# Demands that are not met: the faults of what is there come before them.
_UNMET = frozenset({"witness_quorum_unmet", "anchor_missing", "assurance_insufficient"})


def place_key(path: str, code: str) -> tuple[bool, list[_Part], int, _Part]:
    """Return what sorts problems by the objects and lists in which their paths end, an object before what is in it.

    Then come their codes, in the order of the table, and then their members. Numbers go by value and before names,
    names by their UTF-16 code units. `path`: JSON Pointer; what a report does not show of it decides nothing.
    """
    *holders, last = cut(path).split("/") if "/" in path else [path, ""]
    return code in _UNMET, [_part(one) for one in holders], _RANK[code], _part(last)


def _part(part: str) -> _Part:
    if part.isascii() and part.isdigit():
        return (0, len(part), part.encode())
    return (1, 0, part.encode("utf-16-be", "surrogatepass"))
