"""What a call of `verify` asks for: the kernels, whom it trusts, what links to it."""

from __future__ import annotations

from typing import Any

from .._errors import KernelDamaged, KernelUnavailable
from .._generated.codes import CODES
from .._kernel.interface import JsonFault, Kernel
from .._kernel.select import KernelChoice, kernel_for, load_kernel
from .._verify.kinds import find_kind
from .arguments import Call
from .exit import INPUT, INTERNAL, Refusal
from .files import read_input
from .foreign import refuse_other
from .trust import names_of, policy_of


class Settings:
    """What a call asks for, read before any evidence."""

    def __init__(self, call: Call, trust_file: str | None) -> None:
        self.call = call
        self.kernel: KernelChoice = call.one("kernel") or "auto"  # type: ignore[assignment]
        self.is_crossed = call.has("cross-check")
        reader = load_kernel("reference")
        self.trust_file = trust_file
        self.trust = policy_of(call, self.trust_file, reader)
        self.names = names_of(self.trust_file, reader)
        self.links = tuple(_link(path, reader) for path in call.all("link"))

    def kernels(self, size: int) -> list[Kernel]:
        """Return the kernels for an input of so many bytes. Raises Refusal (70)."""
        try:
            if self.is_crossed:
                return [load_kernel("wasm"), load_kernel("reference")]
            return [kernel_for(self.kernel, size)]
        except KernelDamaged as error:
            action = "This copy of svc is damaged. Get it again, and check it."
            raise Refusal(INTERNAL, str(error), action) from None
        except KernelUnavailable as error:
            action = (
                "Run it where wasmtime is to be had, or without --cross-check: one kernel alone cross-checks nothing."
                if self.is_crossed
                else "Leave --kernel out, or give --kernel reference."
            )
            raise Refusal(INTERNAL, f"The compiled kernel cannot be had here: {error}", action) from None


def _link(path: str, kernel: Kernel) -> Any:
    data = read_input(path)
    named = f'"{path}"'
    refuse_other(named, data, False)
    try:
        value = kernel.parse(data)
    except JsonFault as fault:
        message = f"{named} cannot be read as a consistency proof or an IVC epoch: {fault.code}."
        raise Refusal(INPUT, f"{message} At byte {fault.offset}.", CODES[fault.code]["action"]) from None
    kind = find_kind(value) if isinstance(value, dict) else None
    if kind not in ("consistency", "ivc-epoch"):
        message = f"{named} is neither a consistency proof nor an IVC epoch, and this option reads these."
        raise Refusal(INPUT, message, "Check that it is the file you meant.")
    return value
