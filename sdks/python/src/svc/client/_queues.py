"""Opens append queues for the streams of both clients. A queue sends from its own thread, by its own connections."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import httpx

from ._receipts import Receipts
from ._settings import Settings
from ._transport import Transport, is_coded

if TYPE_CHECKING:
    from ..queue import AppendQueue, OnReceipts, OnStopped, Spool


# What a body that was read no longer has.
_OF_TRANSFER = frozenset({"content-encoding", "content-length", "transfer-encoding"})


class QueueOpener:
    """The queue of one stream: at most one at a time."""

    def __init__(self, settings: Settings, transport: httpx.AsyncBaseTransport | None) -> None:
        self._settings = settings
        self._transport = transport
        self._queue: AppendQueue | None = None

    def opened(self) -> AppendQueue:
        """Return the queue. Raises RuntimeError if none was opened."""
        if self._queue is None:
            raise RuntimeError("open a queue first: stream.open_queue(spool=...)")
        return self._queue

    def open(
        self,
        stream_id: str,
        flows: Transport,
        receipts: Receipts,
        spool: Spool,
        on_receipts: OnReceipts | None,
        on_stopped: OnStopped | None,
        key_days: float,
        max_batch_events: int,
    ) -> AppendQueue:
        """Open a queue. Raises RuntimeError while another is open, and the errors of the spool."""
        # Most programs have no queue.
        from ..queue._append_queue import AppendQueue
        from ..queue._sender import Sender

        if self._queue is not None and not self._queue.is_closed:
            raise RuntimeError("this stream has a queue already: close it first")
        sender = Sender(stream_id, receipts, self._settings, self._transport)
        self._queue = AppendQueue(
            stream_id,
            sender,
            spool=spool,
            on_receipts=on_receipts,
            on_stopped=on_stopped,
            key_days=key_days,
            max_batch_events=max_batch_events,
        )
        return self._queue


class InThreads(httpx.AsyncBaseTransport):
    """A caller's synchronous transport, for a queue, which sends from an event loop: each request in a thread."""

    def __init__(self, inner: httpx.BaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        body = await request.aread()
        sent = httpx.Request(request.method, request.url, headers=request.headers, content=body)
        return await anyio.to_thread.run_sync(self._whole, sent, abandon_on_cancel=True)

    def _whole(self, request: httpx.Request) -> httpx.Response:
        response = self._inner.handle_request(request)
        # A body in a coding is refused by its headers, and nobody decodes it here.
        is_read = not is_coded(response.headers)
        data = response.read() if is_read else b""
        response.close()
        headers = [(name, value) for name, value in response.headers.items() if name not in _OF_TRANSFER]
        whole = httpx.Response(response.status_code, headers=headers, content=data)
        if not is_read:
            whole.headers["content-encoding"] = response.headers["content-encoding"]
        return whole
