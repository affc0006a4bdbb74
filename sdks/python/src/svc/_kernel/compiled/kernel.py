"""The compiled kernel behind the interface of all kernels: the layouts of the calls of `packages/wasm/crates/glue`."""

from __future__ import annotations

import json
import struct
import threading
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from ..._errors import KernelStopped
from ..._version import KERNEL_SHA256
from ..interface import JsonFault, SignatureItem, TooLarge
from ..reference.numbers import normal
from .instance import REFUSED, Instance
from .module import compiled_module

_CODES = ("", "json_malformed", "duplicate_name", "lossy_number", "invalid_unicode", "too_deep")
_CANONICAL = 0x100
_MAX_BATCH = 8192
# A piece of a deflate stream, at a call.
_PIECE = 1 << 16
_MAX_SIZE = 2**53
# For so few hashes, the way into the kernel costs more than they do.
_FEW_HASHES = 64


class CompiledKernel:
    """Runs `kernel.wasm`. Each thread has its own instance."""

    name = "wasm"
    sha256_hex: str | None = KERNEL_SHA256

    def __init__(self) -> None:
        """Compile the kernel. Raises KernelUnavailable, KernelDamaged."""
        self._compiled = compiled_module()
        self._local = threading.local()

    def instance(self) -> Instance:
        """Return the instance of this thread."""
        instance: Instance | None = getattr(self._local, "instance", None)
        if instance is None:
            instance = self._local.instance = Instance(self._compiled)
        return instance

    def parse(self, data: bytes) -> Any:
        return value_of(self.canonical_text(data))

    def canonical_text(self, data: bytes) -> bytes:
        instance = self.instance()
        form = instance.call("json_canonicalize", data)
        raise_fault(form, instance)
        return data if form & _CANONICAL else instance.output()

    def verify_ed25519(self, items: Sequence[SignatureItem]) -> list[bool]:
        verdicts = [False] * len(items)
        fit = [at for at, one in enumerate(items) if len(one.public_key) == 32 and len(one.signature) == 64]
        for start in range(0, len(fit), _MAX_BATCH):
            part = fit[start : start + _MAX_BATCH]
            batch = [items[at] for at in part]
            data = b"".join(
                (
                    struct.pack(f"<{len(batch)}I", *(len(one.message) for one in batch)),
                    *(one.public_key for one in batch),
                    *(one.signature for one in batch),
                    *(one.message for one in batch),
                )
            )
            for at, verdict in zip(part, self._output("ed25519_verify", data, len(batch)), strict=True):
                verdicts[at] = verdict == 1
        return verdicts

    def leaf_hashes(self, data: Sequence[bytes]) -> list[bytes]:
        if len(data) < _FEW_HASHES:
            return [sha256(b"\x00" + one).digest() for one in data]
        lengths = struct.pack(f"<{len(data)}I", *map(len, data))
        return hashes_of(self._output("hashes", b"".join((lengths, b"\x00", *data)), 1, len(data)))

    def append_to_frontier(self, size: int, frontier: Sequence[bytes], leaf_hashes: Sequence[bytes]) -> list[bytes]:
        instance = self.instance()
        data = b"".join((*frontier, *leaf_hashes))
        if instance.call("append_to_frontier", data, float(size), len(frontier)) == REFUSED:
            raise ValueError(f"a tree of {size} leaves has another frontier than {len(frontier)} hashes")
        return hashes_of(instance.output())

    def root_from_frontier(self, frontier: Sequence[bytes]) -> bytes:
        return self._output("root_from_frontier", b"".join(frontier))

    def root_from_leaf_hashes(self, leaf_hashes: Sequence[bytes]) -> bytes:
        return self._output("root_from_leaf_hashes", b"".join(leaf_hashes))

    def verify_inclusion(self, leaf_hash: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
        return self._holds("verify_inclusion", index, size, (leaf_hash, root, *path))

    def verify_consistency(self, size1: int, root1: bytes, size2: int, root2: bytes, path: Sequence[bytes]) -> bool:
        return self._holds("verify_consistency", size1, size2, (root1, root2, *path))

    def inflate(self, packed: bytes, size: int, take: Callable[[bytes], object]) -> bool:
        instance = self.instance()
        at, begins = 0, float(size)
        while True:
            read = instance.call("inflate", packed[at : at + _PIECE], begins, len(packed) - at)
            if read == REFUSED:
                return False
            piece = instance.output()
            if piece:
                take(piece)
            if read == len(packed) - at:
                return True
            at, begins = at + read, -1.0

    def _output(self, name: str, data: bytes, *numbers: int | float) -> bytes:
        instance = self.instance()
        if instance.call(name, data, *numbers) == REFUSED:
            raise KernelStopped(f"The compiled kernel refused its input to {name}.")
        return instance.output()

    def _holds(self, name: str, first: int, second: int, hashes: Sequence[bytes]) -> bool:
        if not 0 <= first < _MAX_SIZE or not 0 <= second < _MAX_SIZE or any(len(one) != 32 for one in hashes):
            return False
        return self.instance().call(name, b"".join(hashes), float(first), float(second)) == 1


def value_of(canonical: bytes) -> Any:
    """Return the value of canonical bytes, which the kernel has accepted."""
    return json.loads(canonical.decode(), parse_int=_integer)


def raise_fault(form: int, instance: Instance) -> None:
    """Raise the fault that a JSON export returned, if it did."""
    number = form & 0xFF
    if number == 6:
        raise TooLarge("the text needs more memory than WebAssembly has")
    if number:
        raise JsonFault(_CODES[number], instance.run("error_offset"))


def hashes_of(data: bytes) -> list[bytes]:
    """Return bytes as hashes of 32 each."""
    return [data[at : at + 32] for at in range(0, len(data), 32)]


def _integer(literal: str) -> int | float:
    return int(literal) if len(literal) < 16 else normal(float(literal))
