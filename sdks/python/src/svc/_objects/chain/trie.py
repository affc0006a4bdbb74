"""Merkle Patricia proofs (section 12): nodes in the order of the path, the root's first."""

from __future__ import annotations

from typing import NamedTuple, Union

from ..._keccak import keccak256
from .rlp import Item, RlpFault, decode, encoded_length

MAX_NODES = 64


class TrieFault(Exception):
    """What is wrong with a proof: its code, and the index of the node."""

    def __init__(self, code: str, index: int) -> None:
        super().__init__(code)
        self.code = code
        self.index = index


class Branch(NamedTuple):
    """Sixteen references, each perhaps empty, and a value."""

    children: list[Reference | None]
    value: bytes


class Leaf(NamedTuple):
    """The rest of a path, as nibbles, and what is there."""

    path: list[int]
    value: Item


class Extension(NamedTuple):
    """A part of a path, as nibbles, and the reference behind it."""

    path: list[int]
    child: Reference


Node = Union[Branch, Leaf, Extension]  # noqa: UP007 - as below
# A hash of 32 bytes, or a shorter node itself.
Reference = Union[bytes, Node]  # noqa: UP007 - Python 3.10 evaluates it


def value_at(nodes: list[bytes], root: bytes, key: bytes) -> Item:
    """Return what the trie with this root holds under a key. Raises TrieFault."""
    if len(nodes) > MAX_NODES:
        raise TrieFault("anchor_evidence_invalid", MAX_NODES)
    decoded = [_node_at(index, data) for index, data in enumerate(nodes)]
    nibbles = [nibble for byte in key for nibble in (byte >> 4, byte & 15)]
    reference: Reference = root
    index = -1
    while True:
        if isinstance(reference, bytes):
            index += 1
            if index == len(nodes):
                raise TrieFault("anchor_evidence_invalid", index)
            if keccak256(nodes[index]) != reference:
                raise TrieFault("anchor_does_not_bind", index)
            node = decoded[index]
        else:
            node = reference
        found = _step(node, nibbles)
        if found is None:
            raise TrieFault("anchor_does_not_bind", index)
        if isinstance(found, _Value):
            if index + 1 < len(nodes):
                raise TrieFault("anchor_evidence_invalid", index + 1)
            return found.item
        reference, nibbles = found


class _Value(NamedTuple):
    item: Item


def _step(node: Node, nibbles: list[int]) -> _Value | tuple[Reference, list[int]] | None:
    """Return the value at the end of the path, or the next reference and what is left; None where nothing is held."""
    if isinstance(node, Leaf):
        return _Value(node.value) if node.path == nibbles else None
    if isinstance(node, Extension):
        if nibbles[: len(node.path)] != node.path:
            return None
        return node.child, nibbles[len(node.path) :]
    if not nibbles:
        return _Value(node.value) if node.value else None
    child = node.children[nibbles[0]]
    return None if child is None else (child, nibbles[1:])


def _node_at(index: int, data: bytes) -> Node:
    try:
        # A shorter node is inside of its parent and nowhere else.
        if len(data) < 32:
            raise RlpFault
        return _node(decode(data))
    except RlpFault:
        raise TrieFault("anchor_evidence_invalid", index) from None


def _node(item: Item) -> Node:
    if isinstance(item, list) and len(item) == 17:
        value = item[16]
        if not isinstance(value, bytes):
            raise RlpFault
        return Branch([None if child == b"" else _reference(child) for child in item[:16]], value)
    if isinstance(item, list) and len(item) == 2 and isinstance(item[0], bytes):
        path, is_leaf = _hex_prefix(item[0])
        if is_leaf:
            return Leaf(path, item[1])
        if path:
            return Extension(path, _reference(item[1]))
    raise RlpFault


def _reference(item: Item) -> Reference:
    if isinstance(item, bytes):
        if len(item) != 32:
            raise RlpFault
        return item
    if encoded_length(item) >= 32:
        raise RlpFault
    return _node(item)


def _hex_prefix(data: bytes) -> tuple[list[int], bool]:
    """Return the nibbles of a path in hex-prefix encoding, and whether it is a leaf's."""
    nibbles = [nibble for byte in data for nibble in (byte >> 4, byte & 15)]
    if not nibbles or nibbles[0] > 3:
        raise RlpFault
    is_odd = nibbles[0] & 1
    if not is_odd and nibbles[1]:
        raise RlpFault
    return nibbles[1 if is_odd else 2 :], nibbles[0] >= 2
