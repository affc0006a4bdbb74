"""Cosignatures of C2SP cosignature/v1 (section 10): a witness's word that it saw a note's text at a time."""

from __future__ import annotations

from typing import NamedTuple

from .._kernel.interface import SignatureItem

# The length behind the key id of a line by ML-DSA-44, of type 0x06.
ML_DSA_LENGTH = 2428
MAX_TIME = 2**53 - 1


class Cosignature(NamedTuple):
    """The time in Unix seconds, and the signature of 64 bytes."""

    time: int
    signature: bytes


def parse_cosignature(data: bytes) -> Cosignature | None:
    """Return what is behind the key id of a cosignature line; None for another length or time."""
    if len(data) != 72:
        return None
    time = int.from_bytes(data[:8], "big")
    return Cosignature(time, data[8:]) if 1 <= time <= MAX_TIME else None


def cosigned(key: bytes, text: str, time: int, signature: bytes) -> SignatureItem:
    """Return the signature of a cosignature, to be checked. `text`: the note's text."""
    return SignatureItem(key, f"cosignature/v1\ntime {time}\n{text}".encode(), signature)
