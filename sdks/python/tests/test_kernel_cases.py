"""Both kernels answer every case of levels 1 and 2 as they should."""

from __future__ import annotations

import json

import pytest

from compare import compared
from conftest import cases_of, sampled
from svc._conformance.program import answer_to
from svc._kernel.canonical import canonicalize
from svc._kernel.interface import Kernel


@pytest.mark.parametrize("name", ["1-digest", "1-json", "1-merkle", "1-request", "2-ed25519"])
def test_cases(whole_kernel: Kernel, name: str) -> None:
    wrong = []
    for case in sampled(cases_of(name), whole_kernel):
        answer = answer_to(whole_kernel, canonicalize({"id": 1, **case["request"]}))
        if compared(answer) != compared(case["answer"]):
            wrong.append((case["name"], json.dumps(answer)[:200], json.dumps(case["answer"])[:200]))
    assert wrong == []
