"""Which names entries may have (section 15): relative paths that mean the same file on every system."""

from __future__ import annotations

import re

_HOME = re.compile("~|(?:home|users|root|documents and settings)(?:/|$)").match
_DEVICE = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)[0-9]|(?:conin|conout|clock)\$) *(?:\.|$)").match
_METADATA = frozenset({"__macosx", ".ds_store"})


def is_ascii(name: bytes) -> bool:
    """Return whether all bytes of a name are printable ASCII."""
    return all(0x20 <= byte <= 0x7E for byte in name)


def is_forbidden(path: str) -> bool:
    """Return whether a path may not be in a package."""
    lower = path.lower()
    if not path or "\\" in path or ":" in path or path.startswith("/") or _HOME(lower):
        return True
    return any(
        segment in ("", ".", "..")
        or segment in _METADATA
        or segment.startswith("._")
        or segment[-1] in ". "
        or _DEVICE(segment) is not None
        for segment in lower.removesuffix("/").split("/")
    )
