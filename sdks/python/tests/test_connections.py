"""What is done to calls and processes, and what a host sends, harms no later call: connections of both clients."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import pytest

from svc.client import AsyncClient, Client, SvcError

HEALTH = b'{"status":"ok","version":"0.5.0"}'


def answer(body: bytes, *headers: str) -> bytes:
    lines = ["HTTP/1.1 200 OK", "Content-Type: application/json", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


@contextmanager
def serving(answer_to: Callable[[str], bytes]) -> Iterator[str]:
    """Answer each request by its path, and keep the connection."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve(connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            head = b""
            while piece := connection.recv(65_536):
                head += piece
                while b"\r\n\r\n" in head:
                    request, _, head = head.partition(b"\r\n\r\n")
                    connection.sendall(answer_to(request.split()[1].decode()))

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                threading.Thread(target=serve, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        # It wakes the thread that accepts, which closing does not.
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def test_cancelled_calls_use_up_no_connection() -> None:
    async def run(url: str) -> None:
        async with AsyncClient(url, timeout_seconds=10, max_attempts=1) as client:
            # At each turn of the loop, more than a pool holds.
            for turns in range(6, 12):
                for _ in range(101):
                    task = asyncio.ensure_future(client.health())
                    for _ in range(turns):
                        await asyncio.sleep(0)
                    task.cancel()
                    with contextlib.suppress(asyncio.CancelledError):
                        await task
            assert (await client.health())["status"] == "ok"

    with serving(lambda _: answer(HEALTH)) as url:
        asyncio.run(run(url))


def test_calls_are_answered_again_after_an_outage() -> None:
    hangs = threading.Event()
    is_back = threading.Event()

    def hanging(_: str) -> bytes:
        hangs.set()
        is_back.wait()
        return answer(HEALTH)

    async def later(client: AsyncClient, number: int) -> object:
        await asyncio.sleep(number * 0.002)
        return await client.health()

    async def run(url: str) -> None:
        async with AsyncClient(url, timeout_seconds=0.3, max_attempts=2) as client:
            lost = await asyncio.gather(*[later(client, number) for number in range(300)], return_exceptions=True)
            assert all(isinstance(each, SvcError) for each in lost)
            is_back.set()
            assert (await client.health())["status"] == "ok"
            found = await asyncio.gather(*[client.health() for _ in range(20)])
            assert len(found) == 20

    with serving(hanging) as url:
        asyncio.run(run(url))
    assert hangs.is_set()


def squeezed(mebibytes: int, layers: int) -> bytes:
    data = bytes(mebibytes << 20)
    for _ in range(layers):
        data = gzip.compress(data)
    return data


@pytest.mark.parametrize("coding", ["gzip", "gzip, gzip", "deflate", "br", "x-unknown"])
def test_a_coding_that_nobody_asked_for_is_refused_and_not_decoded(coding: str) -> None:
    body = squeezed(100, 2)

    async def run(url: str) -> None:
        async with AsyncClient(url, max_attempts=1) as client:
            await client.health()

    with serving(lambda _: answer(body, f"Content-Encoding: {coding}")) as url:
        for call in (lambda: Client(url, max_attempts=1).health(), lambda: asyncio.run(run(url))):
            with pytest.raises(SvcError, match="content coding") as raised:
                call()
            assert (raised.value.code, raised.value.status) == ("unexpected_answer", 200)


def test_an_answer_that_says_that_it_is_in_no_coding_is_read() -> None:
    with serving(lambda _: answer(HEALTH, "Content-Encoding: identity")) as url:
        assert Client(url).health()["status"] == "ok"


def test_an_answer_that_a_transport_of_the_callers_has_read_is_taken() -> None:
    def answer_to(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"status": "ok", "version": "0.5.0"})

    async def run() -> None:
        async with AsyncClient("http://127.0.0.1:9", transport=httpx.MockTransport(answer_to)) as client:
            assert (await client.health())["status"] == "ok"

    with Client("http://127.0.0.1:9", transport=httpx.MockTransport(answer_to)) as client:
        assert client.health()["status"] == "ok"
    asyncio.run(run())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_processes_that_were_forked_share_no_connection() -> None:
    with serving(lambda path: answer(HEALTH if path == "/health" else b'{"keys":[],"endorsements":[]}')) as url:
        client = Client(url, max_attempts=1)
        client.health()
        child = os.fork()
        wrong = 0
        for _ in range(300):
            with contextlib.suppress(SvcError):
                found = (client.keys(), client.health())
                wrong += ("keys" not in found[0]) + ("status" not in found[1])
        if child == 0:
            os._exit(1 if wrong else 0)
        _, status = os.waitpid(child, 0)
        assert (wrong, status) == (0, 0)
