"""Writes a program's value as JSON text, for every request.

It refuses a value that JSON cannot carry unchanged, by name and path: `json.dumps` would put another value in its place
(a list for a tuple's subclass, `"1"` for a key 1, NaN), and the service would seal that one.
"""

from __future__ import annotations

import json
import re
from typing import Any

from .._generated.limits import VERIFIER
from ._errors import SvcError

_MAX_LEVELS: int = VERIFIER["max_nesting"]
_MAX_INTEGER: int = VERIFIER["max_safe_integer"]
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, check_circular=False).encode
_WORD = re.compile("[A-Za-z_$][A-Za-z0-9_$]*").fullmatch
_SURROGATE = re.compile("[\ud800-\udfff]").search


class _Refused(Exception):
    """A value that is refused. `path`: the names that lead to it, the innermost first."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what
        self.path: list[str | int] = []


def json_of(value: Any) -> str:
    """Return the text of a value. Raises SvcError `payload_not_json`, whose `detail["problems"]` has its JSON Pointer.

    Plain values only: None, bool, int, float, str, list, tuple, and dict with str keys, no subclasses.
    """
    try:
        _check(value, [])
        text = _encode(value)
    except _Refused as refused:
        raise _error(refused) from None
    return text


def _check(value: Any, opened: list[int]) -> None:
    kind = type(value)
    if kind is str:
        if not value.isascii() and _SURROGATE(value) is not None:
            raise _Refused("has half of a surrogate pair in it, which is no text")
    elif kind is int:
        if not -_MAX_INTEGER <= value <= _MAX_INTEGER:
            raise _Refused("is an integer beyond 2^53-1, where neighbours look alike. Give it as a text")
    elif kind is float:
        _check_float(value)
    elif kind is dict or kind is list or kind is tuple:
        _check_members(value, kind, opened)
    elif value is not None and kind is not bool:
        raise _Refused(_why_not(value, kind))


def _check_float(value: float) -> None:
    if value != value or value in (float("inf"), float("-inf")):
        raise _Refused(f"is {value}, which JSON does not have")
    if value == 0 and str(value) == "-0.0":
        raise _Refused("is -0.0, which would be recorded as 0. Give 0")
    if value.is_integer() and abs(value) > _MAX_INTEGER:
        raise _Refused(f"is {value}, an integer beyond 2^53-1, where neighbours look alike. Give it as a text")


def _check_members(value: Any, kind: type, opened: list[int]) -> None:
    if id(value) in opened:
        raise _Refused("contains itself")
    if len(opened) == _MAX_LEVELS:
        raise _Refused(f"is more than {_MAX_LEVELS} levels deep")
    opened.append(id(value))
    names = value if kind is dict else range(len(value))
    for name in names:
        if kind is dict:
            _check_name(name)
        try:
            _check(value[name], opened)
        except _Refused as refused:
            refused.path.append(name)
            raise
    opened.pop()


def _check_name(name: Any) -> None:
    if type(name) is not str:
        raise _Refused(f"has a member named by {name!r}, which is no text")
    if not name.isascii() and _SURROGATE(name) is not None:
        raise _Refused("has a member whose name has half of a surrogate pair in it")


def _why_not(value: Any, kind: type) -> str:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return "is bytes, which JSON does not have. Give a text, such as base64"
    if isinstance(value, (set, frozenset)):
        return "is a set, which JSON does not have. Give a list"
    if callable(getattr(value, "isoformat", None)):
        return f"is a {kind.__name__}, which JSON does not have. Give its isoformat()"
    return f"is of the class {kind.__name__}, which JSON does not have. Give a plain dict, list, number or text"


def _error(refused: _Refused) -> SvcError:
    path = refused.path[::-1]
    shown = "".join(map(_shown, path)).removeprefix(".") or "What was given"
    message = f"{shown} {refused.what}."
    pointer = "".join("/" + str(name).replace("~", "~0").replace("/", "~1") for name in path)
    return SvcError("payload_not_json", message, None, detail={"problems": [{"path": pointer, "message": message}]})


def _shown(name: str | int) -> str:
    return f".{name}" if isinstance(name, str) and _WORD(name) is not None else f"[{json.dumps(name)}]"
