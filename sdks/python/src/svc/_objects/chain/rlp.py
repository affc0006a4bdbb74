"""RLP, read strictly: one encoding for each value, nothing behind it, lists at most 16 deep."""

from __future__ import annotations

from typing import Union

from ..._generated.limits import VERIFIER

MAX_DEPTH: int = VERIFIER["max_rlp_depth"]
Item = Union[bytes, list["Item"]]  # noqa: UP007 - Python 3.10 evaluates it


class RlpFault(Exception):
    """Bytes that are no RLP, or not the value that should be there."""


def decode(data: bytes) -> Item:
    """Return the item of bytes. Raises RlpFault."""
    item, end = _item(data, 0, len(data), 0)
    if end != len(data):
        raise RlpFault
    return item


def encoded_length(item: Item) -> int:
    """Return the length of the encoding of an item, in bytes."""
    if isinstance(item, bytes):
        if len(item) == 1 and item[0] < 0x80:
            return 1
        return _head_length(len(item)) + len(item)
    length = sum(map(encoded_length, item))
    return _head_length(length) + length


def _head_length(length: int) -> int:
    return 1 if length < 56 else 1 + (length.bit_length() + 7) // 8


def integer(item: Item) -> int:
    """Return the integer of an item: at most 32 bytes without leading zero. Raises RlpFault."""
    if not isinstance(item, bytes) or len(item) > 32 or item[:1] == b"\x00":
        raise RlpFault
    return int.from_bytes(item, "big")


def _item(data: bytes, at: int, limit: int, depth: int) -> tuple[Item, int]:
    if at >= limit:
        raise RlpFault
    first = data[at]
    if first < 0x80:
        return data[at : at + 1], at + 1
    is_list = first >= 0xC0
    start, end = _content(data, at, limit, first - (0xC0 if is_list else 0x80))
    if not is_list:
        if end - start == 1 and data[start] < 0x80:
            raise RlpFault
        return data[start:end], end
    if depth == MAX_DEPTH:
        raise RlpFault
    items: list[Item] = []
    while start < end:
        item, start = _item(data, start, end, depth + 1)
        items.append(item)
    return items, end


def _content(data: bytes, at: int, limit: int, short: int) -> tuple[int, int]:
    """Return the range of the content of an item whose first byte states a length, or the length of one."""
    start = at + 1
    length = short
    if short > 55:
        start += short - 55
        if start > limit or data[at + 1] == 0:
            raise RlpFault
        length = int.from_bytes(data[at + 1 : start], "big")
        if length < 56:
            raise RlpFault
    if start + length > limit:
        raise RlpFault
    return start, start + length
