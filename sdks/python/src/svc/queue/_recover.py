"""Reads a spool back when it is opened, and checks every record of every file.

An interrupted write is at the end of the last file, and is cut off there; any other damage is refused.
"""

from __future__ import annotations

import os
import re
from typing import Any, NamedTuple

from ._errors import QueueError
from ._frame import SpoolRecord, is_torn, read_record
from ._spool import KEPT_KEYS, SpooledBatch, SpoolState, batches_behind, batches_with

_NAME = re.compile(r"([0-9]{10})\.spool").fullmatch


class Segment(NamedTuple):
    """A file of a spool."""

    path: str
    # Segments count from 1, without a gap.
    number: int
    # The position before its first event.
    before: int


class Recovered(NamedTuple):
    """What is in a folder. `size`: bytes of the last segment."""

    state: SpoolState
    segments: list[Segment]
    size: int


def segment_path(folder: str, number: int) -> str:
    """Return the path of a segment."""
    return os.path.join(folder, f"{number:010}.spool")


def recover(folder: str, stream_id: str) -> Recovered:
    """Return the contents of a folder; empty if it is new. Raises QueueError `spool_corrupt`, `spool_foreign`."""
    numbers = sorted(int(match[1]) for match in map(_NAME, os.listdir(folder)) if match is not None)
    found = _Found(stream_id)
    segments: list[Segment] = []
    size = cut_bytes = 0
    for number in numbers:
        path = segment_path(folder, number)
        with open(path, "rb") as file:
            data = file.read()
        offset = 0
        while (record := read_record(data, offset)) is not None:
            try:
                fault = found.take(record, offset == 0, not segments)
            except (LookupError, TypeError, ValueError):
                # It is as it was written, and not by a program that knows this format.
                fault = "an unknown kind of record"
            if fault is not None:
                raise _corrupt(path, offset, fault)
            if offset == 0:
                segments.append(Segment(path, number, found.last))
            offset = record.end
        size = offset
        if offset == len(data) and offset > 0:
            continue
        if number != numbers[-1] or not is_torn(data, offset):
            raise _corrupt(path, offset, "a record is damaged")
        cut_bytes = len(data) - offset
        _cut(path, offset)
        if offset == 0:
            size = os.path.getsize(segments[-1].path) if segments else 0
    if any(one.number != segments[0].number + index for index, one in enumerate(segments)):
        message = f"A file of the spool {folder} is missing: they are numbered without a gap."
        raise QueueError("spool_corrupt", message)
    return Recovered(found.state(cut_bytes), segments, size)


class _Found:
    """The state that the records have built up so far."""

    def __init__(self, stream_id: str) -> None:
        self._stream_id = stream_id
        # The length in bytes of each event from position `_from` on.
        self._lengths: list[int] = []
        self._from = 1
        self._done = 0
        self._done_seq_no = 0
        self._batches: tuple[SpooledBatch, ...] = ()
        self._keys: list[str] = []

    @property
    def last(self) -> int:
        return self._from - 1 + len(self._lengths)

    def take(self, record: SpoolRecord, is_first_of_segment: bool, is_first_of_all: bool) -> str | None:
        """Apply a record. Returns its fault, or None."""
        head = record.head
        kind = head["kind"]
        if (kind == "segment") != is_first_of_segment:
            return "a segment does not begin with its own record"
        if kind == "segment":
            return self._begin(head, is_first_of_all)
        if kind == "batch":
            self._batches = batches_with(self._batches, _batch(head["batch"]))
        elif kind == "done":
            self._done, self._done_seq_no = head["done"], head["done_seq_no"]
            self._batches = batches_behind(self._batches, self._done)
        else:
            if head["first"] != self.last + 1 or head["count"] != len(record.lines):
                return "events are missing"
            self._lengths += map(len, record.lines)
            self._keys += [key for key in head.get("keys", ()) if key is not None]
        return None

    def _begin(self, head: Any, is_first_of_all: bool) -> str | None:
        if head["version"] != 1:
            return "it is of a newer version of this program"
        if head["stream_id"] != self._stream_id:
            message = f"The spool holds events of {head['stream_id']}, not of {self._stream_id}."
            raise QueueError("spool_foreign", message)
        if not is_first_of_all:
            return None if head["last"] == self.last else "events are missing before it"
        self._from, self._done, self._done_seq_no = head["last"] + 1, head["done"], head["done_seq_no"]
        self._batches = tuple(map(_batch, head["batches"]))
        self._keys = list(head.get("keys", ()))
        return None

    def state(self, cut_bytes: int) -> SpoolState:
        return SpoolState(
            last=self.last,
            done=self._done,
            done_seq_no=self._done_seq_no,
            batches=self._batches,
            bytes=sum(self._lengths[max(self._done + 1 - self._from, 0) :]),
            keys=tuple(self._keys[-KEPT_KEYS:]),
            cut_bytes=cut_bytes,
        )


def _batch(value: Any) -> SpooledBatch:
    return SpooledBatch(value["key"], value["first"], value["last"], value["madeAt"])


def _cut(path: str, size: int) -> None:
    """Truncate a file, durably; delete it if nothing is left."""
    if size == 0:
        os.remove(path)
        return
    with open(path, "r+b") as file:
        file.truncate(size)
        os.fsync(file.fileno())


def _corrupt(path: str, offset: int, what: str) -> QueueError:
    return QueueError(
        "spool_corrupt",
        f"{path}, byte {offset}: {what}. What was written there can no longer be read. Put the folder back from a "
        "copy, or take it away to begin an empty spool: what waited in it is lost then.",
    )
