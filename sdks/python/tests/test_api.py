"""What a caller of `svc` meets."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

import svc
from conftest import FIXTURES, read_json
from svc._generated.kinds import Kind
from svc._kernel.select import KernelChoice

CASE = read_json(FIXTURES / "cases" / "receipt" / "good.json")
DATA = CASE["input"].encode()
KEY = CASE["trust"]["signers"][0]["public_key_hex"]


def test_bytes_paths_and_files(tmp_path: Path) -> None:
    path = tmp_path / "receipt.json"
    path.write_bytes(DATA)
    trust = svc.pin_keys(KEY)
    with path.open("rb") as file:
        reports = [svc.verify(one, trust=trust) for one in (DATA, bytearray(DATA), path, str(path), file)]
    assert all(report.verdict == "verified" for report in reports)
    assert svc.verify(io.BytesIO(DATA), trust=trust)


def test_what_is_no_evidence_is_a_type_error(tmp_path: Path) -> None:
    wrongs: tuple[tuple[object, str], ...] = (
        (json.loads(DATA), "repeated names"),
        (CASE["input"], "bytes as they came"),
        (io.StringIO("{}"), "'rb'"),
        (7, "not int"),
    )
    for wrong, reason in wrongs:
        with pytest.raises(TypeError, match=reason):
            svc.verify(wrong)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        svc.verify(tmp_path / "missing.json")


def test_trust_in_nobody() -> None:
    report = svc.verify(DATA)
    assert not report
    assert report.verdict == "untrusted"
    with pytest.raises(svc.VerificationError) as raised:
        report.raise_for_verdict()
    assert raised.value.report is report
    assert "key_not_pinned" in str(raised.value)
    svc.verify(DATA, trust=svc.pin_keys(KEY)).raise_for_verdict()


def test_reports_are_frozen() -> None:
    with pytest.raises(AttributeError):
        svc.verify(DATA).ok = True  # type: ignore[misc]


def test_pin_keys() -> None:
    with pytest.raises(ValueError, match="name a key"):
        svc.pin_keys()
    with pytest.raises(ValueError, match="64 lowercase hex characters, and this has 64") as raised:
        svc.pin_keys(KEY.upper())
    assert KEY.upper() not in str(raised.value)
    assert svc.parse_trust_policy(json.dumps(svc.pin_keys(KEY)).encode()) == svc.pin_keys(KEY)


def test_trust_policies() -> None:
    with pytest.raises(svc.TrustPolicyError) as raised:
        svc.parse_trust_policy(b'{"signers":[],"witness":[]}')
    assert (raised.value.code, raised.value.path) == ("unknown_member", "trust:/witness")
    with pytest.raises(svc.TrustPolicyError, match="json_malformed"):
        svc.parse_trust_policy(b"{")


def test_cross_check() -> None:
    checked = svc.cross_check(DATA, trust=svc.pin_keys(KEY))
    assert checked.agrees
    assert checked.report.verdict == "verified"


def test_verify_all_in_threads() -> None:
    reports = svc.verify_all([DATA] * 12, trust=svc.pin_keys(KEY), kernel="wasm", jobs=3)
    assert [report.verdict for report in reports] == ["verified"] * 12


def test_find_fork() -> None:
    assert svc.find_fork(DATA, DATA) is None
    case = read_json(FIXTURES / "cases" / "fork" / "good-head-two-receipts.json")
    evidence = json.loads(case["input"])
    sides = [json.dumps(evidence[name], ensure_ascii=False).encode() for name in ("left", "right")]
    found = svc.find_fork(*sides)
    assert found is not None
    assert json.loads(found)["kind"] == "head"
    assert svc.verify(found, trust=case["trust"]).verdict == "verified"


def test_redact() -> None:
    redacted = svc.redact(DATA, [1])
    assert b"payload_salt" not in redacted
    assert svc.verify(redacted, trust=svc.pin_keys(KEY)).assurance.redacted == 1
    with pytest.raises(svc.ProducerError, match="event_missing"):
        svc.redact(DATA, [2])


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xef\xbb\xbf{}",
        "{}".encode("utf-16"),
        b"\x1f\x8b\x08\x00",
        b"<!DOCTYPE html>",
        b"PK\x03\x04",
        b"[" * 100_000,
        b'{"a":' * 65 + b"1" + b"}" * 65,
        b"1e400",
        b"-0",
        b'{"__class__":{"__proto__":1}}',
        b"null",
        json.dumps({f"m{index}": index for index in range(20_000)}).encode(),
    ],
)
def test_no_bytes_raise(data: bytes) -> None:
    kernels: tuple[KernelChoice, ...] = ("reference", "wasm")
    kinds: tuple[Kind | None, ...] = (None, "receipt", "bundle", "truth-package")
    for kernel in kernels:
        for kind in kinds:
            report = svc.verify(data, kind=kind, kernel=kernel)
            assert report.verdict == "rejected"
            assert report.problems


def test_import_is_lazy() -> None:
    code = "import sys, svc; sys.exit('wasmtime' in sys.modules or 'svc._api' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=30).returncode == 0
