"""The receipts that somebody still waits for.

Events are put into the spool in groups, and the handles that a program holds share their group: only a group with a
live handle takes memory, however many events wait.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

Receipt = dict[str, Any]
Outcome = Receipt | BaseException

# Dead entries are looked for only above this number of entries.
_FIRST_SWEEP = 1024


class _Group:
    """Events that were put into the spool together."""

    def __init__(self, first: int, last: int, hold: Callable[[_Group], None]) -> None:
        self.first = first
        self.last = last
        # Keeps the group alive while somebody waits for it.
        self._hold = hold
        self._lock = threading.Lock()
        # By position.
        self._outcomes: dict[int, Outcome] = {}
        self._asked: dict[int, Future[Receipt]] = {}

    def receipt_of(self, position: int) -> Future[Receipt]:
        with self._lock:
            asked = self._asked.get(position)
            if asked is not None:
                return asked
            asked = self._asked[position] = Future()
            outcome = self._outcomes.get(position)
        if outcome is None:
            self._hold(self)
        else:
            _tell(asked, outcome)
        return asked

    def take(self, position: int, outcome: Outcome) -> None:
        with self._lock:
            if position in self._outcomes:
                return
            self._outcomes[position] = outcome
            asked = self._asked.get(position)
        if asked is not None:
            _tell(asked, outcome)


class Queued:
    """An event that waits in a queue."""

    __slots__ = ("position", "_group")

    def __init__(self, position: int, group: _Group) -> None:
        # Its position in the queue: 1 for the first event that the spool ever held. It is no `seq_no`.
        self.position = position
        self._group = group

    @property
    def receipt(self) -> Future[Receipt]:
        """The receipt, once the event is durable with the service. `asyncio.wrap_future` makes it awaitable.

        Its exception is QueueError `event_discarded`, or `queue_closed` if the queue is closed first (the event then
        stays in its spool). A receipt that nobody asks for is not kept.
        """
        return self._group.receipt_of(self.position)

    def __repr__(self) -> str:
        return f"Queued(position={self.position})"


class ReceiptsDue:
    """All groups, in the order of positions. Threads may use it at the same time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._groups: list[tuple[int, weakref.ref[_Group]]] = []
        self._held: set[_Group] = set()
        self._sweep_at = _FIRST_SWEEP

    def issue(self, first: int, last: int) -> list[Queued]:
        """Return handles for events that were put into the spool together."""
        group = _Group(first, last, self._held.add)
        with self._lock:
            self._groups.append((last, weakref.ref(group)))
            if len(self._groups) >= self._sweep_at:
                self._groups = [one for one in self._groups if one[1]() is not None]
                self._sweep_at = max(_FIRST_SWEEP, 2 * len(self._groups))
        return [Queued(position, group) for position in range(first, last + 1)]

    def settle(self, first: int, last: int, outcome_of: Callable[[int], Outcome]) -> None:
        """Settle the events of some positions; `outcome_of` returns the outcome of a position."""
        with self._lock:
            concerned = list(self._groups)
        for end, reference in concerned:
            group = reference()
            if group is not None:
                for position in range(max(first, group.first), min(last, group.last) + 1):
                    group.take(position, outcome_of(position))
                if group.last <= last:
                    self._held.discard(group)
            if end > last:
                break
        with self._lock:
            self._groups = [one for one in self._groups if one[0] > last]

    def settle_all(self, outcome: BaseException) -> None:
        """Settle all remaining events with one outcome."""
        with self._lock:
            last = self._groups[-1][0] if self._groups else 0
        self.settle(0, last, lambda _: outcome)


def _tell(asked: Future[Receipt], outcome: Outcome) -> None:
    # Somebody may have cancelled it.
    if not asked.set_running_or_notify_cancel():
        return
    if isinstance(outcome, BaseException):
        asked.set_exception(outcome)
    else:
        asked.set_result(outcome)
