"""Compiles `kernel.wasm`: the bytes are hashed before, and nothing compiled is kept on the disk.

Those who can write where compiled code is kept decide verdicts, so it is compiled in each process, at the first use.
"""

from __future__ import annotations

import threading
from hashlib import sha256
from importlib import resources
from typing import Any, NamedTuple

from ..._errors import KernelDamaged, KernelUnavailable
from ..._version import KERNEL_SHA256


class CompiledModule(NamedTuple):
    """A compiled module, and what is needed to start it."""

    ctypes: Any
    wasmtime: Any
    engine: Any
    module: Any


_lock = threading.Lock()
_compiled: CompiledModule | None = None


def compiled_module() -> CompiledModule:
    """Return the module, compiled once a process. Raises KernelUnavailable, KernelDamaged."""
    global _compiled
    with _lock:
        if _compiled is None:
            _compiled = _compile(kernel_bytes())
        return _compiled


def kernel_bytes() -> bytes:
    """Return the bytes of the kernel in this package."""
    return resources.files("svc._generated").joinpath("kernel.wasm").read_bytes()


def require_known(data: bytes) -> None:
    """Raise KernelDamaged for any bytes but those of this version's kernel."""
    found = sha256(data).hexdigest()
    if found != KERNEL_SHA256:
        raise KernelDamaged(
            f"The file kernel.wasm of this package was changed: its SHA-256 is {found}, and should be {KERNEL_SHA256}. "
            "Install the package again."
        )


def keep(value: object) -> None:
    """Keep an object until the process has ended, which frees it.

    At the end of the interpreter, when its module is gone already, wasmtime's own destructor raises.
    """
    import ctypes

    ctypes.pythonapi.Py_IncRef(ctypes.py_object(value))


def _in_subinterpreter(ctypes: Any) -> bool:
    """Return whether this interpreter is another one than that of the process.

    The process ends a subinterpreter while it ends itself. A thread that then waits for Python's lock, as after each
    call of a C library, is ended by CPython: here the first one. wasmtime's own threads, which have compiled, hold the
    process then, and it never ends.
    """
    # By index each function is a new one, whose type nobody else sees.
    own, first = (ctypes.pythonapi[f"PyInterpreterState_{name}"] for name in ("Get", "Main"))
    own.restype = first.restype = ctypes.c_void_p
    return bool(own() != first())


def _compile(data: bytes) -> CompiledModule:
    require_known(data)
    try:
        import ctypes

        if _in_subinterpreter(ctypes):
            raise KernelUnavailable(
                "The compiled kernel does not run in a subinterpreter of Python: the process might never end. Ask for "
                'the reference kernel (kernel="reference").'
            )
        import wasmtime
    except KernelUnavailable:
        raise
    except (
        Exception
    ) as error:  # a wheel for another platform fails in many ways; subinterpreters of 3.12 have no ctypes
        raise KernelUnavailable(
            f"The package wasmtime cannot be used here: {error}. Install it, or ask for the "
            'reference kernel (kernel="reference").'
        ) from error
    reasons: list[str] = []
    # The default reserves 4 GiB of addresses, which is faster; a limit of the process can refuse that.
    for reservation in (None, 0):
        try:
            config = wasmtime.Config()
            if reservation is not None:
                config.memory_reservation = reservation
                config.memory_reservation_for_growth = 1 << 20
            engine = wasmtime.Engine(config)
            compiled = CompiledModule(ctypes, wasmtime, engine, wasmtime.Module(engine, data))
            wasmtime.Instance(wasmtime.Store(engine), compiled.module, [])
            keep(compiled)
            return compiled
        except Exception as error:
            reasons.append(str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__)
    raise KernelUnavailable(f"The compiled kernel cannot be started here: {'; '.join(dict.fromkeys(reasons))}.")
