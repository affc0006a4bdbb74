"""Reads an archive (section 15): every byte belongs to one record, and both sorts of headers say the same.

Nothing is unpacked before all of this holds.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from typing import NamedTuple

from .._generated.limits import VERIFIER
from .._kernel.interface import Kernel
from .names import is_ascii, is_forbidden

MAX_EXPANDED_BYTES: int = VERIFIER["max_expanded_bytes"]
MAX_RATIO: int = VERIFIER["max_expansion_ratio"]
_END = struct.Struct("<4s4HIIH")
# Version needed, flags, method, time, date, CRC-32, packed size, size, length of the name, of the extra fields.
_SHARED = struct.Struct("<5HIII2H")
_UTF8_FLAG, _EFFORT_FLAGS, _DESCRIPTOR_FLAG = 1 << 11, 6, 1 << 3
_ENCRYPTED_FLAGS = 1 | 1 << 6 | 1 << 13
_STORED, _DEFLATED = 0, 8
_VERSION_NEEDED = 20
# A volume label, a folder, a device, a link (reparse point).
_NO_FILE_OF_DOS = 0x08 | 0x10 | 0x40 | 0x400


class ArchiveFault(NamedTuple):
    """A reason to refuse an archive. `entry`: the path of an entry; None for the whole."""

    code: str
    entry: str | None
    message: str


class Entry(NamedTuple):
    """An entry whose headers hold."""

    path: str
    is_deflated: bool
    crc32: int
    size: int
    packed: bytes
    version_needed: int
    flags: int
    method: int
    attributes: int


class _Malformed(Exception):
    """A byte that is not in its place."""


def read_archive(data: bytes) -> tuple[list[Entry], list[ArchiveFault]]:
    """Return the entries of an archive in their order, and every reason to refuse it. Nothing is unpacked.

    Reasons are in the order of the entries, each code once for a path, and that of the whole is the last.
    """
    try:
        entries = _headers(data)
    except _Malformed as error:
        return [], [ArchiveFault("archive_malformed", None, str(error))]
    seen: set[str] = set()
    faults: list[ArchiveFault] = []
    for entry in entries:
        faults += _faults(entry, entry.path.lower() in seen)
        seen.add(entry.path.lower())
    if sum(entry.size for entry in entries) > MAX_EXPANDED_BYTES:
        faults.append(ArchiveFault("archive_too_large", None, "The entries expand to more than 4 GiB."))
    first: dict[tuple[str, str | None], ArchiveFault] = {}
    for fault in faults:
        first.setdefault((fault.code, fault.entry), fault)
    return entries, list(first.values())


def unpack(kernel: Kernel, entry: Entry, take: Callable[[bytes], object]) -> bool:
    """Pass on the content of an entry, piece by piece. Returns whether it is as the headers declare."""
    state = [0, 0]

    def checked(piece: bytes) -> None:
        state[0] = zlib.crc32(piece, state[0])
        state[1] += len(piece)
        take(piece)

    if entry.is_deflated:
        if not kernel.inflate(entry.packed, entry.size, checked):
            return False
    else:
        checked(entry.packed)
    return state == [entry.crc32, entry.size]


def _headers(data: bytes) -> list[Entry]:
    end = len(data) - _END.size
    if end < 0 or data[end : end + 4] != b"PK\x05\x06":
        raise _Malformed("It does not end with the end record of a ZIP archive.")
    _, disk, start_disk, own_count, count, size, directory, comment = _END.unpack_from(data, end)
    if 0xFFFF in (count,) or 0xFFFFFFFF in (size, directory):
        raise _Malformed("It is in the form ZIP64.")
    if disk or start_disk or own_count != count or comment or directory + size != end:
        raise _Malformed("It is a part of several, has a comment, or its directory is not where it should be.")
    entries: list[Entry] = []
    at, local = directory, 0
    for _ in range(count):
        entry, at, local = _entry(data, at, local, directory, end)
        entries.append(entry)
    if at != end or local != directory:
        raise _Malformed("There is data between or behind the entries.")
    return entries


def _entry(data: bytes, at: int, local: int, directory: int, end: int) -> tuple[Entry, int, int]:
    """Read an entry by both of its headers. Returns it, and where the next ones begin."""
    if at + 46 > end or data[at : at + 4] != b"PK\x01\x02":
        raise _Malformed(f"No header of an entry is at byte {at}.")
    shared = data[at + 6 : at + 32]
    version, flags, method, _, _, crc, packed, size, name_size, extra = _SHARED.unpack(shared)
    comment, disk, _, attributes, start = struct.unpack_from("<3HII", data, at + 32)
    content = local + 30 + name_size
    if extra or comment or disk or start != local or at + 46 + name_size > end or content + packed > directory:
        raise _Malformed(f"The header at byte {at} has extra fields, or its entry is not where it should be.")
    name = data[at + 46 : at + 46 + name_size]
    if data[local : local + 4] != b"PK\x03\x04" or data[local + 4 : local + 30] != shared:
        raise _Malformed(f"The headers at bytes {local} and {at} do not say the same.")
    if data[local + 30 : content] != name:
        raise _Malformed(f"The headers at bytes {local} and {at} do not name the same.")
    if not is_ascii(name):
        raise _Malformed(f"The entry at byte {local} has a name that is not printable ASCII.")
    entry = Entry(
        name.decode("ascii"), method == _DEFLATED, crc, size, data[content : content + packed], version, flags, method,
        attributes,
    )  # fmt: skip
    return entry, at + 46 + name_size, content + packed


def _faults(entry: Entry, is_repeated: bool) -> list[ArchiveFault]:
    is_stored = entry.method == _STORED
    allowed = _UTF8_FLAG | (0 if is_stored else _EFFORT_FLAGS)
    kind = entry.attributes >> 28
    reasons = {
        "is encrypted": bool(entry.flags & _ENCRYPTED_FLAGS),
        "states its size behind its content": bool(entry.flags & _DESCRIPTOR_FLAG),
        "has flags that mean nothing here": bool(
            entry.flags & ~(allowed | _ENCRYPTED_FLAGS | _DESCRIPTOR_FLAG) & 0xFFFF
        ),
        "is packed by another method than 0 and 8": not is_stored and entry.method != _DEFLATED,
        "needs a version above 2.0": entry.version_needed > _VERSION_NEEDED,
        "is not packed, and states two sizes": is_stored and entry.size != len(entry.packed),
        "is no ordinary file": kind not in (0, 8) or bool(entry.attributes & _NO_FILE_OF_DOS),
        "is a folder": entry.path.endswith("/"),
        "has a name that some systems take for that of another entry": is_repeated,
    }
    faults = [
        ArchiveFault("archive_malformed", entry.path, f"The entry {reason}.")
        for reason, holds in reasons.items()
        if holds
    ]
    if is_forbidden(entry.path):
        message = "The entry has a path that no package may have."
        faults.append(ArchiveFault("archive_path_forbidden", entry.path, message))
    if entry.size > MAX_RATIO * len(entry.packed):
        message = f"The entry expands to {entry.size} bytes, over {MAX_RATIO}:1."
        faults.append(ArchiveFault("archive_too_large", entry.path, message))
    return faults
