"""A spool in a folder of append-only files (docs/append-queue.md, "Files of the spool").

A file is deleted when all its events have left the queue. An event that was added is on the disk, synchronised; the
record that events left the queue does not wait for the disk, because the same batch would be sent again under its key.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Mapping, Sequence
from io import FileIO
from typing import Any

from ._errors import QueueError
from ._frame import encode_record
from ._lock import lock_spool
from ._reader import EventReader
from ._recover import Segment, recover, segment_path
from ._reserve import Reserve
from ._spool import SpooledBatch, SpooledEvent, SpoolState, batches_behind, batches_with, keys_with, within

_DEFAULT_SEGMENT_BYTES = 8 * 2**20
_sync_data = getattr(os, "fdatasync", os.fsync)


class FileSpool:
    """A spool in a folder, which the SDKs of other languages can open too."""

    def __init__(
        self, folder: str | os.PathLike[str], *, max_bytes: int | None = None, segment_bytes: int | None = None
    ) -> None:
        """Name a spool; nothing is opened yet.

        `folder`: it holds nothing else, is made if it is missing, and is closed to other users. Use a local disk.
        `max_bytes`: the most bytes of waiting events; no limit by default. `segment_bytes`: the size at which the next
        file is begun; by default 8 MiB.
        """
        self.max_bytes = max_bytes
        self._folder = os.path.abspath(os.fspath(folder))
        self._segment_bytes = _DEFAULT_SEGMENT_BYTES if segment_bytes is None else segment_bytes
        self._reserve = Reserve(self._folder)
        self._stream_id = ""
        self._lock: sqlite3.Connection | None = None
        self._segments: list[Segment] = []
        self._reader = EventReader(lambda: self._segments, self._written)
        self._tail: FileIO | None = None
        self._tail_number = 0
        # The number of bytes of whole records in the tail.
        self._size = 0
        self._synced = 0
        self._last = 0
        self._done = 0
        self._done_seq_no = 0
        self._batches: tuple[SpooledBatch, ...] = ()
        self._keys: tuple[str, ...] = ()
        # Why nothing can be written any more.
        self._broken: QueueError | None = None

    def open(self, stream_id: str) -> SpoolState:
        try:
            return self._open_folder(stream_id)
        except (OSError, sqlite3.Error) as error:
            raise _failed(f"{self._folder} cannot be used", error) from error

    def _open_folder(self, stream_id: str) -> SpoolState:
        os.makedirs(self._folder, 0o700, exist_ok=True)
        os.chmod(self._folder, 0o700)
        lock = lock_spool(self._folder)
        self._broken = None
        try:
            state, segments, size = recover(self._folder, stream_id)
            self._stream_id, self._segments = stream_id, segments
            self._last, self._done, self._done_seq_no = state.last, state.done, state.done_seq_no
            self._batches, self._keys = state.batches, state.keys
            if not segments:
                self._begin(1)
            else:
                self._tail = FileIO(segments[-1].path, "r+")
                # A killed process may have written bytes without waiting for the disk.
                os.fsync(self._tail.fileno())
                self._tail_number = segments[-1].number
                self._size = self._synced = size
            _sync_folder(self._folder)
        except BaseException:
            self._close_tail()
            lock.close()
            raise
        self._lock = lock
        return state

    def add(self, events: Sequence[SpooledEvent]) -> None:
        try:
            # The room for records of leaving events comes before more events.
            self._reserve.take()
        except OSError as error:
            raise _failed(f"there is no room left at {self._folder}", error) from error
        newest = self._segments[-1] if self._segments else None
        if newest is not None and self._size >= self._segment_bytes and newest.before < self._last:
            self._begin(newest.number + 1)
        head: dict[str, Any] = {"kind": "events", "first": self._last + 1, "count": len(events), "at": events[0].at}
        if any(event.key is not None for event in events):
            head["keys"] = [event.key for event in events]
        self._write({**head, "synced": self._synced}, [event.text for event in events])
        self._wait()
        self._last += len(events)
        self._keys = keys_with(self._keys, events)

    def read(self, first: int, events: int, bytes: int | None) -> list[SpooledEvent]:
        found: list[SpooledEvent] = []
        size = 0
        try:
            while len(found) < events and first + len(found) <= self._last and (bytes is None or size <= bytes):
                more = self._reader.from_(first + len(found))
                size += sum(len(event.text) for event in more)
                found += more
        except OSError as error:
            raise _failed(f"{self._folder} could not be read", error) from error
        return within(found, events, bytes)

    def keep_batch(self, batch: SpooledBatch) -> None:
        self._write({"kind": "batch", "batch": _value(batch), "synced": self._synced})
        self._wait()
        self._batches = batches_with(self._batches, batch)

    def settle(self, done: int, done_seq_no: int) -> None:
        self._write({"kind": "done", "done": done, "done_seq_no": done_seq_no, "synced": self._synced})
        self._done, self._done_seq_no = done, done_seq_no
        self._batches = batches_behind(self._batches, done)
        while len(self._segments) > 1 and self._segments[1].before <= done:
            # The next file must record that these events have left before the file with these events is deleted; and
            # files go in order.
            self._wait()
            try:
                os.remove(self._segments[0].path)
                _sync_folder(self._folder)
            except OSError as error:
                raise _failed(f"{self._segments[0].path} could not be taken away", error) from error
            self._segments = self._segments[1:]

    def close(self) -> None:
        self._reader.close()
        self._close_tail()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _close_tail(self) -> None:
        if self._tail is not None:
            self._tail.close()
            self._tail = None

    def _written(self, segment: Segment) -> int | None:
        return self._size if segment.number == self._tail_number else None

    def _begin(self, number: int) -> None:
        """Begin a file, after all of the file before it is on the disk."""
        if self._tail is not None:
            self._wait()
        path, old = segment_path(self._folder, number), self._tail
        try:
            made = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
            tail = FileIO(made, "r+")
        except OSError as error:
            raise _failed(f"{path} could not be made", error) from error
        if old is not None:
            old.close()
        self._tail, self._tail_number = tail, number
        self._size = self._synced = 0
        head: dict[str, Any] = {"kind": "segment", "version": 1, "stream_id": self._stream_id, "last": self._last}
        head |= {"done": self._done, "done_seq_no": self._done_seq_no, "batches": list(map(_value, self._batches))}
        if self._keys:
            head["keys"] = list(self._keys)
        try:
            self._write({**head, "synced": 0})
            self._wait()
            _sync_folder(self._folder)
        except (OSError, QueueError) as error:
            # A file without its first record is deleted when the spool is opened again.
            self._broken = self._broken or _failed(f"{path} could not be begun", error)
            raise self._broken from error
        self._segments = [*self._segments, Segment(path, number, self._last)]

    def _write(self, head: Mapping[str, Any], texts: Sequence[bytes] = ()) -> None:
        if self._broken is not None:
            raise self._broken
        data, tail = encode_record(head, texts), self._opened()
        try:
            tail.seek(self._size)
            rest = memoryview(data)
            while rest:
                rest = rest[tail.write(rest) :]
        except OSError as error:
            try:
                # A part of a failed write would be in the middle of later records.
                tail.truncate(self._size)
            except OSError as cause:
                self._broken = _failed("a write failed, and what it left could not be cut off", cause)
            is_full = error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", -1))
            if head["kind"] != "events" and self._broken is None and is_full and self._reserve.release():
                self._write(head, texts)
                return
            raise _failed(f"nothing more could be written to {self._folder}", error) from error
        self._size += len(data)

    def _wait(self) -> None:
        """Wait for the disk. After a failure nobody knows what is on it: only opening the spool again tells."""
        if self._broken is not None:
            raise self._broken
        size = self._size
        try:
            _sync_data(self._opened().fileno())
        except OSError as error:
            self._broken = _failed(f"the disk failed below {self._folder}; close the queue and open it again", error)
            raise self._broken from error
        self._synced = size

    def _opened(self) -> FileIO:
        if self._tail is None:
            raise _failed(f"the spool {self._folder} is not open", None)
        return self._tail


def _value(batch: SpooledBatch) -> dict[str, Any]:
    return {"key": batch.key, "first": batch.first, "last": batch.last, "madeAt": batch.made_at}


def _sync_folder(folder: str) -> None:
    """Wait until the names in a folder are on the disk. Windows does so by itself, and opens no folder."""
    if os.name == "nt":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _failed(what: str, cause: BaseException | None) -> QueueError:
    why = "" if cause is None else f": {cause}"
    return QueueError("spool_failed", f"The spool failed, {what}{why}.", cause)
