"""Reads the events of a spool in order. It holds the lines of one record and a piece of one file."""

from __future__ import annotations

from collections.abc import Callable
from io import FileIO

from ._errors import QueueError
from ._frame import HEADER_BYTES, read_record, record_length
from ._recover import Segment
from ._spool import SpooledEvent

_PIECE_BYTES = 256 * 1024


class EventReader:
    """Reads forwards, and starts again if an earlier event is asked for."""

    def __init__(self, segments: Callable[[], list[Segment]], written: Callable[[Segment], int | None]) -> None:
        """`written`: how many bytes of a file are complete; None for all. A write behind them may still fail."""
        self._segments = segments
        self._written = written
        self._segment: Segment | None = None
        self._file: FileIO | None = None
        # The file offset of the next record, and the bytes from there on that have been read.
        self._offset = 0
        self._piece = b""
        # The events of the last record, from position `_first` on.
        self._first = 0
        self._events: list[SpooledEvent] = []

    def from_(self, position: int) -> list[SpooledEvent]:
        """Return the events from a position on that are in one record; at least one. It must have been added."""
        if self._file is None or position < self._first:
            self._open_at(position)
        while position >= self._first + len(self._events):
            self._next_record()
        if position < self._first:
            raise self._unreadable()
        return self._events[position - self._first :]

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open_at(self, position: int) -> None:
        before = [one for one in self._segments() if one.before < position]
        if not before:
            raise QueueError("spool_failed", f"Event {position} is no longer in the spool.")
        self._open(before[-1])

    def _open(self, segment: Segment) -> None:
        self.close()
        self._file = FileIO(segment.path, "r")
        self._segment = segment
        self._offset, self._piece, self._first, self._events = 0, b"", segment.before + 1, []

    def _next_record(self) -> None:
        if not self._has(HEADER_BYTES):
            number = 0 if self._segment is None else self._segment.number
            following = [one for one in self._segments() if one.number > number]
            if not following:
                raise self._unreadable()
            self._open(following[0])
            return
        length = record_length(self._piece, 0)
        record = read_record(self._piece, 0) if length is not None and self._has(length) else None
        if record is None:
            raise self._unreadable()
        if record.head["kind"] == "events":
            self._first = record.head["first"]
            self._events = [SpooledEvent(line, record.head["at"]) for line in record.lines]
        self._piece = self._piece[record.end :]
        self._offset += record.end

    def _has(self, length: int) -> bool:
        """Return whether so many bytes are there, and read them into the piece."""
        if len(self._piece) >= length:
            return True
        assert self._file is not None and self._segment is not None
        written = self._written(self._segment)
        most = max(length, _PIECE_BYTES)
        if written is not None:
            most = min(most, max(written - self._offset, 0))
        self._file.seek(self._offset)
        pieces, size = [], 0
        while size < most and (piece := self._file.read(most - size)):
            pieces.append(piece)
            size += len(piece)
        self._piece = b"".join(pieces)
        return size >= length

    def _unreadable(self) -> QueueError:
        path = "" if self._segment is None else self._segment.path
        message = f"{path}, byte {self._offset}: what was written there can no longer be read."
        return QueueError("spool_failed", message)
