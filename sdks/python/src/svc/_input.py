"""Reads what the caller hands in: bytes, a path, or an open binary file. Nothing else is guessed at."""

from __future__ import annotations

import os
import re
from typing import IO, Any, Union

from ._errors import EvidenceTooLarge

Evidence = Union[bytes, bytearray, memoryview, "str", "os.PathLike[str]", "IO[bytes]"]
# The most that is read: 4 GiB, the most that the format of packages holds.
MAX_BYTES = 4 * 1024**3
# No path is as long, and none has such characters.
_LONGEST_PATH = 4096
_NO_PATH = re.compile(r"\s*[{\[]|[\s\S]*[\0\n\r]")


def read_evidence(evidence: Any) -> bytes:
    """Return the bytes of evidence.

    Raises TypeError for anything but bytes, a path, or a binary file, OSError for a file that cannot be read, and
    EvidenceTooLarge.
    """
    if isinstance(evidence, bytes):
        return evidence
    if isinstance(evidence, (bytearray, memoryview)):
        return bytes(evidence)
    if isinstance(evidence, (str, os.PathLike)):
        path = os.fspath(evidence)
        if isinstance(path, str) and (len(path) > _LONGEST_PATH or _NO_PATH.match(path)):
            raise TypeError(
                "a text that looks like evidence is not taken for a path: hand in the bytes as they came, "
                "as open(path, 'rb') or response.content gives them"
            )
        with open(path, "rb") as file:
            return _read(file, os.fstat(file.fileno()).st_size)
    if isinstance(evidence, (dict, list)):
        raise TypeError(
            "parsed JSON cannot be verified: a reader has already dropped repeated names and rounded numbers. "
            "Hand in the bytes as they came"
        )
    if callable(getattr(evidence, "read", None)):
        return _read(evidence, 0)
    raise TypeError(f"evidence is bytes, a path or a binary file, and not {type(evidence).__name__}")


def _read(file: Any, size: int) -> bytes:
    """Return the content of a file, once: what changes meanwhile is judged as it was read."""
    if size > MAX_BYTES:
        raise EvidenceTooLarge(f"The file has {size} bytes, and no evidence more than {MAX_BYTES}.")
    try:
        data = file.read(MAX_BYTES + 1)
    except MemoryError:
        raise EvidenceTooLarge("The file is larger than the memory that there is.") from None
    if not isinstance(data, bytes):
        raise TypeError("the file is open for text: open it with 'rb', since evidence is bytes")
    if len(data) > MAX_BYTES:
        raise EvidenceTooLarge(f"The file has more than {MAX_BYTES} bytes, and no evidence has.")
    return data
