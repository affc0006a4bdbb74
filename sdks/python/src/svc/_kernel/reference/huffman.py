"""Canonical Huffman codes, which deflate states by the lengths of their codes (RFC 1951 section 3.2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Code(NamedTuple):
    """By the next bits of a stream, as many as the longest code has: (symbol, length of its code), or None."""

    table: list[tuple[int, int] | None]
    mask: int


def code_of(lengths: Sequence[int], may_be_single: bool) -> Code | None:
    """Return the code whose symbols have codes of these lengths, 0 for none; None for lengths that no code has.

    An incomplete code may only have a single code, of one bit, and only where `may_be_single`.
    """
    longest = max(lengths, default=0)
    table: list[tuple[int, int] | None] = [None] * (1 << longest)
    code, free = 0, 1
    for length in range(1, longest + 1):
        code <<= 1
        free <<= 1
        for symbol, own in enumerate(lengths):
            if own != length:
                continue
            if free == 0:
                return None
            free -= 1
            # Codes come with their first bit first, and so lowest.
            low = int(f"{code:0{length}b}"[::-1], 2)
            for place in range(low, len(table), 1 << length):
                table[place] = (symbol, length)
            code += 1
    if free and not (longest == 0 or (longest == 1 and may_be_single)):
        return None
    return Code(table, len(table) - 1)
