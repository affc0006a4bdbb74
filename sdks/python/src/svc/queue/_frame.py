"""The records of a spool file (docs/append-queue.md, "A record").

A record is 12 bytes, little-endian (length of the body, CRC-32 of the body, CRC-32 of these 8 bytes), and a body: a
line of JSON that says what it is, and one line for each event. A record counts only if it is whole.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

HEADER_BYTES = 12
# Every body begins so.
_BEGINNING = b'{"kind":'
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class SpoolRecord(NamedTuple):
    """A record as it was read."""

    head: Mapping[str, Any]
    # The events' texts.
    lines: list[bytes]
    # The offset of the next record.
    end: int


def encode_record(head: Mapping[str, Any], texts: Sequence[bytes] = ()) -> bytes:
    """Return a record as bytes."""
    body = b"\n".join((_encode(head).encode(), *texts))
    header = struct.pack("<II", len(body), crc32(body))
    return b"".join((header, struct.pack("<I", crc32(header)), body))


def record_length(data: bytes, offset: int) -> int | None:
    """Return the length of a record in bytes, by its header, which must be there; None if the header is damaged."""
    length, _, check = struct.unpack_from("<III", data, offset)
    return HEADER_BYTES + int(length) if crc32(data[offset : offset + 8]) == check else None


def read_record(data: bytes, offset: int) -> SpoolRecord | None:
    """Return the record at an offset; None if none is whole there."""
    if len(data) - offset < HEADER_BYTES:
        return None
    length = record_length(data, offset)
    if length is None or len(data) - offset < length:
        return None
    body = data[offset + HEADER_BYTES : offset + length]
    if crc32(body) != struct.unpack_from("<I", data, offset + 4)[0]:
        return None
    head, *lines = body.split(b"\n")
    return SpoolRecord(json.loads(head), lines, offset + length)


def is_torn(data: bytes, offset: int) -> bool:
    """Return whether the bytes from an offset on, which begin with no whole record, are left from an interrupted write.

    Otherwise the disk has lost something that was on it. An interrupted write lacks its end, or pages that never
    reached the disk and read as zeros: its header then begins or ends with a zero, or its body contains one, which no
    whole body does. And no later record says that this one was on the disk.
    """
    rest = len(data) - offset
    if rest >= HEADER_BYTES:
        length = record_length(data, offset)
        if length is None and data[offset] != 0 and data[offset + HEADER_BYTES - 1] != 0:
            return False
        if length is not None and rest >= length and 0 not in data[offset + HEADER_BYTES : offset + length]:
            return False
    body = data.find(_BEGINNING, offset + 1 + HEADER_BYTES)
    while body >= 0:
        later = None if record_length(data, body - HEADER_BYTES) is None else read_record(data, body - HEADER_BYTES)
        if later is not None and later.head["synced"] > offset:
            return False
        body = data.find(_BEGINNING, body + 1)
    return True
