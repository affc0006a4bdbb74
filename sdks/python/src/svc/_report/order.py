"""The order of a report's problems within one check (section 16)."""

from __future__ import annotations

from .._generated.codes import CODES
from .bounds import cut

_Part = tuple[int, int, bytes]
_RANK = {code: rank for rank, code in enumerate(CODES)}
# A path goes on after a part of what contains it, and so stands before it.
_END: _Part = (2, 0, b"")


def place_key(path: str, code: str) -> tuple[list[_Part], int, _Part]:
    """Return what sorts problems by the objects and lists in which their paths end, a part before what contains it.

    Then come their codes, in the order of the table, and then their members. Numbers go by value and before names,
    names by their UTF-16 code units. `path`: JSON Pointer; what a report does not show of it decides nothing.
    """
    *holders, last = cut(path).split("/") if "/" in path else [path, ""]
    return [*map(_part, holders), _END], _RANK[code], _part(last)


def _part(part: str) -> _Part:
    if part.isascii() and part.isdigit():
        return (0, len(part), part.encode())
    return (1, 0, part.encode("utf-16-be", "surrogatepass"))
