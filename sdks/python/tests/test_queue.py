"""The side of an append queue that takes events in, on a spool of which nothing is sent."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from typing import Any, cast

import pytest
import trio

from svc.queue import AppendQueue, MemorySpool, QueueError
from svc.queue._sender import Sender
from svc.queue._spool import SpooledEvent


class _Nobody:
    """A service that never answers."""

    async def send(self, *_: object) -> Any:
        await asyncio.Event().wait()

    async def close(self) -> None:
        pass


class _Spool(MemorySpool):
    """A spool that takes so many groups of events, and then fails."""

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups
        self.sizes: list[int] = []

    def add(self, events: Sequence[SpooledEvent]) -> None:
        if len(self.sizes) == self.groups:
            raise QueueError("spool_failed", "the disk is full")
        self.sizes.append(len(events))
        super().add(events)


@pytest.fixture
def spool() -> _Spool:
    return _Spool(2)


@pytest.fixture
def queue(spool: _Spool) -> Iterator[AppendQueue]:
    sender = cast(Sender, _Nobody())
    made = AppendQueue(
        "str_1", sender, spool=spool, on_receipts=None, on_stopped=None, key_days=30, max_batch_events=10
    )
    yield made
    made.close()


def _events(count: int, size: int = 1) -> list[dict[str, Any]]:
    return [{"payload": "x" * size} for _ in range(count)]


def test_events_given_together_wait_for_the_disk_together(queue: AppendQueue, spool: _Spool) -> None:
    assert queue.append_all([]) == []
    assert [one.position for one in queue.append_all(_events(1000))] == list(range(1, 1001))
    assert spool.sizes == [1000]
    assert queue.append({}).position == 1001
    assert (queue.waiting().events, queue.waiting().appends) == (1001, 0)


def test_no_event_enters_behind_one_that_could_not(queue: AppendQueue, spool: _Spool) -> None:
    # Each is a separate group.
    with pytest.raises(QueueError, match="the disk is full"):
        queue.append_all(_events(5, 2**20))
    assert spool.sizes == [1, 1]
    assert (queue.waiting().events, queue.waiting().appends) == (2, 0)
    spool.groups = 3
    assert queue.append({}).position == 3


def test_the_key_of_a_failed_append_is_free_again(queue: AppendQueue, spool: _Spool) -> None:
    spool.groups = 0
    with pytest.raises(QueueError, match="the disk is full"):
        queue.append({}, key="k")
    spool.groups = 1
    assert queue.append({}, key="k").position == 1
    with pytest.raises(QueueError, match="in the queue already"):
        queue.append({}, key="k")


def test_a_task_of_trio_waits_for_the_queue_as_one_of_asyncio_does(queue: AppendQueue, spool: _Spool) -> None:
    async def run() -> None:
        spool.groups = 1
        assert (await queue.append_async({}, key="a")).position == 1
        # The second of a key waits for the first, which fails.
        failures: list[Exception] = []

        async def fails() -> None:
            try:
                await queue.append_async({}, key="b")
            except QueueError as error:
                failures.append(error)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(fails)
            nursery.start_soon(fails)
        assert len(failures) == 2
        with trio.move_on_after(0.01) as scope:
            await queue.flush_async()
        assert scope.cancelled_caught
        await queue.close_async()

    trio.run(run)
    assert queue.is_closed


def test_a_queue_of_another_process_is_refused_whatever_is_asked_of_it(
    queue: AppendQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: own + 1)
    for ask in (lambda: queue.append({}), queue.flush, queue.resume, queue.discard):
        with pytest.raises(RuntimeError, match="before a fork"):
            cast(Any, ask)()
    monkeypatch.undo()
    assert queue.append({}).position == 1
