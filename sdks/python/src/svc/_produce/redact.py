"""Redaction (sections 7 and 14): leaves out payload and salt of events, always both together."""

from __future__ import annotations

from typing import Any

from .._errors import ProducerError
from .._kernel.interface import Kernel
from .._objects.hashing import without
from .._verify.kinds import has_provenance
from .read import kind_of, parse, require_form, require_holds

_KINDS = frozenset({"bundle", "portable-receipt", "stream", "receipt"})


def redacted(kernel: Kernel, data: bytes, seq_nos: list[int]) -> Any:
    """Return the value of evidence without payload and salt of these events. Raises ProducerError."""
    value = parse(kernel, data)
    kind = kind_of(value)
    if kind is None or kind not in _KINDS:
        raise ProducerError(
            "unsupported_object", "only receipts, runs of them, portable receipts and bundles are redacted"
        )
    require_form(kind, value)
    if kind == "bundle" and has_provenance(value):
        raise ProducerError("unsupported_object", "a bundle of envelopes is not redacted")
    records = _records(kind, value)
    by_number = {record["seq_no"]: record for record in records}
    for number in seq_nos:
        if number not in by_number:
            raise ProducerError("event_missing", f"event {number} is not here")
    left = _without_payloads(kind, value, set(seq_nos), by_number)
    require_holds(kernel, kind, left)
    return left


def _records(kind: str, value: Any) -> list[Any]:
    if kind == "bundle":
        return list(value["artifacts"]["receipts.json"])
    if kind == "stream":
        return list(value["records"])
    return [value["receipt"] if kind == "portable-receipt" else value]


def _without_payloads(kind: str, value: Any, numbers: set[int], by_number: dict[int, Any]) -> Any:
    if kind == "bundle":
        if "payloads" not in value:
            return value
        ids = {by_number[number]["stream_event_id"] for number in numbers}
        return {**value, "payloads": {name: one for name, one in value["payloads"].items() if name not in ids}}
    if kind == "stream":
        return {**value, "records": [_record(one, numbers) for one in value["records"]]}
    if kind == "portable-receipt":
        return {**value, "receipt": _record(value["receipt"], numbers)}
    return _record(value, numbers)


def _record(record: Any, numbers: set[int]) -> Any:
    return without(record, "payload", "payload_salt") if record["seq_no"] in numbers else record
