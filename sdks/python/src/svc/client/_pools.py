"""Connections of the asynchronous client, which outlive what is done to the calls that use them.

A pool of httpcore 1.0 loses a connection for good when the task that waits for it is cancelled at the wrong turn of
the event loop (https://github.com/encode/httpcore/issues/1093), and an SDK that limits the time of a call cancels
tasks by itself. So a pool in which a task was cancelled serves nobody anew: the next request begins another one, and
the old one is closed when the requests in it have ended.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import cast

import anyio
import httpx

# Nobody waits longer for connections to be closed.
_CLOSE_SECONDS = 1


class RenewedPools(httpx.AsyncBaseTransport):
    """Sends each request by the newest pool. A process that was forked begins its own pool."""

    def __init__(self, make: Callable[[], httpx.AsyncBaseTransport]) -> None:
        self._make = make
        self._newest: _Pool | None = None
        self._open: set[_Pool] = set()
        self._process = os.getpid()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        pool = self._pool()
        pool.requests += 1
        try:
            response = await pool.transport.handle_async_request(request)
        except BaseException as error:
            await self._leave(pool, error)
            raise
        return httpx.Response(
            response.status_code,
            headers=response.headers,
            stream=_Body(cast(httpx.AsyncByteStream, response.stream), lambda error: self._leave(pool, error)),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        pools, self._open, self._newest = self._open, set(), None
        for pool in pools:
            await pool.transport.aclose()

    def _pool(self) -> _Pool:
        if os.getpid() != self._process:
            # The connections are the other process's; closing them here could end them there.
            self._process, self._newest, self._open = os.getpid(), None, set()
        if self._newest is None:
            self._newest = _Pool(self._make())
            self._open.add(self._newest)
        return self._newest

    async def _leave(self, pool: _Pool, error: BaseException | None) -> None:
        pool.requests -= 1
        # The exception by which a task is cancelled, in asyncio as in trio, is no Exception.
        if error is not None and not isinstance(error, Exception) and self._newest is pool:
            self._newest = None
        if pool is self._newest or pool.requests > 0 or pool not in self._open:
            return
        self._open.discard(pool)
        with anyio.move_on_after(_CLOSE_SECONDS, shield=True):
            await pool.transport.aclose()


class _Pool:
    def __init__(self, transport: httpx.AsyncBaseTransport) -> None:
        self.transport = transport
        self.requests = 0


class _Body(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream, leave: Callable[[BaseException | None], Awaitable[None]]) -> None:
        self._stream = stream
        self._leave = leave
        self._error: BaseException | None = None
        self._is_closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for piece in self._stream:
                yield piece
        except GeneratorExit:
            raise
        except BaseException as error:
            self._error = error
            raise

    async def aclose(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        try:
            await self._stream.aclose()
        except BaseException as error:
            self._error = error
            raise
        finally:
            await self._leave(self._error)
