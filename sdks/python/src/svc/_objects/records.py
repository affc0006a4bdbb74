"""The records of a bundle, with their payloads (section 14): read one by one, or as columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from .._report.examination import Examination, Finding
from .._schema.pointer import below
from .receipt import check_payload, check_record, check_sequence

RECEIPTS = "/artifacts/receipts.json"
Record = dict[str, Any]


class Records(Protocol):
    """What a bundle needs to know of its records."""

    count: int
    first: Record | None
    last: Record | None
    # SHA-256 of J of the artifact; None where it is still to be computed.
    artifact_hash: str | None

    def check(self, ex: Examination, stream: str, origin: str | None) -> None:
        """Check hashes, seals, order and payloads of all records."""
        ...

    def end_of(self, at: int, to_seq_no: int) -> int:
        """Return the index of the first record from `at` on that is past an event number."""
        ...

    def event_hashes(self, at: int, end: int) -> list[str]:
        """Return the event hashes of the records from one index up to another."""
        ...

    def times(self, from_seq_no: int, to_seq_no: int) -> list[str]:
        """Return when each event of a range was received."""
        ...

    def shown(self) -> Iterator[tuple[str, int, str]]:
        """Yield what is shown of events: the member of the bundle, the event's number and its id."""
        ...


class PlainRecords:
    """Records as values."""

    artifact_hash: str | None = None

    def __init__(self, bundle: dict[str, Any]) -> None:
        self._records: list[Record] = bundle["artifacts"]["receipts.json"]
        self._payloads: dict[str, Any] = bundle.get("payloads", {})
        self._contents: dict[str, Any] = bundle.get("contents", {})
        self.count = len(self._records)
        self.first = self._records[0] if self._records else None
        self.last = self._records[-1] if self._records else None

    def check(self, ex: Examination, stream: str, origin: str | None) -> None:
        for index, record in enumerate(self._records):
            check_record(ex, record, f"{RECEIPTS}/{index}", origin)
        check_sequence(ex, stream, self._records, RECEIPTS)
        self._check_payloads(ex)

    def _check_payloads(self, ex: Examination) -> None:
        """Check the payloads, which stand apart from their records."""
        for record in self._records:
            event_id = record["stream_event_id"]
            one = self._payloads.get(event_id)
            if one is not None:
                check_payload(ex, record, one["payload"], one["payload_salt"], below("/payloads", event_id))
        ids = {record["stream_event_id"] for record in self._records}
        for event_id in self._payloads:
            if event_id not in ids:
                message = "This payload belongs to no event in the bundle."
                ex.reject("payload_hash", Finding("malformed", below("/payloads", event_id), message))
        note_redacted(ex, sum(one["stream_event_id"] not in self._payloads for one in self._records), self.count)

    def end_of(self, at: int, to_seq_no: int) -> int:
        while at < self.count and self._records[at]["seq_no"] <= to_seq_no:
            at += 1
        return at

    def event_hashes(self, at: int, end: int) -> list[str]:
        return [record["event_hash"] for record in self._records[at:end]]

    def times(self, from_seq_no: int, to_seq_no: int) -> list[str]:
        return [one["received_at"] for one in self._records if from_seq_no <= one["seq_no"] <= to_seq_no]

    def shown(self) -> Iterator[tuple[str, int, str]]:
        for record in self._records:
            for name, members in (("payloads", self._payloads), ("contents", self._contents)):
                if record["stream_event_id"] in members:
                    yield name, record["seq_no"], record["stream_event_id"]


def note_redacted(ex: Examination, redacted: int, count: int) -> None:
    """Note how many records are without payload."""
    ex.shown.redacted = redacted
    if redacted:
        ex.note("payload_hash", f"{redacted} of {count} records are without payload")
