"""The vectors of others: cases of an independent implementation, and the published ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conftest import lines_of, read_json, vectors
from svc._kernel.interface import Kernel, SignatureItem
from svc._verify.verify import verify_bytes
from test_fixtures import bytes_of


def lacks(data: bytes, case: dict[str, Any], codes: list[str]) -> bool:
    """Return whether a case has evidence of tokens or starts, which is bound and not judged."""
    is_refused = case["verdict"] == "rejected" and case.get("code") in codes
    return (b'"basis":' in data or b'"ekCertificate":' in data) and not is_refused


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["proofstream", "provenance"])
def test_cases(kernel: Kernel, folder: str) -> None:
    wrong = [
        f"{path.stem}/{case['name']}"
        for path in files(vectors(f"{folder}/cases"), "jsonl")
        for case in cases_of(path)
        if not agrees(kernel, case)
    ]
    assert wrong == []


def files(root: Path, extension: str) -> list[Path]:
    found = sorted(root.glob(f"*.{extension}"))
    assert found, f"no vectors in {root}"
    return found


def cases_of(path: Path) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in lines_of(path) if line]
    assert found, f"no cases in {path}"
    return found


def agrees(kernel: Kernel, case: dict[str, Any]) -> bool:
    data = bytes_of(case)
    report = verify_bytes(data, kernel, case["trust"], tuple(case.get("links", ())), case["kind"])
    codes = [problem.code for problem in report.problems]
    if lacks(data, case, codes):
        return report.verdict != "verified"
    if report.verdict != case["verdict"] or (case.get("code") is not None and case["code"] not in codes):
        return False
    wanted = case.get("assurance_provenance")
    shown = report.to_dict()["assurance"].get("provenance")
    return wanted is None or report.verdict == "rejected" or shown == wanted


def test_wycheproof(kernel: Kernel) -> None:
    groups = read_json(vectors("ed25519/wycheproof-ed25519.json"))["testGroups"]
    items, wanted = [], []
    for group in groups:
        for one in group["tests"]:
            key, message, signature = (
                bytes.fromhex(text) for text in (group["publicKey"]["pk"], one["msg"], one["sig"])
            )
            items.append(SignatureItem(key, message, signature))
            wanted.append(one["result"] == "valid")
    assert len(items) > 100
    assert kernel.verify_ed25519(items) == wanted
    assert [kernel.verify_ed25519([item])[0] for item in items] == wanted


def test_rfc_8785(kernel: Kernel) -> None:
    for path in files(vectors("jcs/input"), "json"):
        output = vectors("jcs/output") / path.name
        assert kernel.canonical_text(path.read_bytes()) == output.read_bytes()
        assert json.loads(output.read_bytes()) == kernel.parse(output.read_bytes())
