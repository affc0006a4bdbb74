"""Which kernel computes: the one that was asked for, or for `auto` the one that is sooner done.

Loading the compiled kernel takes about as much time as 90 signatures by the reference kernel. So `auto` gives small
inputs to the reference kernel until that has checked some, and everything else to the compiled one.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Literal

from .._errors import KernelUnavailable
from .interface import Kernel, SignatureItem
from .reference.kernel import ReferenceKernel

if TYPE_CHECKING:
    from .compiled.kernel import CompiledKernel

KernelChoice = Literal["auto", "wasm", "reference"]

SMALL_BYTES = 64_000
MANY_SIGNATURES = 64


class _CountingKernel(ReferenceKernel):
    """The reference kernel of this process, which counts its signatures."""

    def __init__(self) -> None:
        self.checked = 0
        self._lock = threading.Lock()

    def verify_ed25519(self, items: Sequence[SignatureItem]) -> list[bool]:
        with self._lock:
            self.checked += len(items)
        return super().verify_ed25519(items)


_reference = _CountingKernel()


def load_kernel(choice: KernelChoice = "wasm") -> Kernel:
    """Return a kernel: the compiled one, compiled now, or the reference kernel.

    `auto`: the compiled one where it can run, otherwise the reference kernel. Raises KernelUnavailable and
    KernelDamaged for `wasm`, KernelDamaged for `auto`, ValueError for any other name.
    """
    return kernel_for(choice, SMALL_BYTES)


def kernel_for(choice: KernelChoice, size: int) -> Kernel:
    """Return the kernel for an input of so many bytes. Raises as `load_kernel` does."""
    if choice == "reference":
        return _reference
    if choice == "wasm":
        return _compiled()
    if choice != "auto":
        raise ValueError(f'no kernel is called {choice!r}: there are "auto", "wasm" and "reference"')
    if size < SMALL_BYTES and _reference.checked < MANY_SIGNATURES and _compiled.cache_info().currsize == 0:
        return _reference
    return _compiled_if_available() or _reference


@cache
def _compiled() -> CompiledKernel:
    from .compiled.kernel import CompiledKernel

    return CompiledKernel()


@cache
def _compiled_if_available() -> CompiledKernel | None:
    try:
        return _compiled()
    except KernelUnavailable:
        return None
