"""The cross-check (section 16): a verdict only where two kernels differ in nothing."""

from __future__ import annotations

from dataclasses import replace

from .._generated.codes import CODES
from .._report.model import Assurance, Check, Problem, Report, Verifier
from .._report.sentences import sentences_of
from .._version import KERNEL_SHA256, VERSION


def compared(first: Report, second: Report) -> tuple[Report, bool]:
    """Return the report, and whether both kernels gave it. Where they do not, nothing counts as shown."""
    if replace(first, verifier=second.verifier) == second:
        return first, True
    checks = tuple(Check(id=one.id, status="cannot_evaluate", note="the two kernels disagree") for one in first.checks)
    problem = Problem(
        code="kernels_disagree",
        path="",
        message="The two kernels do not give the same report, so one of them is wrong.",
        action=CODES["kernels_disagree"]["action"],
    )
    said = {
        "kind": first.kind,
        "verdict": "rejected",
        "subject": first.subject.to_dict(),
        "assurance": Assurance().to_dict(),
        "signers": [],
        "checks": [one.to_dict() for one in checks],
        "problems": [{"check": "json"}],
    }
    proves, does_not_prove = sentences_of(said)
    report = Report(
        ok=False,
        verdict="rejected",
        kind=first.kind,
        subject=first.subject,
        verifier=Verifier(name="svc-sdk", version=VERSION, kernel_sha256=KERNEL_SHA256),
        assurance=Assurance(),
        signers=(),
        checks=checks,
        problems=(problem,),
        proves=proves,
        does_not_prove=does_not_prove,
    )
    return report, False
