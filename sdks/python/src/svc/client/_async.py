"""The client that lets others run while it waits: it drives each flow in the caller's task, on asyncio or trio."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import httpx

from .._generated.service import EventInput, ReceiptRecord
from ._exports import ExportOperations, PackageFacts
from ._log import LogOperations
from ._operation import Asynchronous
from ._operations import ClientOperations, note_head
from ._pools import RenewedPools
from ._queues import QueueOpener
from ._receipts import Receipts
from ._settings import Gaps, Settings, make_settings
from ._steps import Answer, Begin, Begun, Exchange, Flow, NoAnswer, Pause, Reply, Step
from ._stream import StreamOperations
from ._sync import FAILURES, HEADERS, broken_off
from ._transport import Transport, is_coded

if TYPE_CHECKING:
    from ..queue import AppendQueue, OnReceipts, OnStopped, Queued, Spool

T = TypeVar("T")


class AsyncDriver:
    """Sends what flows ask for. Tasks of one event loop may use one driver at the same time."""

    def __init__(self, settings: Settings, transport: httpx.AsyncBaseTransport | None) -> None:
        self._settings = settings
        # No proxy and no certificates of the environment: the library reads nothing that it was not given.
        own = RenewedPools(_pools()) if transport is None else transport
        self._http = httpx.AsyncClient(
            transport=own, timeout=settings.timeout_seconds, headers=HEADERS, follow_redirects=False, trust_env=False
        )

    async def run(self, flow: Flow[T]) -> T:
        """Drive a flow to its end, and return its result."""
        reply: Reply = None
        while True:
            try:
                step = flow.send(reply)
            except StopIteration as end:
                result: T = end.value
                return result
            reply = await self._reply_to(step)

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def _reply_to(self, step: Step) -> Reply:
        if isinstance(step, Pause):
            await anyio.sleep(step.seconds)
            return None
        try:
            with anyio.fail_after(self._settings.timeout_seconds):
                return await (self._begin(step) if isinstance(step, Begin) else self._exchange(step))
        except (*FAILURES, TimeoutError) as error:
            return NoAnswer(error)

    async def _exchange(self, step: Exchange) -> Answer:
        url = f"{self._settings.base_url}{step.path}"
        async with self._http.stream(step.method, url, headers=dict(step.headers), content=step.body) as response:
            return await self._read(response, step.max_bytes)

    async def _begin(self, step: Begin) -> Answer | Begun:
        request = self._http.build_request("GET", f"{self._settings.base_url}{step.path}", headers=dict(step.headers))
        response = await self._http.send(request, stream=True)
        if response.status_code == step.status and not is_coded(response.headers):
            return Begun(response)
        try:
            most = 0 if response.is_success else step.max_bytes
            return await self._read(response, most)
        finally:
            await response.aclose()

    async def _read(self, response: httpx.Response, most: int) -> Answer:
        """Read the body; a body without an end must not fill the memory."""
        pieces, size = [], 0
        # A transport of the caller's may have read it.
        async for piece in response.aiter_bytes() if response.is_stream_consumed else response.aiter_raw():
            size += len(piece)
            if size > most:
                return Answer(status=response.status_code, headers=response.headers, body=None)
            pieces.append(piece)
        return Answer(status=response.status_code, headers=response.headers, body=b"".join(pieces))


def _pools() -> Callable[[], httpx.AsyncBaseTransport]:
    # Making it takes longer than a request.
    context = httpx.create_ssl_context(trust_env=False)
    return lambda: httpx.AsyncHTTPTransport(verify=context, trust_env=False)


class AsyncDownload:
    """A download that has begun: `facts`, and the bytes as an asynchronous iterator. Use it in an `async with`."""

    def __init__(self, facts: PackageFacts, response: httpx.Response) -> None:
        self.facts = facts
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Iterate over the bytes. Raises SvcError `no_answer` where the connection breaks."""
        try:
            response = self._response
            async for piece in response.aiter_bytes() if response.is_stream_consumed else response.aiter_raw():
                yield piece
        except FAILURES as error:
            raise broken_off(error) from error
        finally:
            await self.close()

    async def read(self) -> bytes:
        """Return all bytes."""
        return b"".join([piece async for piece in self])

    async def close(self) -> None:
        """End the download."""
        await self._response.aclose()

    async def __aenter__(self) -> AsyncDownload:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class _Part(Asynchronous):
    """A part of a client, which shares its driver and what it knows."""

    def __init__(self, driver: AsyncDriver, transport: Transport, receipts: Receipts) -> None:
        self._driver = driver
        self._transport = transport
        self._receipts = receipts

    async def _run(self, flow: Flow[T]) -> T:
        return await self._driver.run(flow)


class AsyncEventLog(LogOperations, _Part):
    """The event log of the key's system: `client.log`."""


class AsyncExports(ExportOperations, _Part):
    """Exports of truth packages: `client.exports`."""

    async def download(self, export_id: str, *, from_byte: int = 0) -> AsyncDownload:
        """Download a package, as a new access with a new ticket. Returns when the answer begins.

        Parameters and errors as of `Exports.download`.
        """
        return AsyncDownload(*await self._run(self._begin(export_id, from_byte)))


class AsyncStream(StreamOperations, _Part):
    """One stream: `client.stream(stream_id)`."""

    def __init__(
        self, driver: AsyncDriver, transport: Transport, receipts: Receipts, stream_id: str, queues: QueueOpener
    ) -> None:
        super().__init__(driver, transport, receipts)
        self.stream_id = stream_id
        self._queues = queues

    async def open_queue(
        self,
        *,
        spool: Spool,
        on_receipts: OnReceipts | None = None,
        on_stopped: OnStopped | None = None,
        key_days: float = 30,
        max_batch_events: int = 1000,
    ) -> AppendQueue:
        """Open an append queue on this stream, and begin to send the events in its spool.

        It sends from a separate thread, in which the callbacks are called too. Parameters and errors as of
        `Stream.open_queue`.
        """
        given = (spool, on_receipts, on_stopped, key_days, max_batch_events)
        work = partial(self._queues.open, self.stream_id, self._transport, self._receipts, *given)
        return await anyio.to_thread.run_sync(work)

    async def append_later(self, event: EventInput, *, key: str | None = None) -> Queued:
        """Append one event through the queue of `open_queue`. Returns when the event is in the queue's spool.

        Parameters and errors as of `Stream.append_later`.
        """
        return await self._queues.opened().append_async(event, key=key)


class AsyncClient(ClientOperations, _Part):
    """A client of one service for asyncio and trio. Tasks of one event loop may share one.

        async with svc.client.AsyncClient("https://evidence.example", api_key="…", trust=trust) as client:
            receipt = await client.stream("str_…").append(event)

    It does and raises what Client does. Cancelling a call ends it; the service may have recorded the request by then.
    """

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        trust: Mapping[str, Any] | None = None,
        gaps: Gaps = "read",
        timeout_seconds: float | None = None,
        max_attempts: int | None = None,
        max_answer_bytes: int | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Make a client; it asks nothing yet. Parameters and errors as of Client."""
        settings = make_settings(base_url, api_key, trust, gaps, timeout_seconds, max_attempts, max_answer_bytes)
        flows = Transport(settings)
        super().__init__(AsyncDriver(settings, transport), flows, Receipts(flows, settings))
        self._settings = settings
        self._transport_given = transport
        self.log = AsyncEventLog(self._driver, flows, self._receipts)
        self.exports = AsyncExports(self._driver, flows, self._receipts)

    def stream(self, stream_id: str, *, head: ReceiptRecord | None = None) -> AsyncStream:
        """Return one stream, and ask the service nothing yet. Parameters and errors as of `Client.stream`."""
        note_head(self._receipts, stream_id, head)
        queues = QueueOpener(self._settings, self._transport_given)
        return AsyncStream(self._driver, self._transport, self._receipts, stream_id, queues)

    async def close(self) -> None:
        """Close the client's connections. Queues have their own."""
        await self._driver.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncClient({self._settings.base_url!r})"
