"""The reference kernel: the parts of this folder behind the interface of all kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..canonical import canonicalize
from ..interface import SignatureItem
from . import ed25519, json_text, merkle
from . import inflate as deflate


class ReferenceKernel:
    """Computes in plain Python. It has no state, and no compiled bytes."""

    name = "reference"
    sha256_hex: str | None = None

    def parse(self, data: bytes) -> Any:
        return json_text.parse(data)

    def canonical_text(self, data: bytes) -> bytes:
        return canonicalize(json_text.parse(data))

    def verify_ed25519(self, items: Sequence[SignatureItem]) -> list[bool]:
        return ed25519.verify(items)

    def leaf_hashes(self, data: Sequence[bytes]) -> list[bytes]:
        return [merkle.leaf_hash(one) for one in data]

    def append_to_frontier(self, size: int, frontier: Sequence[bytes], leaf_hashes: Sequence[bytes]) -> list[bytes]:
        return merkle.append(size, frontier, leaf_hashes)

    def root_from_frontier(self, frontier: Sequence[bytes]) -> bytes:
        return merkle.root(frontier)

    def root_from_leaf_hashes(self, leaf_hashes: Sequence[bytes]) -> bytes:
        return merkle.root(merkle.append(0, [], leaf_hashes))

    def verify_inclusion(self, leaf_hash: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
        return merkle.includes(leaf_hash, index, size, path, root)

    def verify_consistency(self, size1: int, root1: bytes, size2: int, root2: bytes, path: Sequence[bytes]) -> bool:
        return merkle.extends(size1, root1, size2, root2, path)

    def inflate(self, packed: bytes, size: int, take: Callable[[bytes], object]) -> bool:
        return deflate.inflate(packed, size, take)
