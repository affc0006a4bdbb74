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


def _steps() -> list[tuple[int, int, int]]:
    """Return the path of rho and pi through the lanes: each with how far it turns, to the left and to the right."""
    steps, x, y = [], 1, 0
    for step in range(24):
        x, y = y, (2 * x + 3 * y) % 5
        by = (step + 1) * (step + 2) // 2 % 64
        steps.append((x + 5 * y, by, 64 - by))
    return steps


_CONSTANTS = _constants()
_STEPS = _steps()


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
            after = columns[(x + 1) % 5]
            change = columns[x - 1] ^ (after << 1 | after >> 63) & _MASK
            for at in range(x, 25, 5):
                lanes[at] ^= change
        # rho and pi
        moved = lanes[1]
        for at, left, right in _STEPS:
            moved, lanes[at] = lanes[at], (moved << left | moved >> right) & _MASK
        # chi
        for at in range(0, 25, 5):
            a, b, c, d, e = lanes[at : at + 5]
            lanes[at : at + 5] = a ^ ~b & c, b ^ ~c & d, c ^ ~d & e, d ^ ~e & a, e ^ ~a & b
        # iota
        lanes[0] ^= constant
