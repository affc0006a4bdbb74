"""A client's whole story against the real service, both ways to wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

import svc
from svc.client import AsyncClient, Client, SvcError
from svc.queue import FileSpool, MemorySpool, QueueError

from .running import Service, build


def test_a_client_records_reads_and_proves(service: Service, client: Client, new_stream: Callable[[], str]) -> None:
    assert client.receipt_verdict == "verified"
    assert client.health()["status"] == "ok"
    stream = client.stream(new_stream())
    first = stream.append(build(1))
    batch = stream.append_batch([build(number) for number in range(2, 5)])
    assert [one["seq_no"] for one in (first, *batch)] == [1, 2, 3, 4]
    assert [one["source_ref"] for one in stream.events(limit=2)] == [f"build-{number}" for number in range(1, 5)]
    page = stream.events(limit=2).page()
    assert [one["seq_no"] for one in stream.events(cursor=page.next_cursor)] == [3, 4]
    assert stream.head()["event_hash"] == batch[-1]["event_hash"]
    assert client.receipt(first["stream_event_id"])["event_hash"] == first["event_hash"]
    pack = client.audit_pack_bytes({"stream_id": stream.stream_id, "from_seq_no": 1, "to_seq_no": 4})
    assert svc.verify(pack, trust=service.trust)
    assert client.verify_online(svc.decode(pack))["verdict"] == "verified"
    assert client.window(next(iter(stream.windows()))["window_id"])["from_seq_no"] == 1
    checkpoint = next(iter(stream.checkpoints()))
    assert client.checkpoint(checkpoint["checkpoint_id"])["stream_id"] == stream.stream_id
    assert list(stream.forks()) == []
    assert stream.stream_id in [one["stream_id"] for one in client.streams(use_case="builds")]
    assert client.keys()["keys"][0]["public_key_hex"] == service.public_key_hex


def test_the_event_log_and_a_truth_package(service: Service, client: Client, new_stream: Callable[[], str]) -> None:
    ref = f"session of {new_stream()}"
    logged = client.log.append(
        {"type": "login", "status": "ok", "occurred_at": "2026-03-01T09:30:00Z", "source_ref": ref, "payload": {}}
    )
    assert [one["status"] for one in client.log.events(source_ref=ref)] == ["ok"]
    assert client.log.event(logged["stream_event_id"])["payload"] == {}
    proof = client.log.proof_bytes(logged["stream_event_id"])
    assert svc.verify(proof, trust=service.trust)
    assert client.log.verify_online(client.log.proof(logged["stream_event_id"]))["ok"]
    export = client.exports.create({"streams": [logged["stream_id"]]})
    info = client.exports.when_ready(export["export_id"])
    with client.exports.download(export["export_id"]) as download:
        data = download.read()
    assert len(data) == download.facts.size_bytes
    assert svc.verify(data, trust=service.trust)
    with client.exports.download(export["export_id"], from_byte=100) as rest:
        assert rest.read() == data[100:]
    assert info["package"] is not None and client.exports.delete(export["export_id"])["state"] == "deleted"


def test_a_refusal_says_how_to_mend_it_and_nothing_tells_the_key(service: Service, client: Client) -> None:
    with pytest.raises(SvcError) as caught:
        client.stream("str_00000000000000000000000001").append(build(1))
    error = caught.value
    assert (error.code, error.status, error.retryable, error.names_key) == ("stream_not_found", 404, False, True)
    assert service.api_key not in f"{client!r} {client.__dict__!r} {vars(client._driver)!r} {error!r} {error}"
    with pytest.raises(ValueError, match="visible ASCII") as wrong:
        Client(service.base_url, api_key=f"{service.api_key}\n")
    assert service.api_key not in str(wrong.value)
    with pytest.raises(ValueError, match="no http address"):
        Client("ftp://evidence.example")
    with pytest.raises(ValueError, match="not well formed"):
        Client(service.base_url, trust={"signers": [{"kid": "ed25519-0123456789abcdef"}]})


def test_an_erased_payload_and_a_key_that_may_not_erase(
    service: Service, client: Client, new_stream: Callable[[], str]
) -> None:
    stream = client.stream(new_stream())
    receipt = stream.append(build(1))
    with pytest.raises(SvcError) as caught:
        stream.erase(receipt["stream_event_id"], "the retention period is over")
    assert caught.value.code == "action_forbidden"
    with service.client(api_key=service.erase_key) as eraser:
        assert eraser.stream(stream.stream_id).erase(receipt["stream_event_id"], "over")["seq_no"] == 1
    assert "payload" not in client.receipt(receipt["stream_event_id"])


def test_async_does_the_same(service: Service, new_stream: Callable[[], str]) -> None:
    async def story() -> None:
        async with AsyncClient(service.base_url, api_key=service.api_key, trust=service.trust) as client:
            stream = client.stream(new_stream())
            receipts = await asyncio.gather(*(stream.append(build(number)) for number in range(8)))
            assert sorted(one["seq_no"] for one in receipts) == list(range(1, 9))
            assert [one["seq_no"] async for one in stream.events(limit=3)] == list(range(1, 9))
            assert (await stream.events(limit=3).page()).next_cursor is not None
            assert (await stream.head())["seq_no"] == 8
            async with await stream.open_queue(spool=MemorySpool()) as queue:
                queued = await stream.append_later(build(9), key="k")
                assert (await asyncio.wrap_future(queued.receipt))["seq_no"] == 9
                with pytest.raises(QueueError):
                    await queue.append_async(build(9), key="k")
                await queue.flush_async()

    asyncio.run(story())


def test_a_limit_of_time_holds_for_the_whole_answer(service: Service) -> None:
    """A server that sends a byte now and then does not keep a client past its limit."""
    import socketserver
    import threading

    class Drip(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n")
            try:
                while True:
                    self.request.sendall(b" ")
                    time.sleep(0.05)
            except OSError:
                pass

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Drip) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        with Client(url, timeout_seconds=0.4, max_attempts=1) as client, pytest.raises(SvcError) as caught:
            client.health()
        assert caught.value.code == "no_answer"
        # A transport of the caller's knows no deadline.
        given = httpx.HTTPTransport()
        with (
            Client(url, timeout_seconds=0.4, max_attempts=1, transport=given) as client,
            pytest.raises(SvcError) as caught,
        ):
            client.health()
        assert caught.value.code == "no_answer"

        async def story() -> str:
            async with AsyncClient(url, timeout_seconds=0.4, max_attempts=1) as waiting:
                with pytest.raises(SvcError) as late:
                    await waiting.health()
                return late.value.code

        assert asyncio.run(story()) == "no_answer"
        server.shutdown()


def test_a_queue_keeps_the_order_and_stops_at_what_is_refused(
    client: Client, new_stream: Callable[[], str], tmp_path: Path
) -> None:
    stream = client.stream(new_stream())
    told: list[int] = []
    stops: list[str] = []
    queue = stream.open_queue(
        spool=FileSpool(tmp_path / "spool"),
        on_receipts=lambda receipts: told.extend(one["seq_no"] for one in receipts),
        on_stopped=lambda stop: stops.append(stop.code),
    )
    with queue:
        queued = queue.append_all(build(number) for number in range(1, 2001))
        assert queued[-1].receipt.result(60)["seq_no"] == 2000
        bad = queue.append(build(1, occurred_at="yesterday"))
        good = stream.append_later(build(2001))
        with pytest.raises(QueueError, match="invalid_request"):
            queue.flush()
        stop = queue.waiting().stopped
        assert stop is not None and (stop.first, stop.last, stop.maybe_recorded) == (2001, 2001, False)
        assert [one["occurred_at"] for one in queue.discard()] == ["yesterday"]
        assert good.receipt.result(60)["seq_no"] == 2001
        with pytest.raises(QueueError) as caught:
            bad.receipt.result(0)
        assert caught.value.code == "event_discarded"
        queue.flush()
        assert (queue.waiting().events, stops) == (0, ["invalid_request"])
    assert told == list(range(1, 2002))
    with pytest.raises(QueueError, match="closed"):
        queue.append(build(1))


class Loses(httpx.BaseTransport):
    """Loses the first answer to each request after the service has given it."""

    def __init__(self) -> None:
        self._inner = httpx.HTTPTransport()
        self.keys: list[str | None] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        key = request.headers.get("idempotency-key")
        is_first = key not in self.keys
        self.keys.append(key)
        response = self._inner.handle_request(request)
        data = response.read()
        if is_first:
            raise httpx.ReadError("the connection was cut")
        return httpx.Response(response.status_code, headers=response.headers, content=data)


def test_a_lost_answer_is_asked_for_again_under_the_same_key(service: Service, new_stream: Callable[[], str]) -> None:
    loses = Loses()
    with service.client(transport=loses) as client:
        stream = client.stream(new_stream())
        assert stream.append(build(1))["seq_no"] == 1
        assert len(loses.keys) == 2 and loses.keys[0] == loses.keys[1] is not None
        with stream.open_queue(spool=MemorySpool()) as queue:
            assert queue.append(build(2)).receipt.result(60)["seq_no"] == 2
            assert (loses.keys[-1], queue.waiting().last_error) == (loses.keys[-2], None)
    with service.client(transport=Loses(), max_attempts=1) as client, pytest.raises(SvcError) as caught:
        client.stream(stream.stream_id).append(build(3))
    error = caught.value
    assert (error.code, error.retryable, error.attempts) == ("no_answer", True, 1)
    with service.client() as again:
        sent = again.stream(stream.stream_id).append(build(3), idempotency_key=error.idempotency_key)
        assert sent["seq_no"] == 3
