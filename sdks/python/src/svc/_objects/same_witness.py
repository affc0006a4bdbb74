"""Which witnesses are one witness (section 10): by name, by key, by `witness_id`, or through a third one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence


def groups_of(witnesses: Sequence[Iterable[Hashable]]) -> list[int]:
    """Return for each witness the number of its group. Witnesses that share a mark are in one group."""
    parent = list(range(len(witnesses)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    first: dict[Hashable, int] = {}
    for index, marks in enumerate(witnesses):
        for mark in marks:
            parent[root(index)] = root(first.setdefault(mark, index))
    return [root(index) for index in range(len(witnesses))]
