"""The exceptions of this package. Bytes that somebody hands in never raise one: they get a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._report.model import Report


class SvcError(Exception):
    """Something outside of the evidence went wrong. `code` names it for programs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class KernelUnavailable(SvcError):
    """The compiled kernel cannot run here: `wasmtime` is missing or cannot be used."""

    def __init__(self, message: str) -> None:
        super().__init__("kernel_unavailable", message)


class KernelDamaged(SvcError):
    """The bytes are not those of the compiled kernel of this version."""

    def __init__(self, message: str) -> None:
        super().__init__("kernel_damaged", message)


class KernelStopped(SvcError):
    """The compiled kernel stopped in the middle of a call. The next call runs in a fresh instance."""

    def __init__(self, message: str) -> None:
        super().__init__("kernel_stopped", message)


class EvidenceTooLarge(SvcError):
    """More bytes than any evidence has, or than this machine can hold."""

    def __init__(self, message: str) -> None:
        super().__init__(
            "evidence_too_large", f"{message} Verify it on a larger machine, or ask for an export of a shorter range."
        )


class VerificationError(Exception):
    """A verdict other than `verified`. `report` is the whole report."""

    def __init__(self, report: Report) -> None:
        first = report.problems[0] if report.problems else None
        reason = (
            "" if first is None else f": {first.code} at {first.path or 'the whole'}. {first.message} {first.action}"
        )
        super().__init__(f"{report.verdict}{reason}")
        self.report = report


class TrustPolicyError(ValueError):
    """A trust policy that is not well formed. `code` and `path` name its first fault."""

    def __init__(self, code: str, path: str, message: str) -> None:
        super().__init__(f"{code} at {path}: {message}")
        self.code = code
        self.path = path


class ProducerError(ValueError):
    """Evidence of which nothing can be made. `code` says why, as the conformance protocol lists."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
