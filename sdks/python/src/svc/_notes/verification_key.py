"""C2SP verification keys: a name, a key id and a key with its type, as `name+id+base64` (section 16)."""

from __future__ import annotations

import re
from collections.abc import Container
from hashlib import sha256
from typing import NamedTuple

from .base64_text import decode
from .key_name import is_key_name

ED25519 = 0x01
COSIGNATURE = 0x04
ML_DSA_44 = 0x06
_LENGTHS = {ED25519: 32, COSIGNATURE: 32, ML_DSA_44: 1312}
_ID = re.compile("[0-9a-f]{8}").fullmatch


class VerificationKey(NamedTuple):
    """A key of a known type: 32 bytes of Ed25519, or 1312 of ML-DSA-44."""

    name: str
    key_id: bytes
    type: int
    key: bytes


class KeyFault(Exception):
    """A text that is no verification key: `malformed`, `kid_mismatch` or `unsupported_object`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def key_id_of(name: str, kind: int, key: bytes) -> bytes:
    """Return the key id: the first 4 bytes of SHA-256 of name, newline, type and key."""
    return sha256(name.encode() + b"\n" + bytes([kind]) + key).digest()[:4]


def parse_verification_key(text: str, types: Container[int] = (ED25519, COSIGNATURE, ML_DSA_44)) -> VerificationKey:
    """Return the key of a text, which is of one of these types. Raises KeyFault."""
    name, plus, rest = text.partition("+")
    key_id, second_plus, encoded = rest.partition("+")
    data = decode(encoded)
    if not plus or not second_plus or not is_key_name(name) or _ID(key_id) is None or data is None or len(data) < 2:
        raise KeyFault("malformed")
    kind, key = data[0], data[1:]
    if kind not in types:
        raise KeyFault("unsupported_object")
    if len(key) != _LENGTHS[kind]:
        raise KeyFault("malformed")
    if key_id_of(name, kind, key).hex() != key_id:
        raise KeyFault("kid_mismatch")
    return VerificationKey(name, bytes.fromhex(key_id), kind, key)
