"""Bundles whose records are read as columns give the reports that they give when read one by one."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import svc._objects.bundle_text as bundle_text
import svc._verify.bulk as bulk
import svc._verify.bulk_package as bulk_package
import svc._verify.verify as verify
from compare import said
from conftest import FIXTURES, read_json
from svc._kernel.canonical import canonicalize
from svc._kernel.select import load_kernel
from svc._report.examination import Examination
from svc._trust.policy import read_trust
from svc._verify.package_contents import BulkProofs
from test_fixtures import bytes_of, fixtures


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("wrong", ["nothing", "payload", "signature", "signatures"])
def test_what_columns_name_is_what_records_show(monkeypatch: pytest.MonkeyPatch, wrong: str, jobs: int) -> None:
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
    # Each record and each payload is a separate part.
    monkeypatch.setattr(bundle_text, "PART_BYTES", 1)
    monkeypatch.setattr(bulk, "is_enough", noted)
    assert said(verify.verify_bytes(data, kernel, case["trust"], jobs=jobs).to_dict()) == said(plain.to_dict())
    # The columns said it alone.
    assert read == [True]
    assert plain.verdict == ("verified" if wrong == "nothing" else "rejected")


@pytest.mark.slow
@pytest.mark.parametrize("part_bytes", [1, 3000, 8_000_000])
def test_every_bundle(monkeypatch: pytest.MonkeyPatch, part_bytes: int) -> None:
    enough: list[bool] = []
    decide = bulk.is_enough

    def counted(ex: Examination) -> bool:
        enough.append(decide(ex))
        return enough[-1]

    monkeypatch.setattr(verify, "LARGE_BYTES", 0)
    monkeypatch.setattr(bundle_text, "PART_BYTES", part_bytes)
    monkeypatch.setattr(bulk, "is_enough", counted)
    kernel = load_kernel("wasm")
    for path in fixtures("bundle"):
        case = read_json(path)
        report = verify.verify_bytes(bytes_of(case), kernel, case["trust"], tuple(case.get("links", ())), "bundle")
        assert said(report.to_dict()) == said(read_json(FIXTURES / "reports" / "bundle" / path.name)), path.name
    # Both ways were taken: bundles that hold, and those that have to be read again.
    assert enough.count(True) > 20
    assert enough.count(False) > 5


def test_lists_that_stand_elsewhere_are_not_taken_for_those_of_the_bundle() -> None:
    case = read_json(FIXTURES / "cases" / "bundle" / "good.json")
    bundle = json.loads(bytes_of(case))
    kernel = load_kernel("wasm")
    policy = read_trust(case["trust"])[0]
    records = bundle["artifacts"]["receipts.json"]
    # Both are before the lists of the bundle, in the order of canonical JSON.
    for odd in ({"anchors.json": [{"receipts.json": records, "windows.json": []}], "receipts.json": []},):
        other = {**bundle, "artifacts": {**bundle["artifacts"], **odd}}
        assert bulk.read_in_bulk(canonicalize(other), "bundle", policy, kernel) is None
    other = {**bundle, "key_hints": {"payloads": bundle["payloads"], "z": 0}, "payloads": {}}
    assert bulk.read_in_bulk(canonicalize(other), "bundle", policy, kernel) is None
    assert bulk.read_in_bulk(canonicalize(bundle), "bundle", policy, kernel) is not None


def test_a_name_in_two_parts_is_a_duplicate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "LARGE_BYTES", 0)
    monkeypatch.setattr(bundle_text, "PART_BYTES", 1)
    case = read_json(FIXTURES / "cases" / "bundle" / "good.json")
    bundle = json.loads(bytes_of(case))
    entry = canonicalize({min(bundle["payloads"]): bundle["payloads"][min(bundle["payloads"])]})[1:-1]
    data = canonicalize(bundle)
    twice = data.replace(entry, entry + b"," + entry)
    assert len(twice) > len(data)
    report = verify.verify_bytes(twice, load_kernel("wasm"), case["trust"])
    assert [problem.code for problem in report.problems] == ["duplicate_name"]


@pytest.mark.slow
def test_edited_bundles_are_read_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    draw, kernel = random.Random(7), load_kernel("wasm")
    cases = [read_json(path) for path in fixtures("bundle") if path.name.startswith("good")]
    verdicts = {"verified": 0, "rejected": 0, "untrusted": 0}
    for _ in range(3000):
        case = draw.choice(cases)
        bundle = json.loads(bytes_of(case))
        # Records are asked for as often as everything else together.
        places = (bundle, bundle["artifacts"]["receipts.json"])
        for _ in range(draw.choice((1, 1, 2))):
            edit(draw.choice(places), draw)
        data, links = json.dumps(bundle, ensure_ascii=False).encode(), tuple(case.get("links", ()))
        monkeypatch.setattr(verify, "LARGE_BYTES", 256_000)
        plain = verify.verify_bytes(data, kernel, case["trust"], links)
        monkeypatch.setattr(verify, "LARGE_BYTES", 0)
        assert said(verify.verify_bytes(data, kernel, case["trust"], links).to_dict()) == said(plain.to_dict()), data
        verdicts[plain.verdict] += 1
    assert verdicts["rejected"] > 2000
    assert verdicts["verified"] > 20


def edit(place: Any, draw: random.Random) -> None:
    """Change one place below: a member less or renamed, a part of a list twice or less, or another value."""
    while True:
        names = list(place) if isinstance(place, dict) else range(len(place))
        if not names:
            return
        name = draw.choice(names)
        if isinstance(place[name], (dict, list)) and draw.random() < 0.85:
            place = place[name]
            continue
        way = draw.randrange(4)
        value: Any = draw.choice((None, 0, -1, 2.5, "", "x", [], {}, "ed25519-4c869819ecf028ae", place[name]))
        if way == 0:
            del place[name]
        elif way == 1:
            place[name] = value
        elif isinstance(place, dict):
            place["__proto__" if way == 2 else f"{name}2"] = place.pop(name)
        else:
            place.insert(draw.randrange(len(place) + 1), place[name])
        return


def test_the_only_record_of_a_key_is_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    case = read_json(FIXTURES / "cases" / "truth-package" / "good-small.json")
    kernel, signers = load_kernel("wasm"), case["trust"]["signers"]
    trust = {"signers": [{**one, "valid_to": "2026-03-01T00:00:00.000Z"} for one in signers]}
    plain = verify.verify_bytes(bytes_of(case), kernel, trust)
    monkeypatch.setattr(verify, "LARGE_BYTES", 0)
    assert said(verify.verify_bytes(bytes_of(case), kernel, trust).to_dict()) == said(plain.to_dict())
    assert [problem.code for problem in plain.problems if problem.seq_no == 1] == ["key_not_valid_at_time"]


@pytest.mark.slow
@pytest.mark.parametrize("part_bytes", [1, 8_000_000])
def test_every_truth_package(monkeypatch: pytest.MonkeyPatch, part_bytes: int) -> None:
    read: list[bool] = []
    read_proofs = bulk_package.read_proofs

    def noted(*words: Any) -> BulkProofs | None:
        found = read_proofs(*words)
        read.append(found is not None)
        return found

    monkeypatch.setattr(verify, "LARGE_BYTES", 0)
    monkeypatch.setattr(bundle_text, "PART_BYTES", part_bytes)
    monkeypatch.setattr(bulk_package, "read_proofs", noted)
    kernel = load_kernel("wasm")
    for path in fixtures("truth-package"):
        case = read_json(path)
        links = tuple(case.get("links", ()))
        report = verify.verify_bytes(bytes_of(case), kernel, case["trust"], links, "truth-package")
        assert said(report.to_dict()) == said(read_json(FIXTURES / "reports" / "truth-package" / path.name)), path.name
    # Packages of envelopes are read as ever.
    assert read.count(True) > 20
    assert read.count(False) > 5
