"""Key names of C2SP signed notes (section 5): not empty, no Unicode white space, no plus, no control character."""

from __future__ import annotations

from .._schema.formats import has_format


def is_key_name(text: str) -> bool:
    """Return whether a text is a key name."""
    return has_format("key-name", text)
