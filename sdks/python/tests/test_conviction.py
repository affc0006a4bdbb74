"""What convicts a signer: a full list may lack what spoils the evidence, and no stranger is accused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from svc._generated.limits import VERIFIER
from svc._report.conviction import convicts
from svc._report.model import Problem, Signer

PROBLEM = Problem(code="previous_checkpoint_mismatch", path="", message="", action="")
SIGNER = Signer(kid="ed25519-0000000000000000", fingerprint=None, role="checkpoint", reached="pinned")
PROBLEMS, SIGNERS = VERIFIER["max_problems"], VERIFIER["max_signers"]


@pytest.mark.parametrize(
    ("problems", "signers", "expected"),
    [
        pytest.param(PROBLEMS - 1, [SIGNER], True, id="nearly full"),
        pytest.param(PROBLEMS, [SIGNER], False, id="full of problems"),
        pytest.param(1, [SIGNER] * (SIGNERS - 1), True, id="nearly full of signers"),
        pytest.param(1, [SIGNER] * SIGNERS, False, id="full of signers"),
        pytest.param(0, [SIGNER], False, id="no problem"),
        pytest.param(1, [replace(SIGNER, reached="none")], False, id="out of reach"),
        pytest.param(1, [replace(SIGNER, role="witness")], False, id="a witness only"),
    ],
)
def test_what_convicts(problems: int, signers: list[Signer], expected: bool) -> None:
    assert convicts([PROBLEM] * problems, signers) is expected
