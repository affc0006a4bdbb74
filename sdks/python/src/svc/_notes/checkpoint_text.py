"""The text of a checkpoint's note (section 9): origin, size and root, on three lines or with extension lines behind."""

from __future__ import annotations

import base64
import re
from typing import NamedTuple

from .base64_text import decode

_SIZE = re.compile("0|[1-9][0-9]{0,15}").fullmatch
MAX_SIZE = 2**53 - 1


class CheckpointText(NamedTuple):
    """What a note's text says of a tree; `has_extensions`: more lines are behind, which mean nothing here."""

    origin: str
    size: int
    root: bytes
    has_extensions: bool


def checkpoint_text(origin: str, size: int, root: bytes) -> str:
    """Return the text of a note: three lines, each with its newline."""
    return f"{origin}\n{size}\n{base64.b64encode(root).decode()}\n"


def parse_checkpoint_text(text: str) -> CheckpointText | None:
    """Return what a note's text says; None for a text of another form."""
    lines = text.split("\n")
    if len(lines) < 4 or lines.index("") != len(lines) - 1 or _SIZE(lines[1]) is None:
        return None
    size, root = int(lines[1]), decode(lines[2])
    if root is None or len(root) != 32 or size > MAX_SIZE:
        return None
    return CheckpointText(lines[0], size, root, len(lines) > 4)
