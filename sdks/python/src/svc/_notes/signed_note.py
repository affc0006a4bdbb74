"""The syntax of C2SP signed notes (section 9): a text, an empty line, and 1 to 64 signature lines."""

from __future__ import annotations

import re
from typing import NamedTuple

from .._generated.limits import VERIFIER
from .base64_text import decode
from .key_name import is_key_name

MAX_LINES: int = VERIFIER["max_note_lines"]
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f]").search
_LINE = re.compile("— ([^ ]+) ([^ ]+)").fullmatch


class NoteLine(NamedTuple):
    """A signature line: the name of the key, its id of 4 bytes, and what is behind the id."""

    name: str
    key_id: bytes
    signature: bytes


class SignedNote(NamedTuple):
    """A note. `text`: what is signed, up to and with its last newline."""

    text: str
    lines: tuple[NoteLine, ...]


def parse_note(note: str) -> SignedNote | None:
    """Return the parts of a signed note; None for a text that does not have the syntax."""
    if _CONTROL(note) is not None:
        return None
    text, separator, rest = note.rpartition("\n\n")
    if not separator or not rest.endswith("\n"):
        return None
    lines = [_line(line) for line in rest[:-1].split("\n")]
    if len(lines) > MAX_LINES:
        return None
    known = tuple(line for line in lines if line is not None)
    return SignedNote(text + "\n", known) if len(known) == len(lines) else None


def _line(text: str) -> NoteLine | None:
    match = _LINE(text)
    if match is None or not is_key_name(match[1]):
        return None
    data = decode(match[2])
    return None if data is None or len(data) <= 4 else NoteLine(match[1], data[:4], data[4:])
