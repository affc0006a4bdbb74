"""Points of edwards25519 over Python's integers, in extended coordinates (RFC 8032 section 5.1).

A point is (X, Y, Z, T) with x = X/Z, y = Y/Z and T = XY/Z. Nothing here is secret, so nothing takes constant time.
"""

from __future__ import annotations

from collections.abc import Sequence

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
_TWICE_D = 2 * D % P
_ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)

Point = tuple[int, int, int, int]

IDENTITY: Point = (0, 1, 1, 0)


def add(a: Point, b: Point) -> Point:
    """Return the sum of two points."""
    ax, ay, az, at = a
    bx, by, bz, bt = b
    m = (ay - ax) * (by - bx) % P
    n = (ay + ax) * (by + bx) % P
    k = at * bt % P * _TWICE_D % P
    z = 2 * az * bz % P
    e, f, g, h = n - m, z - k, z + k, n + m
    return e * f % P, g * h % P, f * g % P, e * h % P


def double(a: Point) -> Point:
    """Return a point added to itself."""
    x, y, z, _ = a
    xx = x * x % P
    yy = y * y % P
    h = xx + yy
    e = h - (x + y) * (x + y) % P
    g = xx - yy
    f = 2 * z * z % P + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def negative(a: Point) -> Point:
    """Return the point that gives the identity together with this one."""
    x, y, z, t = a
    return -x % P, y, z, -t % P


def is_identity(a: Point) -> bool:
    """Return whether the point is the neutral one."""
    x, y, z, _ = a
    return x % P == 0 and (y - z) % P == 0


def times_8(a: Point) -> Point:
    """Return 8 times a point, which is the identity exactly for the points of small order."""
    return double(double(double(a)))


def decode(encoded: bytes) -> Point | None:
    """Return the point of 32 bytes; None for what is no canonical encoding of one (section 3)."""
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= P:
        return None
    u = (y * y - 1) % P
    v = (D * y * y + 1) % P
    v3 = v * v % P * v % P
    x = u * v3 % P * pow(u * v3 % P * v3 % P * v % P, (P - 5) // 8, P) % P
    if (v * x * x - u) % P:
        x = x * _ROOT_OF_MINUS_ONE % P
        if (v * x * x - u) % P:
            return None
    if x == 0 and sign:
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def sum_of_products(terms: Sequence[tuple[int, Point]]) -> Point:
    """Return the sum of scalar times point over all terms, by Pippenger's buckets. Scalars are not negative."""
    bits = max((scalar.bit_length() for scalar, _ in terms), default=0)
    width = _width(len(terms))
    mask = (1 << width) - 1
    total = IDENTITY
    for shift in range((bits + width - 1) // width * width - width, -1, -width):
        for _ in range(width):
            total = double(total)
        buckets: list[Point | None] = [None] * (mask + 1)
        for scalar, point in terms:
            digit = scalar >> shift & mask
            if digit:
                before = buckets[digit]
                buckets[digit] = point if before is None else add(before, point)
        running: Point | None = None
        for bucket in reversed(buckets[1:]):
            if bucket is not None:
                running = bucket if running is None else add(running, bucket)
            if running is not None:
                total = add(total, running)
    return total


def _width(count: int) -> int:
    """Return the number of bits of a digit that needs about the fewest additions for so many terms."""
    width = 1
    while count > (width + 1) << (width + 1) and width < 10:
        width += 1
    return width


BASE = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
