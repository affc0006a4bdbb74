"""The text of a large bundle, cut into parts: the frame, and pieces of its records and of its payloads.

Canonical JSON has its members in one order, and no text holds an unescaped quote, so that borders are found without
reading. They are guesses all the same: each piece is parsed by itself, and the frame shows where its lists stand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

# A piece has about so many bytes.
PART_BYTES = 8_000_000
_RECORDS, _BEHIND_RECORDS = b'"receipts.json":[', b'],"windows.json":'
_PAYLOADS, _BEHIND_PAYLOADS = b',"payloads":{', b'},"seal":{'
_BETWEEN_RECORDS, _BETWEEN_PAYLOADS = b'},{"event_hash":', b'"},"sev_'

Place = tuple[int, int]


class BundleText(NamedTuple):
    """Where things are in a text: `records` with their brackets, and `payloads` with theirs, if there are any."""

    data: bytes
    start: int
    end: int
    records: Place
    payloads: Place | None

    def frame(self) -> bytes:
        """Return the text without records and payloads."""
        start, end = self.records
        if self.payloads is None:
            return b"".join((self.data[self.start : start], b"[]", self.data[end : self.end]))
        first, last = self.payloads
        parts = (self.data[self.start : start], b"[]", self.data[end:first], b"{}", self.data[last : self.end])
        return b"".join(parts)

    def places_in_frame(self) -> tuple[int, int | None]:
        """Return where the frame has its empty list and its empty object, if every guess was right."""
        at = self.records[0] - self.start
        return at, None if self.payloads is None else at + 2 + self.payloads[0] - self.records[1]

    def record_parts(self) -> Iterator[Place]:
        """Yield the places of records, without brackets, that are all of them together."""
        return _parts(self.data, self.records, _BETWEEN_RECORDS)

    def payload_parts(self) -> Iterator[Place]:
        """Yield the places of payloads, without brackets, that are all of them together."""
        return iter(()) if self.payloads is None else _parts(self.data, self.payloads, _BETWEEN_PAYLOADS)

    def text_of(self, part: Place, brackets: bytes) -> bytes:
        """Return a part as a separate value: within `[]` or `{}`."""
        return b"".join((brackets[:1], memoryview(self.data)[part[0] : part[1]], brackets[1:]))

    def ends(self) -> tuple[bytes, bytes]:
        """Return the texts of the first and of the last record."""
        start, end = self.records
        first_end = self.data.find(_BETWEEN_RECORDS, start, end)
        if first_end < 0:
            return self.data[start + 1 : end - 1], self.data[start + 1 : end - 1]
        last_start = self.data.rfind(_BETWEEN_RECORDS, start, end)
        return self.data[start + 1 : first_end + 1], self.data[last_start + 2 : end - 1]


def _parts(data: bytes, place: Place, between: bytes) -> Iterator[Place]:
    at, end = place[0] + 1, place[1] - 1
    while at < end:
        border = data.find(between, at + PART_BYTES, end)
        stop = end if border < 0 else border + between.index(b",")
        yield at, stop
        at = stop + 1


def cut(data: bytes, start: int = 0, end: int | None = None) -> BundleText | None:
    """Return where things are in a canonical bundle, which is a part of `data`; None for any other text."""
    stop = len(data) if end is None else end
    records = data.find(_RECORDS, start, stop)
    behind = data.find(_BEHIND_RECORDS, records, stop)
    if records < 0 or behind < 0:
        return None
    found = BundleText(data, start, stop, (records + len(_RECORDS) - 1, behind + 1), None)
    payloads = data.find(_PAYLOADS, behind, stop)
    if payloads < 0:
        return found
    last = data.rfind(_BEHIND_PAYLOADS, payloads, stop)
    return None if last < 0 else found._replace(payloads=(payloads + len(_PAYLOADS) - 1, last + 1))
