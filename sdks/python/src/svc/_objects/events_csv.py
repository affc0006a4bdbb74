"""`events.csv` of a truth package (section 15): the events of the ranges, as programs read tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._kernel.canonical import canonicalize

_COLUMNS = (
    "stream_id", "seq_no", "stream_event_id", "event_type", "source_ref", "occurred_at", "received_at", "payload_hash",
    "event_hash",
)  # fmt: skip


def lines(asked: list[tuple[dict[str, Any], list[dict[str, Any]]]]) -> Iterator[bytes]:
    """Yield the lines of the table. `asked`: by range, the bundle and those of its records that are in the range."""
    yield _line([*_COLUMNS, "payload"])
    for bundle, records in asked:
        payloads = bundle.get("payloads", {})
        for record in records:
            one = payloads.get(record["stream_event_id"])
            payload = "" if one is None else canonicalize(one["payload"]).decode()
            yield _line([*(str(record[name]) for name in _COLUMNS), payload])


def _line(fields: list[str]) -> bytes:
    return (",".join(map(_field, fields)) + "\r\n").encode()


def _field(text: str) -> str:
    if text.startswith(("=", "+", "-", "@", "\t", "\r")):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"'
