"""The events that a truth package was asked for (section 15)."""

from __future__ import annotations

from bisect import bisect_left
from operator import itemgetter
from typing import Any


class AskedRanges:
    """The ranges of a package by stream, in the order of the manifest. Those of a stream ascend and do not overlap."""

    def __init__(self, ranges: list[dict[str, Any]]) -> None:
        self.streams: dict[str, list[tuple[int, int]]] = {}
        for one in ranges:
            self.streams.setdefault(one["stream_id"], []).append((one["from_seq_no"], one["to_seq_no"]))

    def has(self, stream: str, number: int) -> bool:
        """Return whether a range names an event."""
        ranges = self.streams.get(stream, [])
        index = bisect_left(ranges, number, key=itemgetter(1))
        return index < len(ranges) and ranges[index][0] <= number
