"""Reading the members of a request. What has another form is `malformed_request`, and the message says where."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

_HEX = re.compile("(?:[0-9a-f]{2})*").fullmatch
_DIGITS = re.compile("0|[1-9][0-9]*").fullmatch
MAX_SIZE = 2**53 - 1


class Refused(Exception):
    """An answer with `ok: false`: its code, and members besides."""

    def __init__(self, code: str, message: str = "", **members: Any) -> None:
        super().__init__(message or code)
        self.code = code
        self.members = members


def malformed(where: str) -> Refused:
    """Return the refusal of a member that has another form."""
    return Refused("malformed_request", f"{where} does not have the form that the operation asks for")


def text(value: Any, where: str) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise malformed(where)
    return value


def hex_bytes(value: Any, where: str) -> bytes:
    """Return the bytes of lowercase hex."""
    if not isinstance(value, str) or _HEX(value) is None:
        raise malformed(where)
    return bytes.fromhex(value)


def base64_bytes(value: Any, where: str) -> bytes:
    """Return the bytes of standard base64 with padding, canonical."""
    try:
        data = base64.b64decode(text(value, where), validate=True)
    except (binascii.Error, ValueError):
        raise malformed(where) from None
    if base64.b64encode(data).decode() != value:
        raise malformed(where)
    return data


def size(value: Any, where: str) -> int:
    """Return a size or index: a number, or the digits of one. Past 2^53-1 it is `malformed`, and never rounded."""
    if isinstance(value, str) and _DIGITS(value):
        if len(value) > 16 or int(value) > MAX_SIZE:
            raise Refused("malformed", f"{where} is past 2^53-1")
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_SIZE:
        raise malformed(where)
    return value


def items(value: Any, where: str) -> list[Any]:
    """Return an array."""
    if not isinstance(value, list):
        raise malformed(where)
    return value


def closed(value: Any, where: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return an object of exactly these members."""
    if not isinstance(value, dict) or not set(required) <= value.keys() <= {*required, *optional}:
        raise malformed(where)
    return value
