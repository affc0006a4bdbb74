"""The bounds of a report: it stays readable and small for any input."""

from __future__ import annotations

from .._generated.limits import VERIFIER

MAX_UNITS: int = VERIFIER["max_text_utf16_units"]


def cut(text: str) -> str:
    """Return a text of at most 1000 UTF-16 units, or its beginning and an ellipsis."""
    if len(text) <= MAX_UNITS // 2:
        return text
    units = text.encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * MAX_UNITS:
        return text
    # A cut through a character leaves a lone half of it, in place of which U+FFFD stands.
    return units[: 2 * MAX_UNITS].decode("utf-16-le", "replace") + "…"
