"""What an object shows of the history of one stream: hashes that commit to all before them, where they stand.

An examination collects it, so that many files that are verified together are compared without being read again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class History:
    """Hashes of one stream. `events`: those of consecutive events, 32 bytes each, from the number `first` on.

    `windows`: hashes of windows by number. `roots`: those of the tree of windows, by the number of windows in it.
    `endorsed`: pairs of keys of which the first endorses the second, by endorsements in the object that hold.
    """

    stream_id: str
    first: int = 1
    events: bytes = b""
    windows: dict[int, str] = field(default_factory=dict)
    roots: dict[int, str] = field(default_factory=dict)
    endorsed: tuple[tuple[str, str], ...] = ()

    @property
    def last(self) -> int:
        """The number of the last event; before the first where no event is shown."""
        return self.first + len(self.events) // 32 - 1

    def at(self, seq_no: int) -> bytes:
        """Return the hash of an event that is shown."""
        place = 32 * (seq_no - self.first)
        return self.events[place : place + 32]


def joined(hashes: Iterable[str]) -> bytes:
    """Return event hashes in hex as the bytes of a history."""
    return bytes.fromhex("".join(hashes))
