"""Both kernels answer every conformance case of the levels above 2, in everything that the kit compares."""

from __future__ import annotations

import json

import pytest

from compare import compared
from conftest import cases_of, sampled
from svc._conformance.operations import OPERATIONS
from svc._conformance.program import answer_to
from svc._kernel.canonical import canonicalize
from svc._kernel.interface import Kernel

NAMES = (
    *("3-cosignature", "3-note", "3-tlog-policy", "4-found", "4-mutants", "4-silent", "4-trust"),
    *("5-archive", "5-found", "5-mutants", "6-found", "6-mutants", "7-producers"),
)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_cases(whole_kernel: Kernel, name: str) -> None:
    wrong, asked = [], 0
    for case in sampled(cases_of(name), whole_kernel):
        if case["request"]["op"] not in OPERATIONS:
            continue
        asked += 1
        answer = answer_to(whole_kernel, canonicalize({"id": 1, **case["request"]}))
        if compared(answer) != compared(case["answer"]):
            wrong.append((case["name"], json.dumps(answer)[:200]))
    assert asked
    assert wrong == []
