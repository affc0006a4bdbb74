"""Evidence streams that anyone can verify, offline.

    report = svc.verify("march.bundle.json", trust=svc.pin_keys("7a69…"))
    report.raise_for_verdict()

A report is true only where its verdict is `verified`. The library reads no file, environment, clock or network that it
was not given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._version import KERNEL_SHA256, VERSION

if TYPE_CHECKING:
    from ._api import (
        CrossCheck,
        cross_check,
        decode,
        find_fork,
        parse_trust_policy,
        pin_keys,
        portable_receipt_of,
        redact,
        verify,
        verify_all,
    )
    from ._errors import (
        EvidenceTooLarge,
        KernelDamaged,
        KernelStopped,
        KernelUnavailable,
        ProducerError,
        SvcError,
        TrustPolicyError,
        VerificationError,
    )
    from ._generated.codes import CODES
    from ._kernel.select import load_kernel
    from ._report.model import Assurance, Check, Problem, Report, Signer, Subject, Verifier, Witnessed

__version__ = VERSION
__all__ = [
    "CODES",
    "KERNEL_SHA256",
    "Assurance",
    "Check",
    "CrossCheck",
    "EvidenceTooLarge",
    "KernelDamaged",
    "KernelStopped",
    "KernelUnavailable",
    "Problem",
    "ProducerError",
    "Report",
    "Signer",
    "Subject",
    "SvcError",
    "TrustPolicyError",
    "VerificationError",
    "Verifier",
    "Witnessed",
    "__version__",
    "cross_check",
    "decode",
    "find_fork",
    "load_kernel",
    "parse_trust_policy",
    "pin_keys",
    "portable_receipt_of",
    "redact",
    "verify",
    "verify_all",
]

# Loaded at first use, so that `import svc` costs little.
_HOMES = {
    **dict.fromkeys(
        (
            *("CrossCheck", "cross_check", "decode", "find_fork", "parse_trust_policy", "pin_keys"),
            *("portable_receipt_of", "redact", "verify", "verify_all"),
        ),
        "svc._api",
    ),
    **dict.fromkeys(
        (
            *("EvidenceTooLarge", "KernelDamaged", "KernelStopped", "KernelUnavailable", "ProducerError", "SvcError"),
            *("TrustPolicyError", "VerificationError"),
        ),
        "svc._errors",
    ),
    **dict.fromkeys(
        ("Assurance", "Check", "Problem", "Report", "Signer", "Subject", "Verifier", "Witnessed"), "svc._report.model"
    ),
    "CODES": "svc._generated.codes",
    "load_kernel": "svc._kernel.select",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'svc' has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
