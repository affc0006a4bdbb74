"""Every fixture gives its whole report by both kernels, as its kind and as the kind found from its bytes."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from compare import said
from conftest import FIXTURES, read_json, sampled
from svc._kernel.interface import Kernel
from svc._kernel.select import load_kernel
from svc._verify.verify import verify_bytes
from svc._words.page import in_short
from svc._words.reader import Reader
from svc._words.sentences import ladder_of

KINDS = sorted(folder.name for folder in (FIXTURES / "cases").iterdir())


def bytes_of(case: dict[str, Any]) -> bytes:
    """Return the bytes of a case, whose file holds them as text or base64."""
    return case["input"].encode() if "input" in case else base64.b64decode(case["input_base64"])


def fixtures(kind: str) -> list[Path]:
    """Return the cases of a kind. Fails if it finds no case."""
    found = sorted((FIXTURES / "cases" / kind).glob("*.json"))
    assert found, f"no fixtures of {kind}"
    return found


# Checks that say what they found.
TOLD = ("vault_key", "provenance", "disclosure")
# An endorsement is not beside endorsements, and of a key that nobody told there is no status.
PLAIN = {"key": {"key_endorsements"}, "disclosure/key-unknown": {"vault_key"}}


def noted(report: dict[str, Any]) -> set[str]:
    """Return the checks that say what they did not look at, or what they found."""
    return {one["id"] for one in report["checks"] if one.get("note") is not None}


def shown(report: dict[str, Any], trust: Any) -> list[tuple[str, str, str]]:
    """Return the ladder of a report; of a level without its note, whose words are this SDK's."""
    reader = Reader(trust=trust if isinstance(trust, dict) else None)
    steps = ladder_of(report, reader)
    return [(one.name, one.mark, one.text.split(";")[0] if one.name == "level" else one.text) for one in steps]


# There are about as many bundles as all else, so that the quick run takes every second one.
PARTS = [
    *(pytest.param(kind, slice(None), id=kind) for kind in KINDS if kind != "bundle"),
    pytest.param("bundle", slice(0, None, 2), id="bundle"),
    pytest.param("bundle", slice(1, None, 2), id="bundle-others", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("kind", "part"), PARTS)
def test_whole_reports(whole_kernel: Kernel, kind: str, part: slice) -> None:
    for path in sampled(fixtures(kind)[part], whole_kernel):
        case = read_json(path)
        data, links = bytes_of(case), tuple(case.get("links", ()))
        report = verify_bytes(data, whole_kernel, case["trust"], links, case["kind"])
        wanted = read_json(FIXTURES / "reports" / kind / path.name)
        assert said(report.to_dict()) == said(wanted), path.name
        # A note has this SDK's words, but it is wherever core has one that its reader can act on.
        if report.ok:
            assert in_short(report.to_dict()) == in_short(wanted), path.name
        if report.verdict != "rejected":
            assert shown(report.to_dict(), case["trust"]) == shown(wanted, case["trust"]), path.name
            # What was not checked is said wherever core says it, but for what is plain without it.
            silent = noted(wanted) - noted(report.to_dict()) - PLAIN.get(f"{kind}/{path.stem}", PLAIN.get(kind, set()))
            assert not silent, (path.name, silent)
        else:
            # What a check found is not said where it failed.
            assert not [one.id for one in report.checks if one.status == "fail" and one.id in TOLD and one.note], (
                path.name
            )
        assert report.verdict == case["verdict"]
        assert bool(report) is report.ok is (case["verdict"] == "verified")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_verdicts_as_the_kind_that_is_found(kind: str) -> None:
    kernel = load_kernel("wasm")
    for path in fixtures(kind):
        case = read_json(path)
        report = verify_bytes(bytes_of(case), kernel, case["trust"], tuple(case.get("links", ())))
        assert report.verdict == case["verdict"], path.name


@pytest.mark.slow
def test_legacy(kernel: Kernel) -> None:
    for name, kind in (("bundle", "bundle"), ("truth-package", "truth-package")):
        for path in sorted((FIXTURES / "legacy").glob(f"{name}*.json")):
            if "report" in path.name:
                continue
            case = read_json(path)
            if "input" not in case and "input_base64" not in case:
                continue
            assert verify_bytes(bytes_of(case), kernel, case["trust"], (), kind).verdict == case["verdict"]
