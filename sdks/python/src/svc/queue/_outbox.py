"""The sending side of an append queue: batches in order. It runs in the event loop of the queue's thread.

Each batch is kept in the spool under its key before it is sent, and sent again under the same key until an answer
comes. Full next batches are sent ahead, and the service records each only behind the one before; its answer counts when
its turn comes. A final refusal of the service stops the queue.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from random import random
from typing import Any, TypeVar
from uuid import uuid4

from ..client._errors import SvcError
from ._batch import Batch, is_lie, is_transient
from ._errors import QueueError
from ._sender import Check, Sender
from ._spool import Spool, SpooledBatch, SpoolState, batches_behind, batches_with
from ._stop import LastError, QueueStop, code_of, status_of

# Well below the limit of the service: the answer is larger, and both are in memory.
_MAX_BATCH_BYTES = 4 * 2**20
# So many batches are sent ahead: the service has one to record and one to read while the receipts of a third are
# checked here.
_MAX_AHEAD = 2
_FIRST_PAUSE_SECONDS = 0.25
_MAX_PAUSE_SECONDS = 60.0
# After so many answers in a row whose receipts do not hold, the queue stops: the service is at fault then.
_MAX_LIES = 8

T = TypeVar("T")
Outcome = dict[str, Any] | BaseException


class _Ahead:
    """A batch that was sent before its turn."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        # Its answer; None if it has to be sent again in its turn.
        self.answered: asyncio.Task[Check | None] | None = None
        # Whether it is known that it has to be sent again.
        self.is_lost = False


class Outbox:
    """What is sent, and what became of it."""

    def __init__(
        self,
        stream_id: str,
        sender: Sender,
        spool: Spool,
        state: SpoolState,
        *,
        key_days: float,
        max_batch_events: int,
        now: Callable[[], int],
        in_turn: Callable[[Callable[[], None]], None],
        on_receipts: Callable[[Sequence[Any]], object],
        on_settled: Callable[[Batch, Callable[[int], Outcome]], None],
        on_stopped: Callable[[QueueStop], object],
    ) -> None:
        self._stream_id = stream_id
        self._sender = sender
        self._spool = spool
        self._key_days = key_days
        self._max_batch_events = max_batch_events
        self._now = now
        # Makes one call to the spool after the other.
        self._in_turn = in_turn
        self._on_receipts = on_receipts
        self._on_settled = on_settled
        self._on_stopped = on_stopped
        self._last = state.last
        self.done = state.done
        self._done_seq_no = state.done_seq_no
        # The batches behind `done`.
        self._kept = state.batches
        # The batch whose turn it is, and its answer if it was sent ahead.
        self.batch: Batch | None = None
        self._answered: asyncio.Task[Check | None] | None = None
        # The batches that are sent ahead, in order.
        self._ahead: list[_Ahead] = []
        # The most events in the next batch: fewer for a while after a batch was split.
        self._most = max_batch_events
        self._attempts = 0
        # How many answers in a row had receipts that do not hold.
        self._lies = 0
        self.last_error: LastError | None = None
        self.next_attempt_at: int | None = None
        self.stop: QueueStop | None = None
        self._woken = asyncio.Event()

    def wake(self, last: int) -> None:
        """Send the events in the spool up to a position."""
        self._last = max(self._last, last)
        self._woken.set()

    def resume(self, anew: bool) -> None:
        """Continue after a stop: with the same batch under its key, or with `anew` under a new one."""
        if self.stop is None:
            return
        self.stop = None
        if anew:
            self._forget_batch()
        self._attempts = self._lies = 0
        self._woken.set()

    def discard(self) -> QueueStop:
        """Take the events at which it stopped out of the queue. Raises RuntimeError if it has not stopped."""
        stop, batch = self.stop, self.batch
        if stop is None or batch is None:
            raise RuntimeError("only what the queue stopped at can be discarded, and once")
        error = QueueError("event_discarded", f"It was discarded after {stop.code}: {stop.message}", stop.cause)
        self._settle(batch, self._done_seq_no)
        self._on_settled(batch, lambda _: error)
        self.resume(False)
        return stop

    async def run(self) -> None:
        """Send until it is cancelled. Requests that are under way are then aborted."""
        try:
            while True:
                if self.done >= self._last or self.stop is not None:
                    self._woken.clear()
                    if self.done >= self._last or self.stop is not None:
                        await self._woken.wait()
                    continue
                try:
                    if self.batch is None:
                        self.batch = self._next_batch()
                    await self._send_batch(self.batch)
                except Exception as error:
                    await self._after_error(error)
        finally:
            under_way = [one.answered for one in self._ahead] + [self._answered]
            tasks = [one for one in under_way if one is not None]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._sender.close()

    def _next_batch(self) -> Batch:
        """Return the batch whose turn it is."""
        first = self.done + 1
        if self._ahead and self._ahead[0].batch.kept.first == first:
            ahead = self._ahead.pop(0)
            self._answered = None if ahead.is_lost else ahead.answered
            return ahead.batch
        kept = next((batch for batch in self._kept if batch.first == first), None)
        if kept is None:
            return self._make_batch(first)
        return Batch(kept, self._spool.read(first, kept.last - first + 1, None), True)

    def _make_batch(self, first: int) -> Batch:
        """Make a batch of the events from a position on, up to the next kept batch."""
        following = next((batch.first for batch in self._kept if batch.first > first), self._last + 1)
        events = self._spool.read(first, min(self._most, following - first), _MAX_BATCH_BYTES)
        made = SpooledBatch(str(uuid4()), first, first + len(events) - 1, self._now())
        self._in_turn(lambda: self._spool.keep_batch(made))
        self._kept = batches_with(self._kept, made)
        return Batch(made, events, False)

    def _send_ahead(self, batch: Batch) -> None:
        """Send the next batches behind one that is sent for the first time, as far as they are full."""
        while True:
            before = (self._ahead[-1].batch if self._ahead else batch).kept
            is_full = self._last - before.last >= self._max_batch_events and self._most == self._max_batch_events
            is_held_up = self._attempts > 0 or any(one.is_lost for one in self._ahead)
            is_kept = any(one.first > before.last for one in self._kept)
            if not is_full or is_held_up or len(self._ahead) >= _MAX_AHEAD or is_kept:
                return
            try:
                ahead = _Ahead(self._make_batch(before.last + 1))
            except (QueueError, OSError):
                # Its turn makes it again, and reports the failure.
                return
            ahead.answered = asyncio.create_task(self._sent_ahead(ahead, before.key))
            self._ahead.append(ahead)

    async def _sent_ahead(self, ahead: _Ahead, after_key: str) -> Check | None:
        try:
            return await self._send(ahead.batch, after_key)
        except Exception as error:
            ahead.is_lost = True
            # Nothing is recorded behind a missing predecessor; but an earlier attempt may still be on its way.
            is_missing = isinstance(error, SvcError) and error.code == "predecessor_missing" and error.attempts == 1
            if not is_missing:
                ahead.batch.note_failure(error)
            return None

    def _send(self, batch: Batch, after_key: str | None) -> Awaitable[Check]:
        return self._sender.send(batch.texts, batch.kept.key, after_key)

    async def _send_batch(self, batch: Batch) -> None:
        early, self._answered = self._answered, None
        check: Check | None = None
        if early is not None:
            self._send_ahead(batch)
            check = await _awaited(early)
        if check is None:
            batch.require_known_key(self._now(), self._key_days)
            batch.is_answered = False
            answered = asyncio.ensure_future(self._send(batch, None))
            # Its request leaves before the next batches wait for the disk.
            await asyncio.sleep(0)
            self._send_ahead(batch)
            check = await _awaited(answered)
        batch.is_answered = True
        # The check keeps this thread busy: requests that can leave go first.
        await asyncio.sleep(0)
        receipts = await check()
        batch.require_own(receipts, self._stream_id, self._done_seq_no)
        try:
            self._on_receipts(receipts)
        except Exception as cause:
            # Any error of the program is no answer to the batch.
            message = f"The program did not take the receipts: {type(cause).__name__}: {cause}"
            raise QueueError("receipts_not_taken", message, cause) from cause
        self._settle(batch, receipts[-1]["seq_no"])
        self._most = min(self._most * 2, self._max_batch_events)
        self._attempts = self._lies = 0
        self.last_error = None
        self._on_settled(batch, lambda index: receipts[index])

    def _settle(self, batch: Batch, done_seq_no: int) -> None:
        last = batch.kept.last
        self._in_turn(lambda: self._spool.settle(last, done_seq_no))
        self.done = last
        self._done_seq_no = done_seq_no
        self._kept = batches_behind(self._kept, last)
        self.batch = None

    def _forget_batch(self) -> None:
        """Make another batch of its events, under another key."""
        self._kept = tuple(one for one in self._kept if one.first > self.done + 1)
        self.batch = None

    async def _after_error(self, error: Exception) -> None:
        batch = self.batch
        self.last_error = LastError(code=code_of(error), message=str(error), at=self._now())
        is_refused = batch is not None and batch.note_failure(error)
        self._lies = self._lies + 1 if is_lie(error) else 0
        if is_transient(error) and self._lies < _MAX_LIES:
            self._attempts += 1
            full = min(_FIRST_PAUSE_SECONDS * 2.0 ** min(self._attempts - 1, 10), _MAX_PAUSE_SECONDS)
            seconds = full * (0.5 + random() / 2)
            self.next_attempt_at = self._now() + round(seconds * 1000)
            try:
                await asyncio.sleep(seconds)
            finally:
                self.next_attempt_at = None
            return
        most = batch.narrowed(error) if batch is not None and is_refused else None
        if most is not None:
            self._most = most
            self._forget_batch()
            return
        self._stop_at(error)

    def _stop_at(self, error: Exception) -> None:
        batch = self.batch
        # A batch that could not be read back comes from an earlier process.
        kept = batch.kept if batch is not None else next((o for o in self._kept if o.first == self.done + 1), None)
        self.stop = QueueStop(
            code=code_of(error),
            status=status_of(error),
            message=str(error),
            first=self.done + 1 if kept is None else kept.first,
            last=self._last if kept is None else kept.last,
            events=() if batch is None else batch.events(),
            maybe_recorded=kept is not None if batch is None else batch.maybe_recorded,
            cause=error,
        )
        try:
            self._on_stopped(self.stop)
        except Exception as cause:
            asyncio.get_running_loop().call_exception_handler({"message": "on_stopped raised", "exception": cause})


async def _awaited(task: asyncio.Future[T]) -> T:
    """Return the result of a task, which is cancelled with the one that waits."""
    try:
        return await task
    except asyncio.CancelledError:
        task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await task
        raise
