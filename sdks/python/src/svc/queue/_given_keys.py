"""The keys that a program gave its events, so that the same event is not put into a queue twice.

The spool decides how many keys are remembered. The queue calls it under its lock.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from ._errors import QueueError
from ._spool import KEPT_KEYS, SpooledEvent

_KEY = re.compile("[!-~]{1,255}").fullmatch


class GivenKeys:
    """The keys in the spool, and those of events that are being put into it."""

    def __init__(self, kept: Sequence[str]) -> None:
        # Oldest first.
        self._kept = dict.fromkeys(kept)
        self._coming: dict[str, Future[Any]] = {}

    def coming(self, key: str) -> Future[Any] | None:
        """Return the event of this key that is being put into the spool: if it fails, the key is free again."""
        return self._coming.get(key)

    def take(self, key: str, entering: Future[Any]) -> None:
        """Take a key for an event that is being put into the spool. Raises QueueError `key_taken`."""
        if key in self._kept:
            message = f"The event with the key {key} is in the queue already, or has left it."
            raise QueueError("key_taken", message)
        self._coming[key] = entering

    def entered(self, events: Sequence[SpooledEvent], is_in: bool) -> None:
        """Note that events are in the spool, or could not be put into it."""
        for event in events:
            if event.key is not None:
                self._coming.pop(event.key, None)
                if is_in:
                    self._kept[event.key] = None
        while len(self._kept) > KEPT_KEYS:
            del self._kept[next(iter(self._kept))]


def require_event_key(key: str) -> None:
    """Raise ValueError for what is no key of an event."""
    if not isinstance(key, str) or _KEY(key) is None:
        raise ValueError("a key is 1 to 255 visible ASCII characters")
