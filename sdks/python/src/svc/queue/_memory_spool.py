"""A spool in memory: events that wait when the process ends are lost."""

from __future__ import annotations

from collections.abc import Sequence

from ._errors import QueueError
from ._spool import SpooledBatch, SpooledEvent, SpoolState, batches_behind, batches_with, keys_with, within

_DEFAULT_MAX_BYTES = 64 * 2**20


class MemorySpool:
    """A spool in memory: its events end with the process."""

    def __init__(self, *, max_bytes: int | None = _DEFAULT_MAX_BYTES) -> None:
        """`max_bytes`: the most bytes of waiting events; by default 64 MiB."""
        self.max_bytes = max_bytes
        self._stream_id: str | None = None
        self._is_open = False
        # The events behind `_done`, in one object with it, since `read` runs beside `settle` and `add`.
        self._waiting: tuple[int, list[SpooledEvent]] = (0, [])
        self._done_seq_no = 0
        self._batches: tuple[SpooledBatch, ...] = ()
        self._keys: tuple[str, ...] = ()

    def open(self, stream_id: str) -> SpoolState:
        if self._is_open:
            raise QueueError("spool_in_use", "This spool has a queue already. Give each queue its own.")
        if self._stream_id not in (None, stream_id):
            message = f"The spool holds events of {self._stream_id}, not of {stream_id}."
            raise QueueError("spool_foreign", message)
        self._stream_id = stream_id
        self._is_open = True
        done, events = self._waiting
        return SpoolState(
            last=done + len(events),
            done=done,
            done_seq_no=self._done_seq_no,
            batches=self._batches,
            bytes=sum(len(event.text) for event in events),
            keys=self._keys,
        )

    def add(self, events: Sequence[SpooledEvent]) -> None:
        self._waiting[1].extend(events)
        self._keys = keys_with(self._keys, events)

    def read(self, first: int, events: int, bytes: int | None) -> list[SpooledEvent]:
        done, waiting = self._waiting
        start = first - done - 1
        return within(waiting[start : start + events], events, bytes)

    def keep_batch(self, batch: SpooledBatch) -> None:
        self._batches = batches_with(self._batches, batch)

    def settle(self, done: int, done_seq_no: int) -> None:
        before, events = self._waiting
        self._waiting = (done, events[done - before :])
        self._done_seq_no = done_seq_no
        self._batches = batches_behind(self._batches, done)

    def close(self) -> None:
        self._is_open = False
