"""`events.csv` of a truth package (section 15): the events of the ranges, as programs read tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from .._kernel.canonical import canonicalize

_COLUMNS = (
    "stream_id", "seq_no", "stream_event_id", "event_type", "source_ref", "occurred_at", "received_at", "payload_hash",
    "event_hash",
)  # fmt: skip


class Table:
    """A table that is held against the lines that are due, as these come."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._holds = True
        self.take(_line([*_COLUMNS, "payload"]))

    def take(self, lines: bytes) -> None:
        """Look at the next lines that are due."""
        self._holds = self._holds and self._data.startswith(lines, self._at)
        self._at += len(lines)

    def holds(self) -> bool:
        """Return whether the table had all lines that were due, and has no other."""
        return self._holds and self._at == len(self._data)


def lines(bundle: dict[str, Any], is_asked: Callable[[int], bool]) -> Iterator[bytes]:
    """Yield the lines of the events of these numbers."""
    payloads = bundle.get("payloads", {})
    for record in bundle["artifacts"]["receipts.json"]:
        if is_asked(record["seq_no"]):
            one = payloads.get(record["stream_event_id"])
            payload = "" if one is None else canonicalize(one["payload"]).decode()
            yield _line([*(str(record[name]) for name in _COLUMNS), payload])


def beginnings(plain: dict[str, list[str]], payload_hashes: list[str], event_hashes: list[str]) -> list[str]:
    """Return of each record its line up to the payload. `plain`: by member, the values as canonical JSON."""
    return [
        f'{stream},"{number}",{event_id},{_of_json(event_type)},{_of_json(ref)},{occurred},{received},"{payload}","{own}",'
        for stream, number, event_id, event_type, ref, occurred, received, payload, own in zip(
            *(plain[name] for name in _COLUMNS[:7]), payload_hashes, event_hashes, strict=True
        )
    ]


def ending(payload: str) -> str:
    """Return the end of a line. `payload`: an object as canonical JSON; empty for a payload that is not shown."""
    return _field(payload) + "\r\n"


def _of_json(text: str) -> str:
    # Most texts look alike in JSON and in a table.
    return _field(json.loads(text)) if "\\" in text or text[1:2] in ("=", "+", "-", "@") else text


def _line(fields: list[str]) -> bytes:
    return (",".join(map(_field, fields)) + "\r\n").encode()


def _field(text: str) -> str:
    if text.startswith(("=", "+", "-", "@", "\t", "\r")):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"'
