"""Inclusion paths in a tree of which only the leaves behind a frontier are known."""

from __future__ import annotations

from typing import NamedTuple

from .._kernel.reference.merkle import leaf_hash, node_hash


class Part(NamedTuple):
    """A perfect subtree: its hash, and the leaves that it covers, from `start` on."""

    hash: bytes
    start: int
    size: int


def frontier_parts(size: int, frontier: list[bytes], data: list[bytes]) -> list[Part]:
    """Return the subtrees of a frontier over `size` leaves, and each leaf behind it."""
    parts: list[Part] = []
    start = 0
    powers = [1 << bit for bit in range(size.bit_length() - 1, -1, -1) if size >> bit & 1]
    for hashed, power in zip(frontier, powers, strict=True):
        parts.append(Part(hashed, start, power))
        start += power
    return [*parts, *(Part(leaf_hash(one), size + index, 1) for index, one in enumerate(data))]


def path_from(parts: list[Part], index: int) -> list[str]:
    """Return the inclusion path of a leaf, leaf side first, as hex; shorter where a part of it is not known."""
    total = parts[-1].start + parts[-1].size if parts else 0
    path: list[str] = []
    _descend(parts, 0, total, index, path)
    return path


def _descend(parts: list[Part], start: int, size: int, index: int, path: list[str]) -> bytes:
    """Return the hash of the leaves from `start` on, and add the siblings of those that hold the leaf to the path."""
    known = next((one for one in parts if one.start == start and one.size == size), None)
    if known is not None:
        return known.hash
    if size <= 1:
        return bytes(32)
    left = 1 << (size - 1).bit_length() - 1
    inner = index if start <= index < start + size else -1
    first = _descend(parts, start, left, inner, path)
    second = _descend(parts, start + left, size - left, inner, path)
    if inner >= 0:
        path.append((second if inner < start + left else first).hex())
    return node_hash(first, second)
