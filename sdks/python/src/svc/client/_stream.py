"""One stream: append events, read them again, and see how far their evidence has come.

Receipts, records and the head are returned only if they hold; windows, checkpoints and forks unchecked: `verify` checks
them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import quote

from .._generated.service import (
    Checkpoint,
    Erasure,
    EventInput,
    Fork,
    ProofState,
    ReceiptRecord,
    RedactedRecord,
    StreamHead,
    Window,
)
from ._errors import SvcError, VerificationError
from ._json import json_of
from ._operation import Fetch, Page, listing, operation, page_of, pages_of
from ._receipts import Expected, Receipts, Recording
from ._steps import Flow
from ._transport import Transport, with_query

_HEAD_MEMBERS = ("stream_id", "stream_event_id", "event_hash", "previous_event_hash", "stream_head_hash")
_SEAL_MEMBERS = ("kid", "signature")


def batch_of(stream_id: str, text: str, after_key: str | None = None) -> Recording:
    """Return what records a batch of events. `text`: the body."""
    return Recording(
        path=with_query(f"{path_of(stream_id)}/events/batch", {"after_key": after_key}),
        text=text,
        stream_id=stream_id,
        likely_stream_id=stream_id,
        events=lambda sent: cast("list[Any]", sent["events"]),
        receipts=lambda answer: answer.get("receipts"),
        is_batch=True,
    )


def path_of(stream_id: str) -> str:
    """Return the path of a stream's routes."""
    return f"/v2/streams/{quote(stream_id, safe='')}"


class StreamOperations:
    """The operations on one stream."""

    stream_id: str
    _transport: Transport
    _receipts: Receipts

    @operation
    def append(self, event: EventInput, *, idempotency_key: str | None = None) -> Flow[ReceiptRecord]:
        """Append one event, and return its receipt once the event is on the service's disk, if the receipt holds.

        `event`: reference, type, time and payload. Under the same `idempotency_key` the event is recorded once.
        Raises SvcError (`key_busy`, `too_deep`, `payload_too_large`, `timezone_required`, `idempotency_conflict`,
        `stream_closed`, `stream_class_closed`, `event_log_stream`, ...), and VerificationError for a receipt that does
        not hold; the event may be recorded then.
        """
        recording = Recording(
            path=f"{path_of(self.stream_id)}/events",
            text=json_of(event),
            stream_id=self.stream_id,
            likely_stream_id=self.stream_id,
            events=lambda sent: [sent],
            receipts=lambda answer: [answer],
        )
        records = yield from self._receipts.record(recording, idempotency_key)
        return cast(ReceiptRecord, records[0])

    @operation
    def append_batch(
        self, events: Sequence[EventInput], *, idempotency_key: str | None = None
    ) -> Flow[list[ReceiptRecord]]:
        """Append 1 to 1000 events, all or none, and return their receipts in order, if all of them hold.

        `error.detail["index"]` is the index of a refused event. Otherwise as `append`.
        """
        text = json_of({"events": list(events)})
        records = yield from self._receipts.record(batch_of(self.stream_id, text), idempotency_key)
        return cast("list[ReceiptRecord]", records)

    @operation
    def erase(self, event_id: str, reason: str, *, idempotency_key: str | None = None) -> Flow[Erasure]:
        """Erase the payload of an event for good; its hashes stay, and every proof stays valid.

        Needs a key that is allowed `erase`. `reason` is recorded for good, so it must name no person. The lifecycle
        event of the answer has been checked. Raises SvcError (`receipt_not_found`, `stream_class_closed`, ...).
        """
        path = f"{path_of(self.stream_id)}/events/{quote(event_id, safe='')}/erase"
        erasure = yield from self._transport.write(path, {"reason": reason}, idempotency_key)
        yield from self._receipts.check_lifecycle(erasure.get("lifecycle_record"), "event.erased", erasure)
        return cast(Erasure, erasure)

    @operation
    def head(self) -> Flow[StreamHead]:
        """Return the newest event and its receipt, without the payload.

        The client also reads the events between it and the newest event that it knows; they must chain. Raises SvcError
        `stream_empty`, and VerificationError for a head that does not hold, `head_stale` for one that is older than
        what the client saw.
        """
        stream_id = self.stream_id
        seen = self._receipts.head_of(stream_id) or 0
        try:
            head = yield from self._transport.get(f"{path_of(stream_id)}/head")
        except SvcError as error:
            if error.code == "stream_empty" and seen > 0:
                raise _stale(stream_id, "empty", seen, dict(error.detail)) from None
            raise
        number = head.get("seq_no")
        if isinstance(number, int) and number < seen:
            raise _stale(stream_id, f"event {number}", seen, head)
        # A head shows less than its event hash covers; the record shows all of it.
        answer = yield from self._transport.get(f"/v2/receipts/{quote(str(head.get('stream_event_id')), safe='')}")
        expected = Expected(stream_id=stream_id, goes_on=True)
        record = (yield from self._receipts.check([answer], expected, answer))[0]
        other = next((name for name in _HEAD_MEMBERS if record[name] != head.get(name)), None)
        seal = head.get("receipt")
        is_same_seal = isinstance(seal, dict) and all(record["receipt"][one] == seal.get(one) for one in _SEAL_MEMBERS)
        if other is not None or record["seq_no"] != number or not is_same_seal:
            what = other or ("seq_no" if is_same_seal else "receipt")
            raise VerificationError("receipt_mismatch", f"The head's {what} is not that of its event.", head)
        return cast(StreamHead, head)

    @operation
    def proof_state(self) -> Flow[ProofState]:
        """Return how far the stream's evidence has come, as the service states it, unchecked: a pack proves it."""
        return cast(ProofState, (yield from self._transport.get(f"{path_of(self.stream_id)}/proof-state")))

    @listing
    def events(
        self,
        *,
        event_type: str | None = None,
        source_ref: str | None = None,
        from_seq_no: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> tuple[str | None, Fetch[RedactedRecord]]:
        """List the events as receipt records, without payloads and salts, in order. Each record must hold by itself.

        Without a type or reference, the records must also follow each other without a gap, up to the newest event that
        this client knows. Raises VerificationError if they do not: `range_incomplete`, `head_stale`,
        `receipt_mismatch`, or a code of the verifier.
        """
        wanted = {"event_type": event_type, "source_ref": source_ref}
        query = {**wanted, "from_seq_no": from_seq_no, "limit": limit}
        start = 1 if from_seq_no is None and cursor is None else from_seq_no

        def fetch(cursor: str | None, before: RedactedRecord | None) -> Flow[Page[RedactedRecord]]:
            seen = self._receipts.head_of(self.stream_id) or 0
            path = f"{path_of(self.stream_id)}/events"
            page = yield from page_of(self._transport, path, {**query, "cursor": cursor})
            if event_type is None and source_ref is None:
                yield from self._check_all(page, before, start, seen)
            else:
                yield from self._check_chosen(page, before, from_seq_no, wanted)
            return page

        return cursor, fetch

    def _check_all(self, page: Page[Any], before: Any, start: int | None, seen: int) -> Flow[None]:
        """Check a page of all events."""
        answer = {"items": page.items, "next_cursor": page.next_cursor}
        if page.items:
            expected = Expected(stream_id=self.stream_id, before=before)
            yield from self._receipts.check(page.items, expected, answer)
            first = page.items[0]["seq_no"]
            if before is None and start is not None and first != start:
                message = f"The list begins with event {first}, and event {start} was asked for."
                raise VerificationError("range_incomplete", message, answer)
        newest = page.items[-1] if page.items else before
        last = newest["seq_no"] if newest is not None else (seen if start is None else start - 1)
        if page.next_cursor is None and last < seen:
            message = f"The list ends with event {last}, and event {seen} was handed out before."
            raise VerificationError("head_stale", message, answer)

    def _check_chosen(
        self, page: Page[Any], before: Any, start: int | None, wanted: Mapping[str, str | None]
    ) -> Flow[None]:
        """Check a page of events that were chosen by their members."""
        answer = {"items": page.items, "next_cursor": page.next_cursor}
        least = (start or 1) if before is None else before["seq_no"] + 1
        for record in page.items:
            yield from self._receipts.check([record], Expected(stream_id=self.stream_id), answer)
            is_chosen = all(value is None or record[name] == value for name, value in wanted.items())
            if not is_chosen or record["seq_no"] < least:
                number = record["seq_no"]
                message = (
                    f"Event {number} of {self.stream_id} is in a list that was asked for others, or for others first."
                )
                raise VerificationError("receipt_mismatch", message, answer)
            least = record["seq_no"] + 1

    @listing
    def windows(self, *, limit: int | None = None, cursor: str | None = None) -> tuple[str | None, Fetch[Window]]:
        """List the windows (protocol section 8), in order, unchecked."""
        return self._list("windows", limit, cursor)

    @listing
    def checkpoints(
        self, *, limit: int | None = None, cursor: str | None = None
    ) -> tuple[str | None, Fetch[Checkpoint]]:
        """List the checkpoints (protocol section 9), in order, unchecked."""
        return self._list("checkpoints", limit, cursor)

    @listing
    def forks(self, *, limit: int | None = None, cursor: str | None = None) -> tuple[str | None, Fetch[Fork]]:
        """List evidence that the service has signed two histories of the stream, unchecked; empty if all is well."""
        return self._list("forks", limit, cursor)

    def _list(self, what: str, limit: int | None, cursor: str | None) -> tuple[str | None, Fetch[Any]]:
        return pages_of(self._transport, f"{path_of(self.stream_id)}/{what}", {"limit": limit, "cursor": cursor})


def _stale(stream_id: str, head: str, seen: int, answer: Any) -> VerificationError:
    message = f"The head of {stream_id} is {head}, and event {seen} was handed out before."
    return VerificationError("head_stale", message, answer)
