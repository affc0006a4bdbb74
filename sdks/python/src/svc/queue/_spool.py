"""The place where an append queue keeps its events: those of one stream in order, by position, and their batches.

A spool sends nothing and decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

# How many keys a spool remembers, whether or not their events have left.
KEPT_KEYS = 10_000


@dataclass(frozen=True, slots=True)
class SpooledEvent:
    """An event that waits."""

    # The event as JSON, in UTF-8, without a line end in it.
    text: bytes
    # When it was put into the spool, in Unix milliseconds of this machine.
    at: int
    # The program's key for the event, which the spool remembers; `read` need not return it.
    key: str | None = None


@dataclass(frozen=True, slots=True)
class SpooledBatch:
    """Events that are sent together: the same events under the same key, until their outcome is known."""

    # The Idempotency-Key.
    key: str
    # Positions of the first and the last event.
    first: int
    last: int
    # When the batch was made, in Unix milliseconds of this machine.
    made_at: int


@dataclass(frozen=True, kw_only=True, slots=True)
class SpoolState:
    """The contents of a spool when it is opened."""

    # The position of the newest event; positions count from 1, and 0 means none.
    last: int = 0
    # The position up to which events have left the queue: with a receipt, or discarded.
    done: int = 0
    # The `seq_no` of the last receipt; 0 before the first one.
    done_seq_no: int = 0
    # The batches behind `done`, in order.
    batches: tuple[SpooledBatch, ...] = ()
    # Bytes of the waiting events.
    bytes: int = 0
    # The newest KEPT_KEYS keys of events, oldest first.
    keys: tuple[str, ...] = ()
    # Bytes of an incomplete write, which have been cut off: nothing in them was acknowledged.
    cut_bytes: int = 0


class Spool(Protocol):
    """The interface between an append queue and its spool.

    The queue makes one call at a time, from several threads; only `read` runs beside other calls, but never beside
    another `read`. Every call raises QueueError `spool_failed` if the medium fails.
    """

    # The most bytes of waiting events: above it an append waits. None for no limit.
    max_bytes: int | None

    def open(self, stream_id: str) -> SpoolState:
        """Open it for a stream, and keep others out until it is closed.

        Raises QueueError `spool_in_use`, `spool_foreign` if it holds another stream's events, and `spool_corrupt`, with
        the place, if it cannot be read back.
        """
        ...

    def add(self, events: Sequence[SpooledEvent]) -> None:
        """Put events behind the last one and keep their keys; all of them or none.

        They are as safe as the spool makes them when it returns.
        """

    def read(self, first: int, events: int, bytes: int | None) -> list[SpooledEvent]:
        """Return the events from a position behind all settled events on, in order.

        `events` and `bytes`: the most to read at once; one event is read whatever its size.
        """
        ...

    def keep_batch(self, batch: SpooledBatch) -> None:
        """Keep a batch, in place of batches with which it shares events, as safely as events."""

    def settle(self, done: int, done_seq_no: int) -> None:
        """Drop the events up to a position, which is the last of a batch, and their batches.

        The spool may forget this call when the machine stops: the batch is then sent again, under its key.
        """

    def close(self) -> None:
        """Let others in. Waiting events stay, as far as the medium keeps them."""


def keys_with(keys: tuple[str, ...], events: Sequence[SpooledEvent]) -> tuple[str, ...]:
    """Return the keys to keep when events are added: the newest KEPT_KEYS, oldest first."""
    more = tuple(event.key for event in events if event.key is not None)
    return (*keys, *more)[-KEPT_KEYS:] if more else keys


def batches_with(batches: tuple[SpooledBatch, ...], batch: SpooledBatch) -> tuple[SpooledBatch, ...]:
    """Return the batches to keep when one is added, in order: without those that share events with it."""
    others = (one for one in batches if one.last < batch.first or one.first > batch.last)
    return tuple(sorted((*others, batch), key=lambda one: one.first))


def batches_behind(batches: tuple[SpooledBatch, ...], done: int) -> tuple[SpooledBatch, ...]:
    """Return the batches to keep when the events up to a position have left."""
    return tuple(one for one in batches if one.last > done)


def within(found: Sequence[SpooledEvent], events: int, bytes: int | None) -> list[SpooledEvent]:
    """Return the events, from the first on, that are within the limits together; at least one."""
    chosen: list[SpooledEvent] = []
    size = 0
    for event in found[:events]:
        size += len(event.text)
        if chosen and bytes is not None and size > bytes:
            break
        chosen.append(event)
    return chosen
