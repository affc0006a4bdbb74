"""What producers share: they refuse for the parser, the kind, the form, the number, the result, in this order."""

from __future__ import annotations

from typing import Any

from .._errors import ProducerError
from .._kernel.canonical import canonicalize
from .._kernel.interface import JsonFault, Kernel
from .._schema.check import deep_payloads, faults_of
from .._verify.form import faults_between
from .._verify.kinds import find_kind, schema_of
from .._verify.verify import verify_bytes


def parse(kernel: Kernel, data: bytes) -> Any:
    """Return the value of bytes. Raises ProducerError with the parser's code."""
    try:
        return kernel.parse(data)
    except JsonFault as fault:
        raise ProducerError(fault.code, f"at byte {fault.offset}") from None


def kind_of(value: Any) -> str | None:
    """Return the kind of a value; None for one of no kind."""
    return find_kind(value) if isinstance(value, dict) else None


def require_form(kind: str, value: Any) -> None:
    """Raise ProducerError for a value that lacks the form of its kind."""
    schema = schema_of(kind, value)
    faults = [*faults_of(schema, value), *deep_payloads(value)] or faults_between(kind, schema, value)
    if faults:
        raise ProducerError("malformed", f"{faults[0].code} at {faults[0].path}: {faults[0].message}")


def require_holds(kernel: Kernel, kind: str, value: Any) -> None:
    """Raise ProducerError for what `verify` rejects as its kind, without trust."""
    report = verify_bytes(canonicalize(value), kernel, kind=kind)
    if report.verdict == "rejected":
        first = report.problems[0]
        raise ProducerError("rejected", f"{first.code} at {first.path or 'the whole'}: {first.message}")
