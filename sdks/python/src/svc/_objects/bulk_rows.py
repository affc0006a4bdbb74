"""The lines of `events.csv` that a bundle read as columns gives, held against the table while the columns come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .events_csv import Table, beginnings, ending

Range = tuple[int, int]


class Rows:
    """The events of one bundle. `ranges`: those asked for, which ascend: lines of other events are in no table."""

    def __init__(self, table: Table, ranges: Sequence[Range]) -> None:
        self._table = table
        self._ranges = ranges
        self._beginnings: list[str] = []
        self._first_no = 0
        self._next = 0

    def begin(self, plain: dict[str, list[str]], payload_hashes: bytes, event_hashes: bytes) -> None:
        """Take over the next records. `plain`: by member, the values as canonical JSON."""
        if not self._beginnings:
            self._first_no = int(plain["seq_no"][0])
        self._beginnings += beginnings(plain, _hex(payload_hashes), _hex(event_hashes))

    def show(self, indexes: Sequence[int], payloads: Sequence[str]) -> bool:
        """Take over the next payloads. Returns False unless they are in the order of their events."""
        lines: list[str] = []
        for index, payload in zip(indexes, payloads, strict=True):
            if index < self._next:
                return False
            lines += self._unshown(index)
            lines += self._line(index, payload)
            self._next = index + 1
        self._table.take("".join(lines).encode())
        return True

    def end(self) -> None:
        """Take over the events behind the last payload."""
        self._table.take("".join(self._unshown(len(self._beginnings))).encode())

    def _unshown(self, end: int) -> Iterator[str]:
        for index in range(self._next, end):
            yield from self._line(index, "")

    def _line(self, index: int, payload: str) -> Iterator[str]:
        number = self._first_no + index
        if any(start <= number <= end for start, end in self._ranges):
            yield self._beginnings[index] + ending(payload)


def _hex(hashes: bytes) -> list[str]:
    text = hashes.hex()
    return [text[at : at + 64] for at in range(0, len(text), 64)]
