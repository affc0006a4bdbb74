"""RFC 8785 canonical JSON of a value (J in protocol section 1)."""

from __future__ import annotations

import json
import re
from json.encoder import encode_basestring
from typing import Any

from .reference.numbers import text_of

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False).encode
# Where json's own encoder could write other bytes than RFC 8785: a number that is no small integer, and names with
# characters that UTF-16 orders otherwise than code points. A text in a string may look like either, which costs time
# and changes nothing.
_DOUBTFUL = re.compile('(?:^|":|[,\\[])-?[0-9]+(?:[.eE]|(?<=[0-9]{16}))|[\ue000-\U0010ffff]').search


def canonicalize(value: Any) -> bytes:
    """Return the canonical bytes of a JSON value.

    `value`: dict with str keys, list, str, bool, None, int or finite float. An int is read as the double next to it.
    Raises ValueError or TypeError for anything else.
    """
    text = _encode(value)
    if _DOUBTFUL(text) is not None:
        text = _text_of(value)
    return text.encode()


def canonicalize_plain(value: Any) -> bytes:
    """Return the canonical bytes of a value whose names are ASCII and whose numbers are integers up to 2^53.

    It does not look whether they are: it is for protocol objects whose shape was checked.
    """
    return _encode(value).encode()


def _text_of(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, (int, float)):
        return text_of(float(value))
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{encode_basestring(name)}:{_text_of(value[name])}" for name in names) + "}"
    return "[" + ",".join(map(_text_of, value)) + "]"
