"""Standard base64, padded and canonical: one text for each byte string."""

from __future__ import annotations

import base64
import binascii


def decode(text: str) -> bytes | None:
    """Return the bytes of a base64 text; None for any text that is not the one that stands for them."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if base64.b64encode(data).decode() == text else None
