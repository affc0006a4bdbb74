"""Ed25519 by protocol section 3: canonical encodings, S < L, no key of small order, cofactored, in batches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha512
from typing import NamedTuple

from ..interface import SignatureItem
from .curve import BASE, IDENTITY, L, Point, add, decode, double, is_identity, negative, sum_of_products, times_8

MAX_BATCH = 8192
_BATCH_TAG = b"SVC-PROOFSTREAM-001/ed25519-batch\n"
# Below this a batch costs more than its signatures one by one.
_SMALLEST_BATCH = 3

assert BASE is not None
_BASE: Point = BASE


class _Candidate(NamedTuple):
    """A signature of which all holds but the equation, which is left to check."""

    key: bytes
    a: Point
    r: Point
    encoded_r: bytes
    s: int
    challenge: bytes

    @property
    def k(self) -> int:
        return int.from_bytes(self.challenge, "little") % L


def verify(items: Sequence[SignatureItem]) -> list[bool]:
    """Return for each signature whether it verifies; in a batch the same as alone."""
    verdicts = [False] * len(items)
    left: list[tuple[int, _Candidate]] = []
    for index, item in enumerate(items):
        candidate = _candidate(item)
        if candidate is not None:
            left.append((index, candidate))
    for start in range(0, len(left), MAX_BATCH):
        part = left[start : start + MAX_BATCH]
        for index, holds in zip((at for at, _ in part), _verify_batch([one for _, one in part]), strict=True):
            verdicts[index] = holds
    return verdicts


def _candidate(item: SignatureItem) -> _Candidate | None:
    """Check all but the equation; None for what fails."""
    if len(item.public_key) != 32 or len(item.signature) != 64:
        return None
    encoded_r, encoded_s = item.signature[:32], item.signature[32:]
    s = int.from_bytes(encoded_s, "little")
    if s >= L:
        return None
    a = _public_key(item.public_key)
    r = decode(encoded_r)
    if a is None or r is None:
        return None
    challenge = sha512(encoded_r + item.public_key + item.message).digest()
    return _Candidate(item.public_key, a, r, encoded_r, s, challenge)


@lru_cache(maxsize=64)
def _public_key(encoded: bytes) -> Point | None:
    """Return the point of a public key; None for one that is not canonical or of small order."""
    point = decode(encoded)
    return None if point is None or is_identity(times_8(point)) else point


def _verify_batch(batch: Sequence[_Candidate]) -> list[bool]:
    """Check candidates by one equation, and halve a batch that fails until its bad items are alone."""
    if len(batch) < _SMALLEST_BATCH:
        return [_holds(one) for one in batch]
    if _all_hold(batch):
        return [True] * len(batch)
    middle = len(batch) // 2
    return _verify_batch(batch[:middle]) + _verify_batch(batch[middle:])


def _all_hold(batch: Sequence[_Candidate]) -> bool:
    """Return whether 8 (sum z R + sum z k A - [sum z S] B) is the identity, with the coefficients of section 3."""
    hashed = sha512(_BATCH_TAG + len(batch).to_bytes(8, "little"))
    for one in batch:
        hashed.update(one.key + one.encoded_r + one.s.to_bytes(32, "little") + one.challenge)
    seed = hashed.digest()
    terms: list[tuple[int, Point]] = []
    by_key: dict[bytes, int] = {}
    points: dict[bytes, Point] = {}
    of_base = 0
    for index, one in enumerate(batch):
        z = int.from_bytes(sha512(seed + index.to_bytes(8, "little")).digest()[:16], "little") or 1
        terms.append((z, one.r))
        by_key[one.key] = (by_key.get(one.key, 0) + z * one.k) % L
        points[one.key] = one.a
        of_base = (of_base + z * one.s) % L
    # Multiples of the keys are reduced modulo L although a key may have a part of small order: 8 takes that away.
    total = sum_of_products(terms)
    for key, scalar in by_key.items():
        total = add(total, _times(scalar, points[key]))
    total = add(total, negative(_times(of_base, _BASE)))
    return is_identity(times_8(total))


def _holds(one: _Candidate) -> bool:
    """Return whether 8 ([S]B - R - [k]A) is the identity."""
    total = _sum_of_two(one.s, _table(_BASE), one.k, _table(negative(one.a)))
    return is_identity(times_8(add(total, negative(one.r))))


@lru_cache(maxsize=64)
def _table(point: Point) -> tuple[Point, ...]:
    """Return 0 to 31 times a point."""
    table = [IDENTITY]
    for _ in range(31):
        table.append(add(table[-1], point))
    return tuple(table)


def _sum_of_two(a: int, table_a: Sequence[Point], b: int, table_b: Sequence[Point]) -> Point:
    """Return a times the one point and b times the other, five bits at a time."""
    total = IDENTITY
    for shift in range(250, -1, -5):
        for _ in range(5):
            total = double(total)
        digit_a, digit_b = a >> shift & 31, b >> shift & 31
        if digit_a:
            total = add(total, table_a[digit_a])
        if digit_b:
            total = add(total, table_b[digit_b])
    return total


def _times(scalar: int, point: Point) -> Point:
    return _sum_of_two(scalar, _table(point), 0, ())
