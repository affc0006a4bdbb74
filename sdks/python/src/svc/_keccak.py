"""Keccak-256 as Ethereum has it: the padding before SHA-3 was standardized, which hashlib does not offer."""

from __future__ import annotations

_RATE = 136
_MASK = 2**64 - 1


def _constants() -> list[int]:
    """Return the 24 round constants, by the shift register of the specification."""
    constants, register = [], 1
    for _ in range(24):
        constant = 0
        for power in range(7):
            if register & 1:
                constant |= 1 << ((1 << power) - 1)
            register = register << 1 ^ (0x171 if register & 0x80 else 0)
        constants.append(constant)
    return constants


_CONSTANTS = _constants()


def keccak256(data: bytes) -> bytes:
    """Return the Keccak-256 hash of bytes; 32 bytes."""
    padded = bytearray(data) + b"\x01" + bytes(-(len(data) + 1) % _RATE)
    padded[-1] |= 0x80
    lanes = [0] * 25
    for start in range(0, len(padded), _RATE):
        for lane in range(_RATE // 8):
            lanes[lane] ^= int.from_bytes(padded[start + 8 * lane : start + 8 * lane + 8], "little")
        _permute(lanes)
    return b"".join(lane.to_bytes(8, "little") for lane in lanes[:4])


def _permute(lanes: list[int]) -> None:
    for constant in _CONSTANTS:
        # theta
        columns = [lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20] for x in range(5)]
        for x in range(5):
            change = columns[(x + 4) % 5] ^ _rotated(columns[(x + 1) % 5], 1)
            for y in range(0, 25, 5):
                lanes[x + y] ^= change
        # rho and pi
        x, y, moved = 1, 0, lanes[1]
        for step in range(24):
            x, y = y, (2 * x + 3 * y) % 5
            at = x + 5 * y
            moved, lanes[at] = lanes[at], _rotated(moved, (step + 1) * (step + 2) // 2 % 64)
        # chi
        for y in range(0, 25, 5):
            row = lanes[y : y + 5]
            for x in range(5):
                lanes[y + x] = row[x] ^ (~row[(x + 1) % 5] & _MASK & row[(x + 2) % 5])
        # iota
        lanes[0] ^= constant


def _rotated(lane: int, by: int) -> int:
    return (lane << by | lane >> (64 - by)) & _MASK if by else lane
