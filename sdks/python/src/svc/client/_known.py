"""A client's knowledge of its streams: the head and the newest records, with which new answers are compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# So many parallel appends can come back in any order, and are still compared with each other.
_MAX_RECENT = 64
# The number of streams of which more than the newest record is kept.
_MAX_RECENT_STREAMS = 256

Record = dict[str, Any]


class KnownEvents:
    """What has been seen of one stream."""

    def __init__(self) -> None:
        # The number of the newest event: 0 for a stream that is known to be empty, None if nothing is known.
        self.head: int | None = None
        self._recent: dict[int, Record] = {}

    def at(self, seq_no: int | None) -> Record | None:
        """Return the record of a number, if it is among the newest."""
        return None if seq_no is None else self._recent.get(seq_no)

    def is_new(self) -> None:
        """Note that the stream has just been made."""
        if self.head is None:
            self.head = 0

    def shrink(self) -> None:
        """Forget all records but the newest."""
        self._recent = {number: record for number, record in self._recent.items() if number == self.head}

    def note(self, records: Sequence[Record]) -> None:
        """Keep records that hold, in order, without their payloads."""
        for record in records[-_MAX_RECENT:]:
            redacted = {name: value for name, value in record.items() if name not in ("payload", "payload_salt")}
            number: int = redacted["seq_no"]
            self._recent[number] = redacted
            self.head = max(self.head or 0, number)
            if len(self._recent) > _MAX_RECENT:
                del self._recent[next(iter(self._recent))]


class KnownStreams:
    """What has been seen of all streams. The caller keeps threads apart."""

    def __init__(self) -> None:
        self._streams: dict[str, KnownEvents] = {}
        # The latest stream is at the end.
        self._recent: dict[str, None] = {}

    def of(self, stream_id: str) -> KnownEvents:
        """Return what has been seen of a stream, and remember the stream."""
        return self._streams.setdefault(stream_id, KnownEvents())

    def peek(self, stream_id: str) -> KnownEvents:
        """Return what has been seen of a stream; empty for a stream that is not remembered."""
        return self._streams.get(stream_id) or KnownEvents()

    def note(self, stream_id: str, records: Sequence[Record]) -> None:
        """Keep records of a stream that hold, in order."""
        self.of(stream_id).note(records)
        self._recent.pop(stream_id, None)
        self._recent[stream_id] = None
        if len(self._recent) > _MAX_RECENT_STREAMS:
            oldest = next(iter(self._recent))
            del self._recent[oldest]
            self._streams[oldest].shrink()
