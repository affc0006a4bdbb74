"""What every kernel can do. A kernel knows no protocol object, and all kernels give equal answers.

Hashes are 32 bytes, sizes and indexes of trees are integers of 0 to 2^53-1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol


class JsonFault(Exception):
    """Bytes that are not the JSON of protocol section 2: the one error, and its byte offset from 0."""

    def __init__(self, code: str, offset: int) -> None:
        super().__init__(f"{code} at byte {offset}")
        self.code = code
        self.offset = offset


class TooLarge(Exception):
    """An input that the kernel's memory cannot hold."""


class SignatureItem(NamedTuple):
    """One signature to check. A key of other than 32 bytes, or a signature of other than 64, does not verify."""

    public_key: bytes
    message: bytes
    signature: bytes


class Kernel(Protocol):
    """One kernel. No call changes what another one gives; a kernel may be used by several threads at once."""

    @property
    def name(self) -> str:
        """`wasm` or `reference`."""
        ...

    @property
    def sha256_hex(self) -> str | None:
        """SHA-256 of the compiled bytes; None where nothing is compiled."""
        ...

    def parse(self, data: bytes) -> Any:
        """Return the value of JSON bytes: dict, list, str, bool, None, int or float.

        A number without a fraction, up to 2^53 either way, is an int, every other one a float. Raises JsonFault.
        """

    def canonical_text(self, data: bytes) -> bytes:
        """Return the RFC 8785 canonical bytes of JSON bytes. Raises JsonFault."""
        ...

    def verify_ed25519(self, items: Sequence[SignatureItem]) -> list[bool]:
        """Return for each signature whether it verifies by protocol section 3."""
        ...

    def leaf_hashes(self, data: Sequence[bytes]) -> list[bytes]:
        """Return the RFC 6962 leaf hash of each datum."""
        ...

    def append_to_frontier(self, size: int, frontier: Sequence[bytes], leaf_hashes: Sequence[bytes]) -> list[bytes]:
        """Return the frontier of a tree of `size` leaves after more. Raises ValueError for a wrong length."""
        ...

    def root_from_frontier(self, frontier: Sequence[bytes]) -> bytes:
        """Return the root hash of a tree of at least one leaf."""
        ...

    def root_from_leaf_hashes(self, leaf_hashes: Sequence[bytes]) -> bytes:
        """Return the root hash over leaf hashes, at least one."""
        ...

    def verify_inclusion(self, leaf_hash: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
        """Return whether an inclusion proof holds (RFC 9162 section 2.1.3.2)."""
        ...

    def verify_consistency(self, size1: int, root1: bytes, size2: int, root2: bytes, path: Sequence[bytes]) -> bool:
        """Return whether a consistency proof holds (RFC 9162 section 2.1.4.2)."""
        ...

    def inflate(self, packed: bytes, size: int, take: Callable[[bytes], object]) -> bool:
        """Inflate a raw deflate stream, and pass its content on piece by piece.

        `size`: the bytes that must come out of it, 0 to 2^32-1. Returns whether the stream is as protocol section 15
        demands: exactly so many bytes, an end exactly where its bytes end, no bit without a meaning. Never passes on
        more than `size` bytes.
        """
        ...
