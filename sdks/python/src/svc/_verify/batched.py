"""Checks the signatures of an examination together: a first run takes each for good, and only collects it.

The verdicts of the second run are those of the kernel. What only the second run asks for is checked alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .._kernel.interface import Kernel, SignatureItem


class Batched:
    """A kernel that knows the verdicts of signatures before they are asked for."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._verdicts: dict[SignatureItem, bool] = {}
        self._collected: dict[SignatureItem, None] | None = {}
        self._parsed: dict[int, Any] = {}

    @property
    def name(self) -> str:
        return self._kernel.name

    @property
    def sha256_hex(self) -> str | None:
        return self._kernel.sha256_hex

    def settle(self) -> int:
        """Check what was collected. Returns how many signatures there were."""
        items = list(self._collected or ())
        self._collected = None
        self._verdicts = dict(zip(items, self._kernel.verify_ed25519(items), strict=True)) if items else {}
        return len(items)

    def verify_ed25519(self, items: Sequence[SignatureItem]) -> list[bool]:
        if self._collected is not None:
            self._collected.update(dict.fromkeys(items))
            return [True] * len(items)
        unknown = [one for one in dict.fromkeys(items) if one not in self._verdicts]
        if unknown:
            self._verdicts.update(zip(unknown, self._kernel.verify_ed25519(unknown), strict=True))
        return [self._verdicts[one] for one in items]

    def parse(self, data: bytes) -> Any:
        return self._kernel.parse(data)

    def canonical_text(self, data: bytes) -> bytes:
        return self._kernel.canonical_text(data)

    def leaf_hashes(self, data: Sequence[bytes]) -> list[bytes]:
        return self._kernel.leaf_hashes(data)

    def append_to_frontier(self, size: int, frontier: Sequence[bytes], leaf_hashes: Sequence[bytes]) -> list[bytes]:
        return self._kernel.append_to_frontier(size, frontier, leaf_hashes)

    def root_from_frontier(self, frontier: Sequence[bytes]) -> bytes:
        return self._kernel.root_from_frontier(frontier)

    def root_from_leaf_hashes(self, leaf_hashes: Sequence[bytes]) -> bytes:
        return self._kernel.root_from_leaf_hashes(leaf_hashes)

    def verify_inclusion(self, leaf_hash: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
        return self._kernel.verify_inclusion(leaf_hash, index, size, path, root)

    def verify_consistency(self, size1: int, root1: bytes, size2: int, root2: bytes, path: Sequence[bytes]) -> bool:
        return self._kernel.verify_consistency(size1, root1, size2, root2, path)

    def inflate(self, packed: bytes, size: int, take: Callable[[bytes], object]) -> bool:
        return self._kernel.inflate(packed, size, take)
