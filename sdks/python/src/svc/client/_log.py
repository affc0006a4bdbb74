"""The event log of the key's system: record events without making or naming a stream, find them, and prove them.

Receipts are returned only if they hold, and proofs unchecked: `verify` checks them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast
from urllib.parse import quote

from .._generated.service import LoggedEvent, LogInput, OnlineReport, PortableReceipt, ReceiptRecord, WholeLoggedEvent
from ._json import json_of
from ._operation import Fetch, listing, operation, pages_of
from ._receipts import Receipts, Recording
from ._steps import Flow
from ._transport import Transport, parse_answer

_EVENTS = "/v1/sdk/events"


class LogOperations:
    """The operations on the event log."""

    _transport: Transport
    _receipts: Receipts
    # The stream of the newest event that this client recorded.
    _stream_id: str | None = None

    @operation
    def append(self, event: LogInput, *, idempotency_key: str | None = None) -> Flow[ReceiptRecord]:
        """Record one event, and return its receipt once the event is on the service's disk, if the receipt holds.

        Its payload is `{"status": ..., "payload": ...}`. Raises as `Stream.append` does.
        """
        text = json_of(event)
        records = yield from self._record(_EVENTS, text, lambda sent: [sent], lambda answer: [answer], idempotency_key)
        return records[0]

    @operation
    def append_batch(
        self, events: Sequence[LogInput], *, idempotency_key: str | None = None
    ) -> Flow[list[ReceiptRecord]]:
        """Record 1 to 1000 events, all or none, and return their receipts in order, if all of them hold."""
        text = json_of({"events": list(events)})
        return (
            yield from self._record(
                f"{_EVENTS}/batch",
                text,
                lambda sent: cast("list[Any]", sent["events"]),
                lambda answer: answer.get("receipts"),
                idempotency_key,
            )
        )

    def _record(
        self,
        path: str,
        text: str,
        inputs: Callable[[Any], list[Any]],
        receipts: Callable[[Any], Any],
        key: str | None,
    ) -> Flow[list[ReceiptRecord]]:
        recording = Recording(
            path=path,
            text=text,
            stream_id=None,
            likely_stream_id=self._stream_id,
            events=lambda sent: [_as_recorded(one) for one in inputs(sent)],
            receipts=receipts,
        )
        records = yield from self._receipts.record(recording, key)
        if records:
            self._stream_id = records[0]["stream_id"]
        return cast("list[ReceiptRecord]", records)

    @listing
    def events(
        self,
        *,
        type: str | None = None,
        status: str | None = None,
        source_ref: str | None = None,
        system_id: str | None = None,
        occurred_from: str | None = None,
        occurred_before: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> tuple[str | None, Fetch[LoggedEvent]]:
        """List the events, in the order in which they were recorded, without payloads, unchecked.

        `occurred_from` and `occurred_before`: RFC 3339, the first included. Raises SvcError `system_forbidden` for
        another system's `system_id`.
        """
        query: dict[str, str | int | None] = {
            "type": type,
            "status": status,
            "source_ref": source_ref,
            "system_id": system_id,
            "occurred_from": occurred_from,
            "occurred_before": occurred_before,
            "limit": limit,
            "cursor": cursor,
        }
        return pages_of(self._transport, "/v1/events", query)

    @operation
    def event(self, event_id: str) -> Flow[WholeLoggedEvent]:
        """Return one event with its payload, unchecked: `proof_bytes` proves it. `event_id`: its `stream_event_id`."""
        return cast(WholeLoggedEvent, (yield from self._transport.get(_path_of(event_id))))

    @operation
    def proof_bytes(self, event_id: str) -> Flow[bytes]:
        """Return the proof of an event, as the exact bytes that the service sent: save these.

        The proof verifies at once, and grows as evidence comes. Raises SvcError `receipt_not_found`,
        `stream_forbidden`.
        """
        return (yield from self._transport.send("GET", f"{_path_of(event_id)}/proof"))

    @operation
    def proof(self, event_id: str) -> Flow[PortableReceipt]:
        """Return the proof of an event, as a value. Save the bytes of `proof_bytes`, not this value."""
        path = f"{_path_of(event_id)}/proof"
        return cast(PortableReceipt, parse_answer(path, (yield from self._transport.send("GET", path))))

    @operation
    def verify_online(self, proof: PortableReceipt) -> Flow[OnlineReport]:
        """Return the service's own verdict on a proof, under its own keys; `svc.verify` gives yours."""
        return cast(OnlineReport, (yield from self._transport.post("/v1/public/verify", proof)))


def _as_recorded(event: Any) -> dict[str, Any]:
    """Return the stream's event that records an event of the log."""
    payload = {"status": event["status"], "payload": event["payload"]}
    given = {name: event[name] for name in ("occurred_at", "source_ref")}
    return {"event_type": event["type"], **given, "payload": payload}


def _path_of(event_id: str) -> str:
    return f"/v1/events/{quote(event_id, safe='')}"
