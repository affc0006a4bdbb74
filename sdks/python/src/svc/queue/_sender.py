"""Sends the batches of a queue: the client's own flow, driven in the event loop of the queue's thread."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import httpx

from ..client._async import AsyncDriver
from ..client._receipts import Receipts
from ..client._settings import Settings
from ..client._stream import batch_of

Receipt = dict[str, Any]
# Checks the receipts of an answer, and returns them.
Check = Callable[[], Awaitable[list[Receipt]]]


class Sender:
    """What a queue knows of the network. Its connections are its own."""

    def __init__(
        self, stream_id: str, receipts: Receipts, settings: Settings, transport: httpx.AsyncBaseTransport | None
    ) -> None:
        self._stream_id = stream_id
        self._receipts = receipts
        self._settings = settings
        self._transport = transport
        self._driver: AsyncDriver | None = None

    async def send(self, texts: Sequence[bytes], key: str, after_key: str | None) -> Check:
        """Send events, each as JSON text, under a key. Returns when the answer has come.

        `after_key`: the key of the batch behind which it must be recorded, or not at all; None if that one is recorded.
        """
        if self._driver is None:
            self._driver = AsyncDriver(self._settings, self._transport)
        driver = self._driver
        text = (b'{"events":[' + b",".join(texts) + b"]}").decode()
        read = await driver.run(self._receipts.send(batch_of(self._stream_id, text, after_key), key))
        return lambda: driver.run(read())

    async def close(self) -> None:
        """Close the connections."""
        if self._driver is not None:
            await self._driver.close()
