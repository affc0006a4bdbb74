"""Strict inflating (RFC 1951, protocol section 15): exactly the declared bytes, and no bit without a meaning."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from .huffman import Code, code_of

_WINDOW = 32_768
_PIECE = 65_536
_END_OF_BLOCK = 256
# The order in which a block states the lengths of the codes for its code lengths.
_LENGTH_ORDER = (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)


class _Fault(Exception):
    """The stream is not as section 15 demands."""


def inflate(packed: bytes, size: int, take: Callable[[bytes], object]) -> bool:
    """Inflate a whole stream, and pass its content on in pieces; see `Kernel.inflate`."""
    stream = _Stream(packed, size, take)
    try:
        stream.read()
    except _Fault:
        return False
    return True


class _Stream:
    def __init__(self, packed: bytes, size: int, take: Callable[[bytes], object]) -> None:
        self.packed = packed
        self.left = size
        self.take = take
        # The next bits, lowest first; how many of them there are; how many bytes have gone into them.
        self.bits, self.count, self.at = 0, 0, 0
        self.out = bytearray()
        # How many bytes of `out` have been passed on.
        self.passed = 0

    def read(self) -> None:
        is_last = False
        while not is_last:
            is_last = self._bits(1) == 1
            kind = self._bits(2)
            if kind == 0:
                self._stored()
            elif kind == 1:
                self._symbols(*_fixed_codes())
            elif kind == 2:
                self._symbols(*self._codes())
            else:
                raise _Fault
        self._align()
        if self.count or self.at < len(self.packed) or self.left:
            raise _Fault
        self._pass_on()

    def _bits(self, wanted: int) -> int:
        """Return the next bits as a number."""
        while self.count < wanted:
            if self.at == len(self.packed):
                raise _Fault
            self.bits |= self.packed[self.at] << self.count
            self.at += 1
            self.count += 8
        value = self.bits & ((1 << wanted) - 1)
        self.bits >>= wanted
        self.count -= wanted
        return value

    def _align(self) -> None:
        """Pass over the bits up to the next byte, which are zeros."""
        if self._bits(self.count % 8):
            raise _Fault

    def _symbol(self, code: Code) -> int:
        """Return the symbol of the code that comes next."""
        while self.count < 15 and self.at < len(self.packed):
            self.bits |= self.packed[self.at] << self.count
            self.at += 1
            self.count += 8
        entry = code.table[self.bits & code.mask]
        if entry is None or entry[1] > self.count:
            raise _Fault
        self.bits >>= entry[1]
        self.count -= entry[1]
        return entry[0]

    def _stored(self) -> None:
        self._align()
        length = self._bits(16)
        if self._bits(16) != length ^ 0xFFFF or length > self.left:
            raise _Fault
        self.left -= length
        while length and self.count:
            self.out.append(self._bits(8))
            length -= 1
        if self.at + length > len(self.packed):
            raise _Fault
        self.out += self.packed[self.at : self.at + length]
        self.at += length
        self._pass_on_full()

    def _codes(self) -> tuple[Code, Code]:
        """Read the two codes of a block."""
        literals, distances, stated = self._bits(5) + 257, self._bits(5) + 1, self._bits(4) + 4
        if literals > 286 or distances > 30:
            raise _Fault
        own = [0] * 19
        for symbol in _LENGTH_ORDER[:stated]:
            own[symbol] = self._bits(3)
        code = _known(code_of(own, may_be_single=False))
        lengths: list[int] = []
        while len(lengths) < literals + distances:
            symbol = self._symbol(code)
            if symbol < 16:
                lengths.append(symbol)
            elif symbol == 16:
                if not lengths:
                    raise _Fault
                lengths += [lengths[-1]] * (3 + self._bits(2))
            else:
                lengths += [0] * (3 + self._bits(3) if symbol == 17 else 11 + self._bits(7))
        if len(lengths) > literals + distances or lengths[_END_OF_BLOCK] == 0:
            raise _Fault
        return (
            _known(code_of(lengths[:literals], may_be_single=True)),
            _known(code_of(lengths[literals:], may_be_single=True)),
        )

    def _symbols(self, literals: Code, distances: Code) -> None:
        """Read a block of symbols, to its end."""
        out = self.out
        while True:
            symbol = self._symbol(literals)
            if symbol < _END_OF_BLOCK:
                if self.left == 0:
                    raise _Fault
                self.left -= 1
                out.append(symbol)
                if len(out) >= _WINDOW + _PIECE:
                    self._pass_on_full()
                continue
            if symbol == _END_OF_BLOCK:
                return
            if symbol > 285:
                raise _Fault
            length = 258 if symbol == 285 else 3 + self._counted(symbol - 257, 2)
            symbol = self._symbol(distances)
            if symbol >= 30:
                raise _Fault
            distance = 1 + self._counted(symbol, 1)
            if distance > len(out) or length > self.left:
                raise _Fault
            self.left -= length
            # A copy that reaches into itself repeats what is there.
            part = bytes(out[-distance:][:length])
            out += (part * (length // len(part) + 1))[:length]
            self._pass_on_full()

    def _counted(self, symbol: int, per_doubling: int) -> int:
        """Return the value of a length or distance symbol, from 0: each doubling of it has so many bits of steps."""
        doublings = symbol >> per_doubling
        if doublings == 0:
            return symbol
        step = symbol & ((1 << per_doubling) - 1)
        extra = doublings - 1
        return (((1 << per_doubling) + step) << extra) + self._bits(extra)

    def _pass_on_full(self) -> None:
        if len(self.out) >= _WINDOW + _PIECE:
            self._pass_on()

    def _pass_on(self) -> None:
        """Pass on what has not been, and forget what no copy can reach."""
        if self.passed < len(self.out):
            self.take(bytes(self.out[self.passed :]))
        del self.out[:-_WINDOW]
        self.passed = len(self.out)


def _known(code: Code | None) -> Code:
    if code is None:
        raise _Fault
    return code


@cache
def _fixed_codes() -> tuple[Code, Code]:
    literals = [8] * 144 + [9] * 112 + [7] * 24 + [8] * 8
    return _known(code_of(literals, may_be_single=True)), _known(code_of([5] * 32, may_be_single=True))
