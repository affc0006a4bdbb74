"""Reads what the caller hands in: bytes, a path, or an open binary file. Nothing else is guessed at."""

from __future__ import annotations

import os
from typing import IO, Any, Union

Evidence = Union[bytes, bytearray, memoryview, "str", "os.PathLike[str]", "IO[bytes]"]


def read_evidence(evidence: Any) -> bytes:
    """Return the bytes of evidence. Raises TypeError for anything but bytes, a path, or a binary file, and OSError."""
    if isinstance(evidence, bytes):
        return evidence
    if isinstance(evidence, (bytearray, memoryview)):
        return bytes(evidence)
    if isinstance(evidence, str):
        if evidence.lstrip()[:1] in ("{", "["):
            raise TypeError(
                "a text that looks like JSON is not taken for a path: hand in the bytes as they came, "
                "as open(path, 'rb') or response.content gives them"
            )
        with open(evidence, "rb") as file:
            return file.read()
    if isinstance(evidence, os.PathLike):
        with open(evidence, "rb") as file:
            return file.read()
    if isinstance(evidence, (dict, list)):
        raise TypeError(
            "parsed JSON cannot be verified: a reader has already dropped repeated names and rounded numbers. "
            "Hand in the bytes as they came"
        )
    read = getattr(evidence, "read", None)
    if callable(read):
        data = read()
        if isinstance(data, bytes):
            return data
        raise TypeError("the file is open for text: open it with 'rb', since evidence is bytes")
    raise TypeError(f"evidence is bytes, a path or a binary file, and not {type(evidence).__name__}")
