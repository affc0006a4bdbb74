"""One problem of a report in words: its place by path and by event number, the fault, the expected and actual value."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from .._generated.codes import CODES
from .._generated.words import DISTRUST, JSON_FAULTS
from .text import escape_text, grouped, grouped_in, shorten

# How many characters are shown of a text that is no JSON.
_SHOWN_CHARACTERS = 24


class Described(NamedTuple):
    """A problem as people read it. `place`: empty where it is about the whole file."""

    code: str
    is_distrust: bool
    place: str
    sentences: list[str]
    expected: str
    actual: str


def is_distrust(problem: dict[str, Any]) -> bool:
    """Return whether a problem leaves the evidence unbroken, and only says that trust does not reach its signer."""
    return problem["code"] in DISTRUST


def in_order(problems: list[Any]) -> list[Any]:
    """Return first what does not hold, then what is only not trusted."""
    return sorted(problems, key=is_distrust)


def describe(problem: dict[str, Any], json_fault: tuple[str, ...]) -> Described:
    """Describe a problem, whose texts are escaped. `json_fault`: see `json_fault_at`."""
    code, path = problem["code"], problem["path"]
    if CODES[code]["check"] == "json" and path == "":
        return Described(code, is_distrust(problem), "", [CODES[code]["meaning"], *json_fault], "", "")
    number = _number_of(problem)
    is_said = number is not None and re.search(rf"\b{number}\b", problem["message"], re.IGNORECASE) is not None
    # The root object is the whole, and the heading says its number.
    is_plain = number is None or is_said or path.rfind("/") <= 0
    place = shorten(path) if is_plain or number is None else f"{shorten(path)} ({grouped_in(number)})"
    expected, actual = problem.get("expected") or "", problem.get("actual") or ""
    # Two values that look alike when shortened are shown whole.
    if shorten(expected) != shorten(actual):
        expected, actual = shorten(expected), shorten(actual)
    return Described(code, is_distrust(problem), place, [grouped_in(shorten(problem["message"]))], expected, actual)


def _number_of(problem: dict[str, Any]) -> str | None:
    for member, noun in (("seq_no", "event"), ("window_no", "window"), ("checkpoint_no", "checkpoint")):
        if problem.get(member) is not None:
            return f"{noun} {problem[member]}"
    return None


def json_fault_at(data: bytes, offset: int) -> tuple[str, ...]:
    """Return the sentences about the byte of a text at which it stops being JSON: its line, and what is there."""
    line, column = data.count(b"\n", 0, offset) + 1, offset - data.rfind(b"\n", 0, offset)
    where = JSON_FAULTS["place"]
    for name, number in (("offset", offset), ("line", line), ("column", column)):
        where = where.replace(f"{{{name}}}", grouped(number))
    if ends_early(data, offset):
        return where, JSON_FAULTS["ends"]
    # No character has more than four bytes, and the last one may be cut.
    text = data[offset : offset + 4 * _SHOWN_CHARACTERS + 3].decode("utf-8", "replace").removeprefix("\ufeff")
    shown = re.split(r"(?<=[\s\S])\r?\n", text, maxsplit=1)[0][:_SHOWN_CHARACTERS]
    return where, JSON_FAULTS["there"].replace("{text}", escape_text(shown))


def ends_early(data: bytes, offset: int) -> bool:
    """Return whether the parser ran out of bytes: at the end, or in the middle of a last character."""
    left = data[offset : offset + 4]
    lead = left[0] if left else 0
    length = 4 if lead >= 0xF0 else 3 if lead >= 0xE0 else 2 if lead >= 0xC0 else 0
    return not left or len(left) < length
