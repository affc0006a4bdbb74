"""The client that waits: it drives each flow to its end in the thread of the caller."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import httpx

from .._generated.service import EventInput, ReceiptRecord
from .._version import VERSION
from ._deadline import Deadline, DeadlineTransport
from ._errors import SvcError
from ._exports import ExportOperations, PackageFacts
from ._log import LogOperations
from ._operation import Synchronous
from ._operations import ClientOperations, note_head
from ._queues import InThreads, QueueOpener
from ._receipts import Receipts
from ._settings import Gaps, Settings, make_settings
from ._steps import Answer, Begin, Begun, Exchange, Flow, NoAnswer, Pause, Reply, Step
from ._stream import StreamOperations
from ._transport import Transport, is_coded

if TYPE_CHECKING:
    from ..queue import AppendQueue, OnReceipts, OnStopped, Queued, Spool

T = TypeVar("T")
# Answers are small beside what compressing them would cost, and nothing that was sent may grow when it is read.
HEADERS = {"accept-encoding": "identity", "user-agent": f"svc-sdk-python/{VERSION}"}
# Whatever a transport raises for an answer that did not come whole.
FAILURES = (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, OSError)


class SyncDriver:
    """Sends what flows ask for. Threads may use one driver at the same time."""

    def __init__(self, settings: Settings, transport: httpx.BaseTransport | None) -> None:
        self._settings = settings
        self._deadline = Deadline()
        self._given = transport
        self._process = os.getpid()
        self._http = self._opened()
        # Of a process that this one was forked from. Closing them here could end them there.
        self._of_others: list[httpx.Client] = []

    def run(self, flow: Flow[T]) -> T:
        """Drive a flow to its end, and return its result."""
        reply: Reply = None
        while True:
            try:
                step = flow.send(reply)
            except StopIteration as end:
                result: T = end.value
                return result
            reply = self._reply_to(step)

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def _opened(self) -> httpx.Client:
        own = DeadlineTransport(self._deadline) if self._given is None else self._given
        return httpx.Client(
            transport=own,
            timeout=self._settings.timeout_seconds,
            headers=HEADERS,
            follow_redirects=False,
            trust_env=False,
        )

    def _require_own_connections(self) -> None:
        """Begin separate connections in a process that was forked: two that share one take each other's answers."""
        if os.getpid() == self._process:
            return
        if self._given is not None:
            raise RuntimeError("the client was made before a fork, with a transport: make one after it")
        self._of_others.append(self._http)
        self._deadline = Deadline()
        self._http = self._opened()
        self._process = os.getpid()

    def _reply_to(self, step: Step) -> Reply:
        if isinstance(step, Pause):
            time.sleep(step.seconds)
            return None
        self._require_own_connections()
        try:
            with self._deadline.within(self._settings.timeout_seconds):
                return self._begin(step) if isinstance(step, Begin) else self._exchange(step)
        except FAILURES as error:
            return NoAnswer(error)

    def _exchange(self, step: Exchange) -> Answer:
        url = f"{self._settings.base_url}{step.path}"
        with self._http.stream(step.method, url, headers=dict(step.headers), content=step.body) as response:
            return self._read(response, step.max_bytes)

    def _begin(self, step: Begin) -> Answer | Begun:
        request = self._http.build_request("GET", f"{self._settings.base_url}{step.path}", headers=dict(step.headers))
        response = self._http.send(request, stream=True)
        if response.status_code == step.status and not is_coded(response.headers):
            return Begun(response)
        try:
            return self._read(response, 0 if response.is_success else step.max_bytes)
        finally:
            response.close()

    def _read(self, response: httpx.Response, most: int) -> Answer:
        """Read the body; a body without an end must not fill the memory."""
        pieces, size = [], 0
        # A transport of the caller's may have read it.
        for piece in response.iter_bytes() if response.is_stream_consumed else response.iter_raw():
            # A transport of the caller's does not know the deadline.
            self._deadline.left(None)
            size += len(piece)
            if size > most:
                return Answer(status=response.status_code, headers=response.headers, body=None)
            pieces.append(piece)
        return Answer(status=response.status_code, headers=response.headers, body=b"".join(pieces))


class Download:
    """A download that has begun: `facts`, and the bytes as an iterator. Close it, or use it in a `with`."""

    def __init__(self, facts: PackageFacts, response: httpx.Response) -> None:
        self.facts = facts
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        """Iterate over the bytes. Raises SvcError `no_answer` where the connection breaks."""
        try:
            yield from self._response.iter_bytes() if self._response.is_stream_consumed else self._response.iter_raw()
        except FAILURES as error:
            raise broken_off(error) from error
        finally:
            self.close()

    def read(self) -> bytes:
        """Return all bytes."""
        return b"".join(self)

    def close(self) -> None:
        """End the download."""
        self._response.close()

    def __enter__(self) -> Download:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def broken_off(error: Exception) -> SvcError:
    """Return the error of a download that breaks off."""
    return SvcError("no_answer", f"The download broke off: {type(error).__name__}: {error}", None)


class _Part(Synchronous):
    """A part of a client, which shares its driver and what it knows."""

    def __init__(self, driver: SyncDriver, transport: Transport, receipts: Receipts) -> None:
        self._driver = driver
        self._transport = transport
        self._receipts = receipts

    def _run(self, flow: Flow[T]) -> T:
        return self._driver.run(flow)


class EventLog(LogOperations, _Part):
    """The event log of the key's system: `client.log`."""


class Exports(ExportOperations, _Part):
    """Exports of truth packages: `client.exports`."""

    def download(self, export_id: str, *, from_byte: int = 0) -> Download:
        """Download a package, as a new access with a new ticket. Returns when the answer begins.

        `from_byte`: how many bytes you have already, from a download that broke off. Raises as `prepare_download` does,
        and SvcError `ticket_invalid`, `ticket_expired`, `ticket_used`, `range_not_satisfiable`.
        """
        return Download(*self._run(self._begin(export_id, from_byte)))


class Stream(StreamOperations, _Part):
    """One stream: `client.stream(stream_id)`."""

    def __init__(
        self, driver: SyncDriver, transport: Transport, receipts: Receipts, stream_id: str, queues: QueueOpener
    ) -> None:
        super().__init__(driver, transport, receipts)
        self.stream_id = stream_id
        self._queues = queues

    def open_queue(
        self,
        *,
        spool: Spool,
        on_receipts: OnReceipts | None = None,
        on_stopped: OnStopped | None = None,
        key_days: float = 30,
        max_batch_events: int = 1000,
    ) -> AppendQueue:
        """Open an append queue on this stream, and begin to send the events in its spool (docs/append-queue.md).

        A stream has one queue at a time. `spool`: where events wait. `on_receipts`: is given the receipts of each
        batch, in order, at least once each; the events leave the spool when it has returned. `on_stopped`: is given the
        reason why the queue stops. Both are called in the queue's own thread. `key_days`: how long the service keeps
        Idempotency-Keys. `max_batch_events`: 1 to 1000. Raises RuntimeError while another queue is open, ValueError for
        a number out of its range, and QueueError `spool_in_use`, `spool_foreign`, `spool_corrupt` or `spool_failed`.
        """
        given = (spool, on_receipts, on_stopped, key_days, max_batch_events)
        return self._queues.open(self.stream_id, self._transport, self._receipts, *given)

    def append_later(self, event: EventInput, *, key: str | None = None) -> Queued:
        """Append one event through the queue of `open_queue`. Returns when the event is in the queue's spool.

        Its `receipt` is a `concurrent.futures.Future`. `key`: your program's name for the event; a second event with
        the same key is refused. Raises RuntimeError without an open queue, and the errors of `AppendQueue.append`.
        """
        return self._queues.opened().append(event, key=key)


class Client(ClientOperations, _Part):
    """A client of one service, which waits for its answers. Threads may share one.

        trust = svc.pin_keys("7a69…")
        with svc.client.Client("https://evidence.example", api_key="…", trust=trust) as client:
            receipt = client.stream("str_…").append(event)

    Keep a system key in trusted processes: everybody who reads it can record in your name. Every call raises SvcError:
    `no_answer`, `unexpected_answer`, `answer_too_large`, and the codes of the service.
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
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """Make a client; it asks nothing yet.

        `base_url`: the service's URL, without a path. `api_key`: a system key; without one, only calls that need none
        succeed. `trust`: whose receipts you accept (protocol section 16); its pins come from you, never from the
        service. Without it the client trusts nobody and calls nothing verified, but still checks all but the signer.
        `gaps`: `read`, the client reads the events between the newest that it knows and a new one, and they must
        chain, unless there are more than 1000; `accept`, it believes in the other writers. `timeout_seconds`: the
        limit of one attempt with its answer's body, by default 30. `max_attempts`: by default 5. `max_answer_bytes`:
        by default 64 MiB, and 512 MiB for an audit pack. `transport`: what httpx sends by, by default separate
        connections, which no proxy setting of the environment changes.

        Raises ValueError for what could never be sent, and for a trust policy that is not well formed.
        """
        settings = make_settings(base_url, api_key, trust, gaps, timeout_seconds, max_attempts, max_answer_bytes)
        flows = Transport(settings)
        super().__init__(SyncDriver(settings, transport), flows, Receipts(flows, settings))
        self._settings = settings
        self._transport_given = transport
        self.log = EventLog(self._driver, flows, self._receipts)
        self.exports = Exports(self._driver, flows, self._receipts)

    def stream(self, stream_id: str, *, head: ReceiptRecord | None = None) -> Stream:
        """Return one stream, and ask the service nothing yet.

        All streams of a client share what it learns. `head`: the newest receipt that you kept; the stream must continue
        behind it. Raises ValueError for an empty `stream_id`, and for a head of another stream.
        """
        note_head(self._receipts, stream_id, head)
        given = self._transport_given
        queues = QueueOpener(self._settings, None if given is None else InThreads(given))
        return Stream(self._driver, self._transport, self._receipts, stream_id, queues)

    def close(self) -> None:
        """Close the client's connections. Queues have their own."""
        self._driver.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self._settings.base_url!r})"
