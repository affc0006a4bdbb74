"""A running kernel: writes the input, calls an export, reads the output. It does not know the layout of any call."""

from __future__ import annotations

import atexit
import weakref
from typing import Any

from ..._errors import KernelStopped
from ..interface import TooLarge
from .module import CompiledModule, keep

REFUSED = 0xFFFFFFFF
_MAX_BYTES = 2**32 - 2**16
# A call that stopped with more memory than this most likely asked for more than there is.
_SUSPECT_BYTES = 2**30
# A larger instance is not kept for small inputs: its memory never shrinks.
_KEPT_BYTES = 48 * 2**20


class Instance:
    """One instance of the kernel, which one thread uses. It is replaced after a trap, and when it has grown large."""

    def __init__(self, compiled: CompiledModule) -> None:
        self._compiled = compiled
        self.store: Any = None
        self._exports: dict[str, Any] = {}
        self._memory: Any = None
        # Counts the dropped instances, so that code that has state in one notices its loss.
        self.generation = 0
        _instances.add(self)

    def call(self, name: str, data: bytes, *numbers: int | float) -> int:
        """Call an export with an input. Returns its result as an unsigned number. Raises TooLarge, KernelStopped."""
        if len(data) > _MAX_BYTES:
            raise TooLarge(f"{len(data)} bytes are more than WebAssembly has")
        if name not in _READING:
            self.release(len(data))
        if self.store is None:
            self._start()
        address = self.run("reserve", len(data))
        if data:
            ctypes = self._compiled.ctypes
            pointer = ctypes.cast(self._memory.data_ptr(self.store), ctypes.c_void_p).value or 0
            ctypes.memmove(pointer + address, data, len(data))
        return self.run(name, *numbers)

    def output(self) -> bytes:
        """Return the output of the last call."""
        address = self.run("output")
        return bytes(self._memory.read(self.store, address, address + self.run("output_length")))

    def document(self) -> bytes:
        """Return the open document."""
        address = self.run("document")
        return bytes(self._memory.read(self.store, address, address + self.run("document_length")))

    def release(self, length: int = 0) -> None:
        """Drop an instance that is large, and far too large for an input of this length."""
        if self.store is None:
            return
        held = self._memory.data_len(self.store)
        if held > _KEPT_BYTES and held > 16 * length:
            self._drop()

    def run(self, name: str, *numbers: int | float) -> int:
        """Call an export without an input."""
        try:
            return int(self._exports[name](self.store, *numbers) or 0) & 0xFFFFFFFF
        except KeyError:
            raise KernelStopped(f"The compiled kernel has no {name}.") from None
        except Exception as error:
            held = self._memory.data_len(self.store)
            # The call stopped halfway: nothing of this instance may be used again.
            self._drop()
            if name == "reserve" or held > _SUSPECT_BYTES:
                raise TooLarge(f"WebAssembly has no more memory ({held} bytes are in use)") from error
            raise KernelStopped(f"The compiled kernel stopped in {name}: {error}") from error

    def _start(self) -> None:
        _, wasmtime, engine, module = self._compiled
        store = wasmtime.Store(engine)
        exports = wasmtime.Instance(store, module, []).exports(store)
        self._exports = {name: exports[name] for name in exports}
        self._memory = self._exports["memory"]
        self.store = store

    def _drop(self) -> None:
        self.store, self._memory, self._exports = None, None, {}
        self.generation += 1


_instances: weakref.WeakSet[Instance] = weakref.WeakSet()


@atexit.register
def _keep_stores() -> None:
    for instance in list(_instances):
        keep(instance.store)


# The exports that read the open document, whose input is small: the instance is kept whatever the document's size.
_READING = frozenset({"document_locate", "document_members", "document_hash", "document_records"})
