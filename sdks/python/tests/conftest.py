"""What tests share: the repository's fixtures and cases, the vectors of others, and both kernels."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from svc._kernel.interface import Kernel
from svc._kernel.select import load_kernel

ROOT = Path(__file__).resolve().parents[3]
FIXTURES = ROOT / "fixtures"
CASES = ROOT / "conformance" / "cases"
VECTORS = FIXTURES / "vectors"
KERNELS = ("reference", "wasm")


IS_WHOLE = os.environ.get("SVC_WHOLE") == "1"
_EACH = 6


def sampled(items: list[Any], kernel: Kernel) -> list[Any]:
    """Return every item for the compiled kernel, and a sample for the reference kernel unless SVC_WHOLE is 1."""
    return items if IS_WHOLE or kernel.name == "wasm" else items[::_EACH]


# The reference kernel needs minutes for all that there is, so only the whole run gives it that.
WHOLE = [pytest.param("reference", marks=pytest.mark.slow), "wasm"]


@pytest.fixture(params=WHOLE)
def whole_kernel(request: pytest.FixtureRequest) -> Kernel:
    """Each kernel in turn; the reference kernel in the whole run only."""
    return load_kernel(request.param)


@pytest.fixture(params=KERNELS)
def kernel(request: pytest.FixtureRequest) -> Kernel:
    """Each kernel in turn."""
    return load_kernel(request.param)


def vectors(path: str) -> Path:
    """Return a file or folder of the vectors of others. Fails where it is missing."""
    found = VECTORS / path
    assert found.exists(), f"test vectors are missing: {found}"
    return found


def read_json(path: Path) -> Any:
    """Return the value of a JSON file of ours."""
    return json.loads(path.read_text("utf-8"))


def lines_of(path: Path) -> list[str]:
    """Return the lines of a file. Only a newline ends one: `splitlines` knows others."""
    return path.read_text("utf-8").removesuffix("\n").split("\n")


def cases_of(*names: str) -> list[dict[str, Any]]:
    """Return the conformance cases of these files, without their ending. Fails if it finds no case."""
    found = [json.loads(line) for name in names for line in lines_of(CASES / f"{name}.jsonl")]
    assert found, f"no cases in {names}"
    return found
