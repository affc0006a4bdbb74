"""Texts for a terminal: escaped, wrapped to 80 columns, numbers grouped, long texts shortened."""

from __future__ import annotations

import re
from typing import Any

from .._generated.words import ESCAPED_CODE_POINTS, SHORTENED

COLUMNS = 80
_LONG_HEX: int = SHORTENED["hex_characters"]
_LONG_TEXT: int = SHORTENED["text_characters"]


def _class(ranges: list[list[int]]) -> str:
    return "[" + "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges) + "]"


_UNSAFE = re.compile(_class(ESCAPED_CODE_POINTS))
_NUMBER_IN_TEXT = re.compile(r"\b((?:events?|windows?|checkpoints?|to|and) )([0-9]{4,15})\b", re.IGNORECASE)


def escape_text(text: str) -> str:
    """Return a text in which nothing can act on a terminal: each unsafe character as `\\u{..}`."""
    return _UNSAFE.sub(lambda match: f"\\u{{{ord(match[0]):x}}}", text)


def escape_json(text: str) -> str:
    """Return JSON text in which nothing can act on a terminal; any parser reads it back."""
    return _UNSAFE.sub(lambda match: "".join(f"\\u{unit:04x}" for unit in _utf16(match[0])), text)


def _utf16(character: str) -> list[int]:
    data = character.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)]


def escape_all(value: Any) -> Any:
    """Return a copy of plain data in which every text is escaped."""
    if isinstance(value, str):
        return escape_text(value)
    if isinstance(value, (list, tuple)):
        return [escape_all(one) for one in value]
    if isinstance(value, dict):
        return {name: escape_all(member) for name, member in value.items()}
    return value


def wrap(text: str, first: str = "  ", rest: str = "  ") -> list[str]:
    """Return a text in lines, wrapped at spaces; a word longer than a line is cut at the line's end.

    `first`, `rest`: what is before the first line, and before each following one.
    """
    lines, line, is_empty = [], first, True
    for word in filter(None, text.split(" ")):
        left = word
        if not is_empty and len(line) + 1 + len(left) > COLUMNS:
            lines.append(line)
            line, is_empty = rest, True
        while True:
            room = COLUMNS - len(line) - (0 if is_empty else 1)
            line += ("" if is_empty else " ") + left[:room]
            is_empty, left = False, left[room:]
            if not left:
                break
            lines.append(line)
            line, is_empty = rest, True
    return [*lines, line]


def grouped(count: int) -> str:
    """Return 1707 as `1,707`."""
    return f"{count:,}"


def grouped_in(sentence: str) -> str:
    """Return a sentence with the numbers of events, windows and checkpoints grouped."""
    return _NUMBER_IN_TEXT.sub(lambda match: f"{match[1]}{int(match[2]):,}", sentence)


def counted(count: int, one: str, many: str | None = None) -> str:
    """Return `1 window`, `7 windows`."""
    return f"{grouped(count)} {one if count == 1 else many or one + 's'}"


def shorten(text: str) -> str:
    """Return a hash or key as its first and last 8 characters; any other text whole, unless it is very long."""
    if len(text) > _LONG_HEX and re.fullmatch("[0-9a-f]+", text):
        return f"{text[:8]}…{text[-8:]}"
    half = _LONG_TEXT // 2
    return text if len(text) <= _LONG_TEXT else f"{text[:half]}…{text[-half:]}"


def in_groups(fingerprint: str) -> str:
    """Return a fingerprint in groups of four, to read out and compare."""
    return " ".join(fingerprint[at : at + 4] for at in range(0, len(fingerprint), 4))
