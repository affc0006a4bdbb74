"""An append queue: it records events of one stream later, in the order in which they were given.

The events wait in a spool and live as long as it does; an append waits while the spool is full, and memory holds a few
batches at any length of the queue. One thread puts events into the spool, another one sends them. The file
is longer than 300 lines, because all that threads share is guarded here and nowhere else.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar, cast

from ..client._json import json_of
from ._batch import Batch
from ._errors import QueueError
from ._given_keys import GivenKeys, require_event_key
from ._outbox import Outbox, Outcome
from ._receipts_due import Queued, ReceiptsDue
from ._sender import Sender
from ._spool import Spool, SpooledEvent
from ._stop import LastError, QueueStop
from ._waiting import in_thread, settled

# The most events in one request of the service.
_MAX_BATCH_EVENTS = 1000
# The most bytes put into the spool together, so that one wait for the disk serves many events; always one event.
_MAX_GROUP_BYTES = 2**20

T = TypeVar("T")
OnReceipts = Callable[[Sequence[Any]], object]
OnStopped = Callable[[QueueStop], object]


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """The state of a queue. Positions, counts and times are those of this machine: none is evidence."""

    # Events in the spool, and their bytes as JSON.
    events: int
    bytes: int
    # Appends that wait for the disk, or for room in the spool.
    appends: int
    # When the longest waiting event was put into the spool, in Unix milliseconds; None if none waits, or it is not
    # known yet.
    oldest_at: int | None
    # Events in the batch whose receipts come next; 0 if no batch has been sent.
    sending: int
    # Why the last attempt failed; None after a success.
    last_error: LastError | None
    # When the batch is sent again, in Unix milliseconds; None if no pause is running.
    next_attempt_at: int | None
    # Set while the queue is stopped and the program has to decide.
    stopped: QueueStop | None
    # Bytes of an incomplete write that were cut off the spool when it was opened.
    cut_bytes: int


class _Incoming:
    """Events that were given together and wait for the disk, or for room in the spool."""

    def __init__(self, events: Sequence[SpooledEvent]) -> None:
        # Those that are not in the spool yet.
        self.left = deque(events)
        self.entered: list[Queued] = []
        # Settled when all are in the spool, or one cannot be put into it.
        self.queued: Future[list[Queued]] = Future()
        # So that nobody can cancel it: what was taken in goes into the spool.
        self.queued.set_running_or_notify_cancel()


class AppendQueue:
    """An append queue; `stream.open_queue` opens one. Threads may share it."""

    def __init__(
        self,
        stream_id: str,
        sender: Sender,
        *,
        spool: Spool,
        on_receipts: OnReceipts | None,
        on_stopped: OnStopped | None,
        key_days: float,
        max_batch_events: int,
        now: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        if not isinstance(max_batch_events, int) or not 1 <= max_batch_events <= _MAX_BATCH_EVENTS:
            limits = f"a whole number from 1 to {_MAX_BATCH_EVENTS}"
            raise ValueError(f"max_batch_events is {limits}, not {max_batch_events}")
        self._spool = spool
        # The threads of a queue are of one process: a fork has none of them.
        self._process = os.getpid()
        self._now = now
        self._told_of_stop = on_stopped
        # One call to the spool at a time.
        self._turn = threading.Lock()
        # Guards all that follows; told of whatever an append or a flush may wait for.
        self._changed = threading.Condition(threading.RLock())
        self._incoming: deque[_Incoming] = deque()
        self._due = ReceiptsDue()
        self._oldest_at: int | None = None
        self._is_closed = False
        self._ended = Future[None]()
        state = spool.open(stream_id)
        self._last = state.last
        self._bytes = state.bytes
        self._cut_bytes = state.cut_bytes
        self._keys = GivenKeys(state.keys)
        self._loop = asyncio.new_event_loop()
        self._outbox = Outbox(
            stream_id,
            sender,
            spool,
            state,
            key_days=key_days,
            max_batch_events=max_batch_events,
            now=now,
            in_turn=self._in_turn,
            on_receipts=on_receipts or (lambda _: None),
            on_settled=self._on_settled,
            on_stopped=self._on_stopped,
        )
        self._task = self._loop.create_task(self._outbox.run())
        # They end with the process: what waits is in the spool.
        self._sending = threading.Thread(target=self._send, name="svc-queue", daemon=True)
        self._filling = threading.Thread(target=self._fill, name="svc-queue-spool", daemon=True)
        self._sending.start()
        self._filling.start()

    def append(self, event: Any, *, key: str | None = None) -> Queued:
        """Put an event behind all earlier ones, and return when it is in the spool; waits while that is full.

        `event`: as of `Stream.append`. `key`: your program's name for the event, 1 to 255 visible ASCII characters;
        the queue takes each key once, and the spool remembers the newest 10,000. Raises QueueError `not_an_event`,
        `key_taken`, `spool_failed` or `queue_closed`, SvcError `payload_not_json`, and ValueError for a malformed key.
        """
        texts = [_text_of(event, key)]
        while True:
            queued, is_own = self._offer(texts, key)
            if is_own:
                return queued.result()[0]
            wait([queued])

    def append_all(self, events: Iterable[Any]) -> list[Queued]:
        """Put events behind all earlier ones, in order, and return when all are in the spool.

        They share the waits for the disk. Where one cannot be put into the spool, some before it may be in it, and none
        behind it. Raises as `append` does.
        """
        texts = [_text_of(event, None) for event in events]
        return self._offer(texts, None)[0].result() if texts else []

    async def append_async(self, event: Any, *, key: str | None = None) -> Queued:
        """Put an event behind all earlier ones, as `append` does; other tasks, of asyncio or trio, run meanwhile.

        Those given together share a wait for the disk.
        """
        texts = [_text_of(event, key)]
        while True:
            queued, is_own = self._offer(texts, key)
            await settled(queued)
            if is_own:
                return queued.result()[0]

    @property
    def is_closed(self) -> bool:
        """Whether the queue has been closed and takes no more events."""
        return self._is_closed

    def waiting(self) -> Waiting:
        """Return how many events wait, how long, and why. Asks nobody."""
        with self._changed:
            outbox = self._outbox
            batch, stop = outbox.batch, outbox.stop
            events = self._last - outbox.done
            oldest_at = self._oldest_at if batch is None else batch.oldest_at
            return Waiting(
                events=events,
                bytes=self._bytes,
                appends=sum(len(one.left) for one in self._incoming),
                oldest_at=None if events == 0 else oldest_at,
                sending=0 if batch is None or stop is not None else len(batch.texts),
                last_error=outbox.last_error,
                next_attempt_at=outbox.next_attempt_at,
                stopped=stop,
                cut_bytes=self._cut_bytes,
            )

    def flush(self) -> None:
        """Return when every event that was given before has left the queue.

        Raises QueueError `queue_stopped` if the queue stops first, and `queue_closed` if it is closed first. Do not
        call it in `on_receipts`: it would wait for itself.
        """
        self._require_other_thread("flush")
        self._require_own_process()
        with self._changed:
            newest, position = (self._incoming[-1].queued if self._incoming else None), self._last
        if newest is not None:
            position = newest.result()[-1].position
        with self._changed:
            while self._outbox.done < position:
                stop = self._outbox.stop
                if stop is not None:
                    raise QueueError("queue_stopped", f"The queue stopped: {stop.code}: {stop.message}", stop.cause)
                if self._is_closed:
                    raise _closed()
                self._changed.wait()

    async def flush_async(self) -> None:
        """Return when every event that was given before has left the queue, as `flush` does."""
        await in_thread(self.flush)

    def resume(self, *, anew: bool = False) -> None:
        """Continue after a stop, with the same events.

        `anew`: under a new key; use it only if you know that they were not recorded, or the stream has them twice. Does
        nothing if the queue has not stopped.
        """
        self._require_own_process()
        self._in_loop(lambda: self._outbox.resume(anew))

    def discard(self) -> Sequence[Any]:
        """Take the events at which the queue stopped out of it, return them, and continue with the next ones.

        Raises RuntimeError if the queue has not stopped.
        """
        self._require_own_process()
        return self._in_loop(self._outbox.discard).events

    def close(self) -> None:
        """Take no more events, abort requests, and close the spool: its events wait for the next process.

        Call `flush` first to send them. Do not call it in `on_receipts`: it would wait for itself.
        """
        self._require_other_thread("close")
        if os.getpid() != self._process:
            # All that is here is the other process's.
            self._is_closed = True
            return
        with self._changed:
            is_first, self._is_closed = not self._is_closed, True
            self._changed.notify_all()
        if not is_first:
            self._ended.result()
            return
        # What is being put into the spool now still enters it.
        self._filling.join()
        with self._changed:
            left_out = list(self._incoming)
            self._incoming.clear()
        for one in left_out:
            one.queued.set_exception(_closed())
        self._loop.call_soon_threadsafe(self._task.cancel)
        self._sending.join()
        self._due.settle_all(_closed())
        try:
            with self._turn:
                self._spool.close()
        finally:
            self._ended.set_result(None)

    async def close_async(self) -> None:
        """Close the queue, as `close` does, and let other tasks, of asyncio or trio, run meanwhile."""
        await in_thread(self.close)

    def __enter__(self) -> AppendQueue:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> AppendQueue:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close_async()

    def __repr__(self) -> str:
        return f"AppendQueue({self._spool!r})"

    def _offer(self, texts: Sequence[bytes], key: str | None) -> tuple[Future[list[Queued]], bool]:
        """Take events in, behind all earlier ones, and return their future. `key`: of the only one.

        Or return the future of the event of the same key that is being put into the spool and may fail, and False.
        """
        self._require_own_process()
        with self._changed:
            if self._is_closed:
                raise _closed()
            now = self._now()
            incoming = _Incoming([SpooledEvent(text, now, key) for text in texts])
            if key is not None:
                coming = self._keys.coming(key)
                if coming is not None:
                    return coming, False
                self._keys.take(key, incoming.queued)
            self._incoming.append(incoming)
            self._changed.notify_all()
        return incoming.queued, True

    def _room_for(self) -> int:
        """Return how many of the waiting events fit into the spool now, and are put into it together."""
        count = size = 0
        most = self._spool.max_bytes
        for incoming in self._incoming:
            for event in incoming.left:
                size += len(event.text)
                # An event larger than the whole spool goes into an empty one.
                is_over = most is not None and self._bytes + size > most and self._bytes + count > 0
                if is_over or (count > 0 and size > _MAX_GROUP_BYTES):
                    return count
                count += 1
        return count

    def _fill(self) -> None:
        """Put what was given into the spool, until the queue is closed."""
        while True:
            with self._changed:
                while (count := self._room_for()) == 0 and not self._is_closed:
                    self._changed.wait()
                if self._is_closed:
                    return
                waiting = (event for incoming in self._incoming for event in incoming.left)
                group = list(islice(waiting, count))
            self._add(group)

    def _add(self, group: Sequence[SpooledEvent]) -> None:
        failure: BaseException | None = None
        try:
            self._in_turn(lambda: self._spool.add(group))
        except BaseException as error:
            failure = error
        with self._changed:
            self._keys.entered(group, failure is None)
            settled = self._enter(group) if failure is None else self._take_out(len(group))
            self._changed.notify_all()
        for one in settled:
            if failure is None:
                one.queued.set_result(one.entered)
            else:
                one.queued.set_exception(failure)

    def _enter(self, group: Sequence[SpooledEvent]) -> list[_Incoming]:
        """Note that the first of the waiting events are in the spool. Returns what has entered whole."""
        if self._last == self._outbox.done:
            self._oldest_at = group[0].at
        tickets = deque(self._due.issue(self._last + 1, self._last + len(group)))
        self._last += len(group)
        self._bytes += sum(len(event.text) for event in group)
        whole: list[_Incoming] = []
        while tickets:
            first = self._incoming[0]
            while tickets and first.left:
                first.left.popleft()
                first.entered.append(tickets.popleft())
            if not first.left:
                whole.append(self._incoming.popleft())
        self._loop.call_soon_threadsafe(self._outbox.wake, self._last)
        return whole

    def _take_out(self, count: int) -> list[_Incoming]:
        """Take out all that were given together with the first of the waiting events, and return them.

        Those that are behind a failed event go with it: no event overtakes another.
        """
        out: list[_Incoming] = []
        while count > 0:
            out.append(self._incoming.popleft())
            count -= len(out[-1].left)
        return out

    def _send(self) -> None:
        """Send what is in the spool, until the queue is closed."""
        try:
            with suppress(asyncio.CancelledError):
                self._loop.run_until_complete(self._task)
        finally:
            self._loop.close()

    def _in_turn(self, work: Callable[[], None]) -> None:
        with self._turn:
            work()

    def _on_settled(self, batch: Batch, outcome_of: Callable[[int], Outcome]) -> None:
        first = batch.kept.first
        self._due.settle(first, batch.kept.last, lambda position: outcome_of(position - first))
        with self._changed:
            self._bytes -= batch.bytes
            self._changed.notify_all()

    def _on_stopped(self, stop: QueueStop) -> None:
        with self._changed:
            self._changed.notify_all()
        if self._told_of_stop is not None:
            self._told_of_stop(stop)

    def _in_loop(self, work: Callable[[], T]) -> T:
        """Return the result of work that is done in the queue's own thread."""
        if threading.current_thread() is self._sending:
            return work()
        done: Future[T] = Future()

        def run() -> None:
            try:
                done.set_result(work())
            except BaseException as error:
                done.set_exception(error)

        with self._changed:
            if self._is_closed:
                raise _closed()
            self._loop.call_soon_threadsafe(run)
        # A queue that is closed meanwhile does no more work.
        wait(cast("list[Future[Any]]", [done, self._ended]), return_when=FIRST_COMPLETED)
        if not done.done():
            raise _closed()
        return done.result()

    def _require_own_process(self) -> None:
        if os.getpid() != self._process:
            raise RuntimeError("the queue was opened before a fork, by another process: open one after it")

    def _require_other_thread(self, what: str) -> None:
        if threading.current_thread() is self._sending:
            raise RuntimeError(f"{what} was called in the queue's own thread, where it would wait for itself")


def _text_of(event: Any, key: str | None) -> bytes:
    if key is not None:
        require_event_key(key)
    text = json_of(event)
    if not text.startswith("{"):
        raise QueueError("not_an_event", "What was given is no object, so it is no event.")
    return text.encode()


def _closed() -> QueueError:
    return QueueError("queue_closed", "The queue was closed. What waits is in its spool.")
