"""Trees of RFC 6962, and their proofs by RFC 9162 sections 2.1.3.2 and 2.1.4.2."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256


def leaf_hash(data: bytes) -> bytes:
    """Return the leaf hash: SHA-256 of the byte 00 and the data."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the node hash: SHA-256 of the byte 01 and both hashes."""
    return sha256(b"\x01" + left + right).digest()


def append(size: int, frontier: Sequence[bytes], leaf_hashes: Sequence[bytes]) -> list[bytes]:
    """Return the frontier of a tree of `size` leaves after more leaf hashes. Raises ValueError for a wrong length."""
    if bin(size).count("1") != len(frontier):
        raise ValueError(f"a tree of {size} leaves has another frontier than {len(frontier)} hashes")
    hashes = list(frontier)
    for count, leaf in enumerate(leaf_hashes, start=size):
        ones = count
        while ones & 1:
            leaf = node_hash(hashes.pop(), leaf)
            ones >>= 1
        hashes.append(leaf)
    return hashes


def root(frontier: Sequence[bytes]) -> bytes:
    """Return the root hash of a tree from its frontier, which is not empty."""
    result = frontier[-1]
    for left in reversed(frontier[:-1]):
        result = node_hash(left, result)
    return result


def includes(leaf: bytes, index: int, size: int, path: Sequence[bytes], root_hash: bytes) -> bool:
    """Return whether the leaf hash is at this index of the tree with this root."""
    if not 0 <= index < size or not _are_hashes(leaf, root_hash, *path):
        return False
    at, last, result = index, size - 1, leaf
    for other in path:
        if last == 0:
            return False
        if at & 1 or at == last:
            result = node_hash(other, result)
            while at & 1 == 0 and at:
                at, last = at >> 1, last >> 1
        else:
            result = node_hash(result, other)
        at, last = at >> 1, last >> 1
    return last == 0 and result == root_hash


def extends(size1: int, root1: bytes, size2: int, root2: bytes, path: Sequence[bytes]) -> bool:
    """Return whether the tree of size2 begins with the leaves of the tree of size1."""
    if not 0 < size1 <= size2 or not _are_hashes(root1, root2, *path):
        return False
    if size1 == size2:
        return not path and root1 == root2
    hashes = list(path) if size1 & (size1 - 1) else [root1, *path]
    if not hashes:
        return False
    at, last = size1 - 1, size2 - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    first = second = hashes[0]
    for other in hashes[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            first, second = node_hash(other, first), node_hash(other, second)
            while at & 1 == 0 and at:
                at, last = at >> 1, last >> 1
        else:
            second = node_hash(second, other)
        at, last = at >> 1, last >> 1
    return last == 0 and first == root1 and second == root2


def _are_hashes(*hashes: bytes) -> bool:
    return all(len(one) == 32 for one in hashes)
