"""Bundles whose records are read as columns give the reports that they give when read one by one."""

from __future__ import annotations

import json

import pytest

import svc._verify.bulk as bulk
import svc._verify.verify as verify
from compare import said
from conftest import FIXTURES, read_json
from svc._kernel.select import load_kernel
from svc._report.examination import Examination
from test_fixtures import bytes_of, fixtures


@pytest.mark.parametrize("wrong", ["nothing", "payload", "signature", "signatures"])
def test_what_columns_name_is_what_records_show(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    case = read_json(FIXTURES / "cases" / "bundle" / "good.json")
    bundle = json.loads(bytes_of(case))
    records = bundle["artifacts"]["receipts.json"]
    if wrong == "payload":
        next(iter(bundle["payloads"].values()))["payload"]["more"] = 1
    for record in records if wrong == "signatures" else records[3:4] if wrong == "signature" else ():
        seal = record["receipt"]
        seal["signature"] = ("1" if seal["signature"][0] == "0" else "0") + seal["signature"][1:]
    data, kernel = json.dumps(bundle, ensure_ascii=False).encode(), load_kernel("wasm")
    plain = verify.verify_bytes(data, kernel, case["trust"])
    read: list[bool] = []
    decide = bulk.is_enough

    def noted(ex: Examination) -> bool:
        read.append(decide(ex))
        return read[-1]

    monkeypatch.setattr(verify, "LARGE_BYTES", 0)
    monkeypatch.setattr(bulk, "is_enough", noted)
    assert said(verify.verify_bytes(data, kernel, case["trust"]).to_dict()) == said(plain.to_dict())
    # The columns said it alone.
    assert read == [True]
    assert plain.verdict == ("verified" if wrong == "nothing" else "rejected")


@pytest.mark.slow
def test_every_bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    enough: list[bool] = []
    decide = bulk.is_enough

    def counted(ex: Examination) -> bool:
        enough.append(decide(ex))
        return enough[-1]

    monkeypatch.setattr(verify, "LARGE_BYTES", 0)
    monkeypatch.setattr(bulk, "is_enough", counted)
    kernel = load_kernel("wasm")
    for path in fixtures("bundle"):
        case = read_json(path)
        report = verify.verify_bytes(bytes_of(case), kernel, case["trust"], tuple(case.get("links", ())), "bundle")
        assert said(report.to_dict()) == said(read_json(FIXTURES / "reports" / "bundle" / path.name)), path.name
    # Both ways were taken: bundles that hold, and those that have to be read again.
    assert enough.count(True) > 20
    assert enough.count(False) > 20
