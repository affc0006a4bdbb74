"""Forms of texts by their names: a pattern for the whole text, a bound, and what no pattern can decide."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from .._generated.formats import FORMATS

_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@cache
def pattern(text: str) -> Callable[[str], object]:
    """Return what compares a whole text with a pattern. Python's `$` would let a last newline pass."""
    return re.compile(text, re.DOTALL).fullmatch


def has_format(name: str, text: str) -> bool:
    """Return whether a text has the form of this name. Raises KeyError for an unknown name."""
    form = FORMATS[name]
    if pattern(form["pattern"])(text) is None or len(text) > form.get("max_characters", len(text)):
        return False
    rule = form.get("rule")
    return rule is None or _RULES[rule["id"]](text)


def _is_real_date(text: str) -> bool:
    year, month, day = int(text[:4]), int(text[5:7]), int(text[8:10])
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return day <= _DAYS[month - 1] + (1 if month == 2 and is_leap else 0)


def _is_origin(text: str) -> bool:
    return "://" not in text and not text.startswith(("/", "SVC-"))


_RULES: dict[str, Callable[[str], bool]] = {"real-date": _is_real_date, "origin": _is_origin}
