"""Receipt records (section 7): a lone receipt, and what holds of every record wherever it stands."""

from __future__ import annotations

from typing import Any

from .._report.examination import Examination, Finding
from .._report.history import History, joined
from .._report.model import Subject
from .._trust.key_ring import Scope
from .hashing import ZEROS, digest
from .seal import Use, check_seal

Record = dict[str, Any]
_OF_EVENT = (
    "stream_id", "stream_event_id", "seq_no", "previous_event_hash", "source_ref", "event_type", "occurred_at",
    "received_at", "payload_hash",
)  # fmt: skip
_OF_RECEIPT = (
    "stream_id", "stream_event_id", "seq_no", "event_hash", "previous_event_hash", "stream_head_hash",
)  # fmt: skip


def head_hash(stream_id: str, seq_no: int, event_hash: str) -> str:
    """Return the hash of the head of a stream after an event."""
    return digest("head", {"stream_id": stream_id, "seq_no": seq_no, "event_hash": event_hash})


def payload_hash(payload: Any, salt: str) -> str:
    """Return the hash of a payload with its salt."""
    return digest("payload", {"payload": payload, "salt": salt})


def check_payload(ex: Examination, record: Record, payload: Any, salt: str, path: str) -> None:
    """Check that payload and salt give the record's hash. Problem: `payload_hash_mismatch`."""
    ex.looked("payload_hash")
    message = f"The payload of event {record['seq_no']} is not the one that was recorded."
    actual = payload_hash(payload, salt)
    ex.equal("payload_hash", "payload_hash_mismatch", path, record["payload_hash"], actual, message)


def check_record(ex: Examination, record: Record, path: str, origin: str | None = None) -> None:
    """Check the hashes and the seal of a record, as the table of section 7 has it."""
    number = record["seq_no"]
    if "payload" in record:
        check_payload(ex, record, record["payload"], record["payload_salt"], f"{path}/payload")
    check_hashes(ex, record, path)
    use = Use(
        "receipt_signature",
        "receipt",
        f"{path}/receipt",
        f"the receipt of event {number}",
        Scope(record["stream_id"], origin),
        record["received_at"],
        number,
    )
    check_seal(ex, "receipt", {name: record[name] for name in _OF_RECEIPT}, record["receipt"], use)


def check_hashes(ex: Examination, record: Record, path: str) -> None:
    """Check event hash, head hash and the beginning of the chain of a record."""
    number = record["seq_no"]
    ex.looked("event_hash")
    actual = digest("event", {name: record[name] for name in _OF_EVENT})
    message = f"The members of event {number} do not hash to its event hash."
    ex.equal("event_hash", "event_hash_mismatch", f"{path}/event_hash", record["event_hash"], actual, message)
    actual = head_hash(record["stream_id"], number, record["event_hash"])
    message = f"The stream head after event {number} is not that of its event hash."
    where = f"{path}/stream_head_hash"
    ex.equal("event_hash", "head_hash_mismatch", where, record["stream_head_hash"], actual, message)
    is_first = record["previous_event_hash"] == ZEROS
    message = f"Event {number} must follow {'64 zeros' if number == 1 else 'another event'}, and does not."
    where = f"{path}/previous_event_hash"
    ex.expect("event_hash", is_first == (number == 1), "previous_hash_mismatch", where, message)


def count_redacted(ex: Examination, records: list[Record]) -> None:
    """Note how many records are without payload."""
    ex.shown.redacted = sum("payload" not in record for record in records)
    if ex.shown.redacted:
        ex.note("payload_hash", f"{ex.shown.redacted} of {len(records)} records are without payload")


def examine_receipt(ex: Examination, record: Record) -> None:
    """Examine a lone receipt."""
    number = record["seq_no"]
    ex.subject = Subject(
        id=record["stream_event_id"],
        stream_id=record["stream_id"],
        from_seq_no=number,
        to_seq_no=number,
        from_received_at=record["received_at"],
        to_received_at=record["received_at"],
    )
    count_redacted(ex, [record])
    check_record(ex, record, "")
    ex.histories.append(shown_records(record["stream_id"], [record]))


def shown_records(stream_id: str, records: list[Record]) -> History:
    """Return what records show that follow each other, at least one."""
    return History(stream_id, records[0]["seq_no"], joined(one["event_hash"] for one in records))


def examine_stream(ex: Examination, run: dict[str, Any]) -> None:
    """Examine a run of records."""
    records = run["records"]
    ex.subject = Subject(
        id=None,
        stream_id=run["stream_id"],
        from_seq_no=records[0]["seq_no"],
        to_seq_no=records[-1]["seq_no"],
        from_received_at=records[0]["received_at"],
        to_received_at=records[-1]["received_at"],
    )
    count_redacted(ex, records)
    for index, record in enumerate(records):
        check_record(ex, record, f"/records/{index}")
    check_sequence(ex, run["stream_id"], records, "/records")
    ex.histories.append(shown_records(run["stream_id"], records))


def check_sequence(ex: Examination, stream_id: str, records: list[Record], path: str) -> None:
    """Check that records follow one another in a stream, as the second table of section 7 has it."""
    before: Record | None = None
    for index, record in enumerate(records):
        check_follows(ex, stream_id, before, record, f"{path}/{index}")
        before = record


def check_follows(ex: Examination, stream_id: str, before: Record | None, record: Record, where: str) -> None:
    """Check one record behind another; None for the first one."""
    number = record["seq_no"]
    ex.looked("sequence")
    message = f"Event {number} is of another stream."
    ex.equal("sequence", "stream_mismatch", f"{where}/stream_id", stream_id, record["stream_id"], message)
    if before is None:
        return
    due = before["seq_no"] + 1
    if number != due:
        code = "range_incomplete" if number > due else "sequence_broken"
        message = f"Expected event {due} here, found event {number}."
        ex.reject("sequence", Finding(code, f"{where}/seq_no", message, str(due), str(number)))
    message = f"Event {number} does not chain to event {before['seq_no']}, the one before it."
    expected, actual = before["event_hash"], record["previous_event_hash"]
    ex.equal("sequence", "previous_hash_mismatch", f"{where}/previous_event_hash", expected, actual, message)
    message = f"Event {number} was received before the event before it."
    is_later = record["received_at"] >= before["received_at"]
    ex.expect("sequence", is_later, "sequence_broken", f"{where}/received_at", message)
